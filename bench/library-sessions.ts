import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Made-up transcripts in the manner of Claude Code: so many sessions, so many bytes in all. */
export type MadeUp = { readonly sessions: number; readonly bytes: number };

const CALLS_AT_ONCE = 2;
/** Code and prose of the packages this project uses, from which the outputs are cut. */
const MOST_SOURCE = 40_000_000;
const MOST_OF_FILE = 200_000;
const LONGEST_LINE = 300;

/** A word that stands once in all sessions, for each of them. */
export const rareWord = (session: number): string => `needle${session}haystack`;

/** Chance from a seed; the same sessions in every run. */
function dice(seed: number): (below: number) => number {
  let x = seed >>> 0;
  return (below) => {
    x = (Math.imul(x, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((x / 2 ** 32) * below);
  };
}

/** Writes them below a folder, in projects of fifty. */
export async function writeSessions(folder: string, { sessions, bytes }: MadeUp): Promise<void> {
  const lines: string[] = [];
  await collect(join(process.cwd(), 'node_modules'), lines, { left: Math.min(MOST_SOURCE, bytes) });
  for (let n = 0; n < sessions; n++) {
    const project = join(folder, `-work-project-${Math.floor(n / 50)}`);
    await mkdir(project, { recursive: true });
    await writeFile(join(project, `session-${n}.jsonl`), textOf(n, bytes / sessions, lines));
  }
}

async function collect(folder: string, lines: string[], budget: { left: number }): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (budget.left <= 0) return;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await collect(path, lines, budget);
    else if (entry.isFile() && /\.(?:m?js|ts|md)$/.test(entry.name) && !entry.name.includes('.min.')) {
      const text = (await readFile(path, 'utf8')).slice(0, MOST_OF_FILE);
      budget.left -= text.length;
      for (const line of text.split('\n')) if (line.length <= LONGEST_LINE) lines.push(line);
    }
  }
}

function textOf(n: number, bytes: number, source: readonly string[]): string {
  const roll = dice(n + 1);
  /** Lines that follow each other somewhere. */
  const cut = (characters: number): string => {
    const some: string[] = [];
    for (let at = roll(source.length), length = 0; length < characters; at = (at + 1) % source.length) {
      const line = source[at] ?? '';
      some.push(line);
      length += line.length + 1;
    }
    return some.join('\n');
  };
  const base = { sessionId: `session-${n}`, cwd: `/work/project-${Math.floor(n / 50)}`, version: '2.1.92' };
  const start = Date.UTC(2026, 0, 1) + n * 600_000;
  const lines: string[] = [];
  let size = 0;
  const add = (type: string, message: object, more: object = {}): void => {
    const at = new Date(start + lines.length * 700).toISOString();
    const line = JSON.stringify({ ...base, type, uuid: `u${lines.length}`, timestamp: at, message, ...more });
    lines.push(line);
    size += line.length + 1;
  };
  add('user', { role: 'user', content: `Look into ${rareWord(n)}, and say what is wrong with it` });
  for (let m = 0; size < bytes; m++) {
    const say = (block: object) =>
      add('assistant', { id: `m${n}-${m}`, type: 'message', role: 'assistant', model: 'm', content: [block] });
    say({ type: 'text', text: cut(300) });
    const ids = Array.from({ length: CALLS_AT_ONCE }, (_, k) => `toolu_${n}_${m}_${k}`);
    for (const id of ids) say({ type: 'tool_use', id, name: 'Bash', input: { command: cut(60) } });
    for (const id of ids) {
      const output = cut(500 + roll(8_000));
      // Every output is written twice, as the program does it.
      add(
        'user',
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: output }] },
        { toolUseResult: { stdout: output, stderr: '', interrupted: false, isImage: false } },
      );
    }
  }
  return `${lines.join('\n')}\n`;
}
