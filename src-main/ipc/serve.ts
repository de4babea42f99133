import { type IpcMainInvokeEvent, ipcMain } from 'electron';
import { MOST_PICTURE } from '../../src-shared/export/contract.ts';
import { type Failure, FailureError } from '../../src-shared/failure.ts';
import { REQUEST_CHANNEL } from '../../src-shared/ipc/channels.ts';
import { contract, type Handlers, type RequestName, SENT_AS_TEXT } from '../../src-shared/ipc/contract.ts';
import { MOST_IMAGE_BYTES, MOST_IMAGES } from '../../src-shared/model/image.ts';
import { err, ok, type Result } from '../../src-shared/result.ts';
import { type DataLimits, dataProblem } from './plain-data.ts';

/** A request's input has at most so much; what carries whole texts or pictures has more. */
const LIMITS: DataLimits = { characters: 4_000_000, parts: 100_000 };
const PICTURES = MOST_IMAGES * Math.ceil(MOST_IMAGE_BYTES / 3) * 4;
const LIMITS_OF: { readonly [K in RequestName]?: DataLimits } = {
  'session.send': { ...LIMITS, characters: LIMITS.characters + PICTURES },
  'session.fork': { ...LIMITS, characters: LIMITS.characters + PICTURES },
  'session.start': { ...LIMITS, characters: LIMITS.characters + PICTURES },
  'export.write': { ...LIMITS, characters: MOST_PICTURE + LIMITS.characters },
  'clipboard.write': { ...LIMITS, characters: 10_000_100 },
};

/**
 * Serves every request of the contract. Checked in one place, before any handler runs: who sends it, that the name is
 * declared, that the input is plain data of a sensible size, and that it fits its schema. Electron keeps only the message
 * of an error across `invoke`, so answers travel as `Result` values (spec 4.5).
 *
 * @param isOurs whether a message comes from the main frame of a window of ours.
 * @param onBug told about errors that are no expected failures, with their stack.
 */
export function serveRequests(deps: {
  readonly handlers: (event: IpcMainInvokeEvent) => Handlers;
  readonly isOurs: (event: IpcMainInvokeEvent) => boolean;
  readonly onBug: (request: string, error: unknown) => void;
}): void {
  ipcMain.handle(REQUEST_CHANNEL, async (event, name: unknown, input: unknown): Promise<Result<unknown, Failure>> => {
    if (!isFromUs(deps.isOurs, event)) return err({ kind: 'bad-input', message: 'This page may not ask anything.' });
    if (!isRequestName(name)) return err({ kind: 'bad-input', message: 'There is no such request.' });
    const problem = dataProblem(input, LIMITS_OF[name] ?? LIMITS);
    if (problem !== undefined) {
      return err({ kind: 'bad-input', message: `The request ${name} is not looked at: ${problem}.` });
    }
    const parsed = contract.requests[name].input.safeParse(input);
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      const where = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`;
      return err({ kind: 'bad-input', message: `The request ${name} does not fit${where}: ${issue?.message ?? ''}` });
    }
    try {
      const handler = deps.handlers(event)[name] as (input: unknown) => Promise<unknown>;
      const answer = await handler(parsed.data);
      return ok(SENT_AS_TEXT.has(name) ? JSON.stringify(answer) : answer);
    } catch (error) {
      if (error instanceof FailureError) return err(error.failure);
      deps.onBug(name, error);
      return err({ kind: 'internal', message: firstLineOf(error) });
    }
  });
}

const isRequestName = (name: unknown): name is RequestName =>
  typeof name === 'string' && Object.hasOwn(contract.requests, name);

/** Asking a frame that has gone throws. */
function isFromUs(isOurs: (event: IpcMainInvokeEvent) => boolean, event: IpcMainInvokeEvent): boolean {
  try {
    return isOurs(event);
  } catch {
    return false;
  }
}

/** Some errors carry whole outputs and stacks in their message. */
const firstLineOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
