import { parseArgs } from 'node:util';
import type { Leftovers, LeftProcess } from '../app/leftovers.ts';
import type { ProcessInfo } from '../ports/process-runner.ts';
import { type Io, wordsOrUsage } from './io.ts';

export const LEFTOVERS_USAGE = 'gantry leftovers [--end] [--json]';

/**
 * `gantry leftovers`: processes of runs that crashed and that nobody looks after any more; with `--end` it ends them.
 * Exit code 0; 1 when something could not be ended; 2 when the words do not fit.
 */
export async function leftoversCommand(args: readonly string[], io: Io, leftovers: Leftovers): Promise<number> {
  const { end, json } = parse(args);
  const found = await leftovers.list();
  const { ended, survivors } = end ? await leftovers.end() : { ended: 0, survivors: [] };
  const answer = end ? { leftovers: found, ended, survivors } : { leftovers: found };
  io.stdout(json ? `${JSON.stringify(answer)}\n` : asText(found, end ? { ended, survivors } : undefined));
  return survivors.length === 0 ? 0 : 1;
}

function parse(args: readonly string[]): { readonly end: boolean; readonly json: boolean } {
  const flag = { type: 'boolean', default: false } as const;
  return wordsOrUsage(LEFTOVERS_USAGE, () => {
    return parseArgs({ args: [...args], options: { end: flag, json: flag } }).values;
  });
}

function asText(
  found: readonly LeftProcess[],
  end: { readonly ended: number; readonly survivors: readonly ProcessInfo[] } | undefined,
): string {
  if (found.length === 0) return 'Nothing is left of earlier runs.\n';
  const lines = found.map(({ pid, command, since, sessionId }) =>
    [String(pid).padStart(7), since === undefined ? '' : new Date(since).toISOString(), sessionId ?? '', command].join(
      '  ',
    ),
  );
  const after =
    end === undefined
      ? [`${counted(found.length)} of earlier runs. End them with gantry leftovers --end.`]
      : [
          `${counted(end.ended)} ended.`,
          ...end.survivors.map(({ pid, command }) => `Could not be ended: ${pid} ${command}`),
        ];
  return [...lines, ...after, ''].join('\n');
}

const counted = (n: number): string => `${n} ${n === 1 ? 'process' : 'processes'}`;
