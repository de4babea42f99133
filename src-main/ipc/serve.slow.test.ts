import type { IpcMainInvokeEvent } from 'electron';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { type Failure, FailureError } from '../../src-shared/failure.ts';
import { contract, type Handlers, type RequestName } from '../../src-shared/ipc/contract.ts';
import type { Result } from '../../src-shared/result.ts';
import { serveRequests } from './serve.ts';

type Invoke = (event: unknown, name: unknown, input: unknown) => Promise<Result<unknown, Failure>>;
const handled = vi.hoisted(() => new Map<string, unknown>());
vi.mock('electron', () => ({
  ipcMain: { handle: (channel: string, handler: unknown) => handled.set(channel, handler) },
}));

const MESSAGES = 10_000;
const SEED = Number(process.env.GANTRY_SEED ?? 4_001);

/** Whatever a page could send: any value, and objects with the right keys and wrong things in them. */
function messages(name: RequestName): fc.Arbitrary<unknown> {
  const input: unknown = contract.requests[name].input;
  const keys =
    typeof input === 'object' && input !== null && 'shape' in input ? Object.keys(input.shape as object) : [];
  const odd = fc.anything({
    withBigInt: true,
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withObjectString: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
    withUnicodeString: true,
    maxDepth: 3,
    key: fc.oneof(
      fc.string({ maxLength: 8 }),
      fc.constantFrom('__proto__', 'constructor', 'toString', 'kind', ...keys),
    ),
  });
  const value = fc.oneof(
    odd,
    fc.constantFrom(
      '',
      ' ',
      '\0',
      '\ud800',
      '../../etc/passwd',
      -1,
      0,
      1.5,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      null,
    ),
    fc.string({ maxLength: 30 }),
  );
  const shaped = fc.dictionary(fc.constantFrom('sessionId', ...keys), value, { maxKeys: keys.length + 1 });
  return fc.oneof(odd, shaped);
}

const names = Object.keys(contract.requests) as RequestName[];
const before = Object.getOwnPropertyNames(Object.prototype).sort();

test.each(names)(
  `${MESSAGES} messages of chance to %s are all answered with a failure (seed ${SEED})`,
  async (name) => {
    const reached: unknown[] = [];
    // A message that fits by chance gets to a handler; there it finds nothing, as a made-up id does.
    const handlers = new Proxy({} as Handlers, {
      get: () => async (input: unknown) => {
        reached.push(input);
        throw new FailureError({ kind: 'not-found', message: 'There is no such thing.' });
      },
    });
    const bugs: unknown[] = [];
    serveRequests({ handlers: () => handlers, isOurs: () => true, onBug: (_, error) => bugs.push(error) });
    const ask = handled.get('gantry:request') as Invoke;
    await fc.assert(
      fc.asyncProperty(messages(name), async (message) => {
        const answer = await ask({} as IpcMainInvokeEvent, name, message);
        expect(answer.ok).toBe(false);
        expect(JSON.stringify(answer).length).toBeLessThan(2_000);
        return true;
      }),
      { numRuns: MESSAGES, seed: SEED },
    );
    expect(bugs).toEqual([]);
    // What got through can be kept in a journal.
    for (const input of reached) JSON.stringify(input);
    expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(before);
  },
);
