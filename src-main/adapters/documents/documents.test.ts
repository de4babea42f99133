import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DocumentUnreadable, type JobOf } from '../../ports/document-reader.ts';
import { bundleForNode } from '../process/bundle.fixture.ts';
import { systemClock } from '../process/system-clock.ts';
import { DocumentHostClient } from './document-host-client.ts';
import { documentsHere } from './jobs.ts';
import { pdfOf } from './pdf.fixture.ts';

let folder: string;
let entryPath: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gantry-documents-'));
  await bundleForNode({ host: fileURLToPath(new URL('./host.ts', import.meta.url)) }, folder);
  entryPath = join(folder, 'host.mjs');
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const never = new AbortController().signal;
const client = (more: { readonly jobMs?: number } = {}) =>
  new DocumentHostClient({ execPath: process.execPath, entryPath, clock: systemClock, ...more });

const pages = (text: readonly (string | undefined)[]) => ({
  kind: 'pdf' as const,
  from: pdfOf(text),
  mostCharacters: 100_000,
});

test('a PDF’s text comes page by page, with the hash of the file', async () => {
  const path = join(folder, 'a.pdf');
  writeFileSync(path, pdfOf(['Cold days', undefined, 'Warm days']));
  const found = await client().do({ kind: 'pdf', from: path, mostCharacters: 100_000 }, never);
  expect(found).toMatchObject({
    total: 3,
    pages: [
      { number: 1, text: 'Cold days' },
      { number: 2, text: '' },
      { number: 3, text: 'Warm days' },
    ],
  });
  expect(found.hash).toMatch(/^[\da-f]{64}$/);
});

test('only the pages asked for are read, and not more than fits', async () => {
  const many = Array.from({ length: 12 }, (_, at) => `Page number ${at + 1}`);
  const numbers = async (job: JobOf<'pdf'>) => (await documentsHere.do(job, never)).pages.map(({ number }) => number);
  expect(await numbers({ ...pages(many), pages: { from: 3, to: 4 } })).toEqual([3, 4]);
  expect(await numbers({ ...pages(many), pages: { from: 11, to: 99 } })).toEqual([11, 12]);
  expect(await numbers({ kind: 'pdf', from: pdfOf(many), mostCharacters: 20 })).toEqual([1, 2]);
});

test('what is no PDF is said in words, and the host goes on', async () => {
  const reader = client();
  const broken = reader.do({ kind: 'pdf', from: Buffer.from('%PDF-1.4 nothing'), mostCharacters: 10 }, never);
  await expect(broken).rejects.toThrow(new DocumentUnreadable('it is no PDF, or a broken one'));
  expect(await reader.do({ kind: 'html', html: '<h1>Hi</h1>', url: 'https://x.example/' }, never)).toBe('# Hi');
});

test('HTML is turned into Markdown: tables, code and absolute links stay, scripts go', async () => {
  const html = `<title>Rules &amp; more</title><body><script>alert(1)</script><h2>Tax</h2>
    <p>See <a href="../b?x=(1)">the <b>rules</b></a>, <a href="javascript:alert(1)">not this</a>.</p>
    <table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>
    <pre><code class="language-js">const x = 1;\n</code></pre><img src="p.png" alt="a cart"><img src="q.png">
    <style>p{}</style><svg><text>no</text></svg></body>`;
  expect(await documentsHere.do({ kind: 'html', html, url: 'https://x.example/docs/a/' }, never)).toBe(
    `# Rules & more

## Tax

See [the **rules**](https://x.example/docs/b?x=%281%29), not this.

| a | b |
| --- | --- |
| 1 | 2 |

\`\`\`js
const x = 1;
\`\`\`

![a cart](https://x.example/docs/a/p.png)`,
  );
});

test('a job that takes too long or is no longer wanted ends, and the next one has a host', async () => {
  const slow = `<p>${'<b>x</b> '.repeat(150_000)}</p>`;
  const job = { kind: 'html' as const, html: slow, url: 'https://x.example/' };
  const reader = client({ jobMs: 30 });
  await expect(reader.do(job, never)).rejects.toThrow(/it took longer than 0 s/);
  const stop = new AbortController();
  const patient = client();
  const unwanted = patient.do(job, stop.signal);
  stop.abort('escape');
  await expect(unwanted).rejects.toBe('escape');
  expect(await patient.do({ kind: 'html', html: 'ok', url: 'https://x.example/' }, never)).toBe('ok');
});

test('more jobs than hosts wait for their turn', async () => {
  const reader = client();
  const jobs = Array.from({ length: 6 }, (_, at) =>
    reader.do({ kind: 'html', html: `<p>${at}</p>`, url: 'https://x.example/' }, never),
  );
  const stop = new AbortController();
  const waiting = reader.do({ kind: 'html', html: 'x', url: 'https://x.example/' }, stop.signal);
  stop.abort('escape');
  await expect(waiting).rejects.toBe('escape');
  expect(await Promise.all(jobs)).toEqual(['0', '1', '2', '3', '4', '5']);
});

test('this process is not held up while a long PDF and a large page are read', async () => {
  const path = join(folder, 'long.pdf');
  writeFileSync(path, pdfOf(Array.from({ length: 600 }, (_, at) => `${at} `.repeat(400))));
  const html = `<body>${'<p>Some <b>bold</b> words and <a href="x">a link</a>.</p>'.repeat(8_000)}</body>`;
  const reader = client();
  // Warm: what is measured is the work, not the loading of this test.
  await reader.do({ kind: 'html', html: 'x', url: 'https://x.example/' }, never);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const from = performance.now();
  delay.enable();
  await Promise.all([
    reader.do({ kind: 'pdf', from: path, mostCharacters: 1_000_000 }, never),
    reader.do({ kind: 'html', html, url: 'https://x.example/' }, never),
  ]);
  delay.disable();
  // Done here, the longest stop would be nearly as long as the whole.
  expect(delay.max / 1e6).toBeLessThan((performance.now() - from) / 3);
});

test('a notebook is read and changed, a large one in the host', async () => {
  const notebook = (source: string): string => JSON.stringify({ cells: [{ cell_type: 'code', source }] });
  const edit = { mode: 'replace', at: 0, source: 'y', newId: 'n' } as const;
  for (const text of [notebook('x'), notebook('x'.repeat(400_000))]) {
    const reader = client();
    expect(await reader.do({ kind: 'notebook', text }, never)).toHaveLength(1);
    expect(await reader.do({ kind: 'notebook-edit', text, edit }, never)).toMatchObject({ ok: true });
    expect(await reader.do({ kind: 'notebook', text: `[${text}]` }, never)).toBeUndefined();
  }
});
