import { fork } from 'node:child_process';
import { FailureError } from '../../../src-shared/failure.ts';
import type { VaultOutcome } from '../../../src-shared/vault/view.ts';
import type { Source } from '../../core/vault/places.ts';
import type { VaultKeeper, VaultWatch } from '../../ports/vault-keeper.ts';
import { VaultMessage, type VaultRequest } from './protocol.ts';

export type VaultHostOptions = {
  /** Program that runs the host: `process.execPath`, in Electron as well as in Node. */
  readonly execPath: string;
  /** The bundled `host.ts`. Absolute. */
  readonly entryPath: string;
  /** What is copied, as the settings are now. */
  readonly sources: () => readonly Source[];
};

type Answer = Exclude<VaultMessage, { readonly kind: 'progress' | 'failed' }>;

/** Works on vaults in processes of their own: hashing gigabytes is nothing for the one that answers windows. */
export function vaultKeeper(options: VaultHostOptions): VaultKeeper {
  const ask = (folder: string, what: VaultRequest['ask'], watch: VaultWatch = QUIET): Promise<Answer> =>
    askHost({ folder, sources: [...options.sources()], ask: what }, options, watch);
  const work = async (folder: string, what: VaultRequest['ask'], watch: VaultWatch): Promise<VaultOutcome> => {
    const answer = await ask(folder, what, watch);
    if (answer.kind !== 'done') throw broken('it answers something else');
    return answer.outcome;
  };
  return {
    start: async (folder) => void (await ask(folder, { kind: 'start' })),
    status: async (folder) => {
      const answer = await ask(folder, { kind: 'status' });
      if (answer.kind !== 'status') throw broken('it answers something else');
      return answer.status;
    },
    run: (folder, calm, watch) => work(folder, { kind: 'run', calm }, watch),
    verify: (folder, watch) => work(folder, { kind: 'verify' }, watch),
    restore: (folder, what, watch) => work(folder, { kind: 'restore', ...what }, watch),
  };
}

const QUIET: VaultWatch = { onProgress: () => undefined, signal: new AbortController().signal };

const broken = (why: string, cause?: unknown): FailureError =>
  new FailureError({ kind: 'internal', message: `The vault’s process cannot be used: ${why}.` }, { cause });

async function askHost(
  request: VaultRequest,
  host: VaultHostOptions,
  { onProgress, signal }: VaultWatch,
): Promise<Answer> {
  const child = fork(host.entryPath, [], {
    execPath: host.execPath,
    execArgv: [],
    // Without it Electron's binary would open an app. Nothing else of the environment is its business.
    env: { ELECTRON_RUN_AS_NODE: '1' },
    serialization: 'advanced',
    stdio: 'ignore',
  });
  const stop = (): void => void (child.connected && child.send({ kind: 'stop' }));
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await new Promise<Answer>((resolve, reject) => {
      child.once('error', (cause) => reject(broken('it cannot be started', cause)));
      child.once('exit', () => reject(broken('it has ended early')));
      child.on('message', (raw) => {
        const message = VaultMessage.parse(raw);
        if (message.kind === 'progress') onProgress(message);
        else if (message.kind === 'failed') reject(new FailureError(message.failure));
        else resolve(message);
      });
      child.send(request);
      if (signal.aborted) stop();
    });
  } finally {
    signal.removeEventListener('abort', stop);
    process.off('exit', end);
    end();
  }
}
