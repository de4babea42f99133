import { fork } from 'node:child_process';
import { FailureError } from '../../../src-shared/failure.ts';
import { LibraryMessage, type LibraryRequest } from './protocol.ts';

export type LibraryHostOptions = {
  /** Program that runs the host: `process.execPath`, in Electron as well as in Node. */
  readonly execPath: string;
  /** The bundled `host.ts`. Absolute. */
  readonly entryPath: string;
  readonly onProgress: (done: number, total: number) => void;
  readonly signal: AbortSignal;
};

export type LibraryResult = Extract<
  LibraryMessage,
  { readonly kind: 'sessions' | 'hits' | 'updated' | 'counted' | 'opened' | 'unreadable' }
>;

/**
 * Asks the library in a process of its own, which ends with the answer, with the signal, or with this process.
 * @throws FailureError when the index cannot be used, the signal's reason when it is aborted
 */
export async function askLibrary(request: LibraryRequest, options: LibraryHostOptions): Promise<LibraryResult> {
  options.signal.throwIfAborted();
  const child = fork(options.entryPath, [], {
    execPath: options.execPath,
    execArgv: [],
    // Without it Electron's binary would open an app. Nothing else of the environment is its business.
    env: { ELECTRON_RUN_AS_NODE: '1' },
    serialization: 'advanced',
    stdio: 'ignore',
  });
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  try {
    return await new Promise<LibraryResult>((resolve, reject) => {
      options.signal.addEventListener('abort', () => reject(options.signal.reason), { once: true });
      child.once('error', (cause) => reject(unusableIndex('its process cannot be started', cause)));
      child.once('exit', () => reject(unusableIndex('its process has ended early')));
      child.on('message', (raw) => {
        const message = LibraryMessage.parse(raw);
        if (message.kind === 'progress') options.onProgress(message.done, message.total);
        else if (message.kind === 'failed') reject(unusableIndex(message.message));
        else resolve(message);
      });
      child.send(request);
    });
  } finally {
    process.off('exit', end);
    end();
  }
}

/** The index cannot be used, and why. */
export const unusableIndex = (why: string, cause?: unknown): FailureError =>
  new FailureError(
    {
      kind: 'not-readable',
      message: `The index of sessions cannot be used: ${why}.`,
      hint: 'Check the disk. Deleting library.sqlite in the folder of Gantry makes it anew.',
    },
    { cause },
  );
