import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exportMarkdown } from './markdown.ts';
import { beginning, code, fenced, plain, quoted } from './markdown-text.ts';
import { recording, recordings, textOf } from './sessions.fixture.ts';

test('a cascade reads like a story', async () => {
  const text = textOf(exportMarkdown(await recording('cascade-stream')));
  expect(text).toContain('## Conversation');
  expect(text).toMatch(/^- \*\*Bash\*\* `[^\n]+` — error, exit \d+ · .*lane \d/m);
  expect(text).toMatch(/\*\*Cascade:\*\* Bash\([^\n]+\) failed and cancelled /);
  expect(text).toMatch(/\*Inferred: start: not recorded, /);
});

test('sub-agents have chapters of their own', async () => {
  const text = textOf(exportMarkdown(await recording('agents-stream')));
  expect(text.match(/^## Sub-agent /gm)?.length).toBeGreaterThan(0);
});

/** Fences as CommonMark sees them: a line of backticks opens, one at least as long alone closes. */
function openFences(text: string): number {
  let open: string | undefined;
  for (const line of text.split('\n')) {
    if (/^\s*>/.test(line)) continue;
    const [, fence, rest] = /^\s*(`{3,})(.*)$/.exec(line) ?? [];
    if (fence === undefined) continue;
    if (open === undefined) open = fence;
    else if (fence.length >= open.length && rest?.trim() === '') open = undefined;
  }
  return open === undefined ? 0 : 1;
}

test.each(recordings)('no fence of %s stays open', async (name) => {
  expect(openFences(textOf(exportMarkdown(await recording(name))))).toBe(0);
});

describe('free text', () => {
  const evil = fc.string({ unit: fc.constantFrom('`', '~', '\n', '\r', 'a', ' ', '#', '<', '>', '-') });

  test('cannot leave its fence or its quotation (seed 5)', () => {
    fc.assert(
      fc.property(evil, (text) => {
        const [first = '', ...rest] = fenced(text).split('\n');
        expect(rest.at(-1)).toBe(first);
        for (const line of rest.slice(0, -1)) expect(/^`+/.exec(line)?.[0].length ?? 0).toBeLessThan(first.length);
        for (const line of quoted(text).split('\n')) expect(line.startsWith('>')).toBe(true);
        expect(quoted(text)).not.toMatch(/\r/);
        expect(code(text)).not.toMatch(/[\r\n]/);
      }),
      { seed: 5 },
    );
  });

  test('is no markup where it stands in a line', () => {
    expect(plain('*a* <b> `c` [d](e)')).toBe('\\*a\\* \\<b\\> \\`c\\` \\[d\\](e)');
    expect(code('a `b` c')).toBe('``a `b` c``');
    expect(code('`x`')).toBe('`` `x` ``');
  });

  test('that is long is shortened with a note', () => {
    expect(beginning('a\n'.repeat(10)).note).toBeUndefined();
    expect(beginning('a\n'.repeat(1_240)).note).toBe('1,200 more lines are left out.');
    expect(beginning('a'.repeat(5_000))).toEqual({
      shown: 'a'.repeat(4_000),
      note: '1,000 more characters are left out.',
    });
  });
});
