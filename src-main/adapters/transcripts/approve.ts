import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { foldSession } from '../../../src-shared/session/state.ts';
import type { ToolCall } from '../../../src-shared/tool-call/state.ts';
import { inspect } from '../../core/inspect/inspect.ts';
import { faultsOf } from './invariants.ts';
import { openTranscript } from './open-transcript.ts';
import { pictureOf } from './picture-of.ts';

const fixtures = join(import.meta.dirname, 'fixtures');

/** A made-up session of `fixtures/<format>`, with its calls at hand. For tests. */
export async function openFixture(format: string, file: string) {
  const opened = await openTranscript(join(fixtures, format, file));
  const state = foldSession(opened.events);
  const call = (id: string) => state.calls.find((one) => one.callId === id) as ToolCall;
  return { ...opened, state, call };
}

/** The events of one kind. For tests. */
export const factsOf = (opened: Awaited<ReturnType<typeof openFixture>>, type: string) =>
  opened.events.filter((event) => event.type === type);

/** Windows line ends are counted with what is left out, and NULs are a finding of their own. */
const withoutCounts = (picture: string): string =>
  picture.replace(/finding nul-bytes.*\n/, '').replace(/(?<=finding not-json at \d+: )\d+/g, 'n');

/** What holds for every fixture of a format; each lies in a folder of its own. For tests. */
export function testFixtures(format: string, files: readonly string[]): void {
  let scratch = '';
  beforeAll(async () => {
    scratch = await mkdtemp(join(tmpdir(), `gantry-${format}-`));
  });
  afterAll(() => rm(scratch, { recursive: true, force: true }));

  test.each(files)('%s reads as approved', async (file) => {
    const opened = await openFixture(format, file);
    expect(opened.format).toBe(format);
    expect(faultsOf(opened.events)).toEqual([]);
    const inspection = inspect(opened.events, opened.findings, { calls: true });
    expect(inspection.results + inspection.callsWithoutResult.length).toBe(inspection.calls);
    const approved = join(fixtures, format, 'approved', `${dirname(file)}.txt`);
    await expect(pictureOf(opened)).toMatchFileSnapshot(approved);
  });

  test.each(files)(
    '%s is known by its content, and reads the same with CRLF, NULs and a byte order mark',
    async (file) => {
      const folder = join(scratch, dirname(file));
      await cp(join(fixtures, format, dirname(file)), folder, { recursive: true });
      const path = join(folder, basename(file));
      const picture = async () => withoutCounts(pictureOf(await openTranscript(path)));
      const before = await picture();
      const text = await readFile(path, 'utf8');
      await writeFile(path, `\uFEFF${text.replaceAll('\n', '\r\n')}${'\0'.repeat(64)}`);
      expect((await openTranscript(path)).format).toBe(format);
      expect(await picture()).toBe(before);
    },
  );
}
