import { execFileSync } from 'node:child_process';
import { chmodSync, renameSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pdfOf } from '../documents/pdf.fixture.ts';
import { numberedLines } from './numbered-lines.ts';
import { pdfForModel } from './read-pdf.ts';
import { readTool, Workbench } from './workbench.fixture.ts';
import { writeTool } from './write.ts';

let bench: Workbench;
beforeEach(() => {
  bench = new Workbench({ 'README.md': '# Shop\n\nA small shop.\n' });
});
afterEach(() => bench.dispose());

const read = async (input: object) => (await bench.run(readTool, input)).text;
const refusal = (input: object) => bench.refusal(readTool, input);
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

describe('text', () => {
  // Recorded: mixed-batch and others of claude-code-2.1.92.
  test('has its lines numbered as other programs know it, the empty one behind the last break too', async () => {
    expect(await read({ file_path: bench.path('README.md') })).toBe('1\t# Shop\n2\t\n3\tA small shop.\n4\t');
  });

  test('that was read before and has not changed is pointed to, not repeated', async () => {
    await read({ file_path: bench.path('README.md') });
    expect(await read({ file_path: 'README.md' })).toMatch(/^The file is unchanged since call \S+ read these lines\./);
    expect(await read({ file_path: 'README.md', limit: 1 })).toMatch(/^1\t# Shop\n/);
    writeFileSync(bench.path('README.md'), '# Another\n');
    expect(await read({ file_path: 'README.md' })).toBe('1\t# Another\n2\t');
  });

  test('that the session itself has written is given whole: its lines stand nowhere yet', async () => {
    await bench.run(writeTool, { file_path: 'new.md', content: 'one\n' });
    expect(await read({ file_path: 'new.md' })).toBe('1\tone\n2\t');
  });

  test('without a last line break has no empty line', async () => {
    bench.lay('a.txt', 'one\ntwo');
    expect(await read({ file_path: 'a.txt' })).toBe('1\tone\n2\ttwo');
  });

  test('begins at the offset, ends at the limit, and says what is left', async () => {
    bench.lay('a.txt', 'a\nb\nc\nd\ne\n');
    expect(await read({ file_path: 'a.txt', offset: 2, limit: 2 })).toBe(
      '2\tb\n3\tc\n[2 more lines. Read on with offset 4.]',
    );
    expect(await read({ file_path: 'a.txt', offset: 4, limit: 1 })).toBe('4\td\n[1 more line. Read on with offset 5.]');
    expect(await read({ file_path: 'a.txt', offset: 5 })).toBe('5\te\n6\t');
    expect(await read({ file_path: 'a.txt', limit: 5 })).toBe('1\ta\n2\tb\n3\tc\n4\td\n5\te');
    expect(await read({ file_path: 'a.txt', offset: 9 })).toBe('(The file has 5 lines; line 9 is behind its end)');
  });

  test('that is empty says so', async () => {
    bench.lay('a.txt', '');
    expect(await read({ file_path: 'a.txt' })).toBe('(The file is empty)');
  });

  test('is shown without carriage returns and without the mark of the byte order', async () => {
    bench.lay('a.txt', '\uFEFFone\r\ntwo\r\n');
    expect(await read({ file_path: 'a.txt' })).toBe('1\tone\n2\ttwo\n3\t');
  });

  test('of very many lines comes in parts that fit together', () => {
    const text = Array.from({ length: 5_001 }, (_, i) => `line ${i + 1}\n`).join('');
    const first = numberedLines(text, 1, 2_000).split('\n');
    expect(first).toHaveLength(2_001);
    expect(first.at(-1)).toBe('[3001 more lines. Read on with offset 2001.]');
    expect(numberedLines(text, 4_001, 2_000).split('\n').at(-2)).toBe('5001\tline 5001');
  });

  test('of very long lines is bounded too, and always goes on', () => {
    const text = Array.from({ length: 500 }, () => 'x'.repeat(3_000)).join('\n');
    let offset: number | undefined = 1;
    let parts = 0;
    while (offset !== undefined) {
      const part: string = numberedLines(text, offset, 2_000);
      expect(part.length).toBeLessThan(105_000);
      expect(part.split('\n')[0]).toBe(`${offset}\t${'x'.repeat(2_000)}… [line cut]`);
      const next: string | undefined = /offset (\d+)\.\]$/.exec(part)?.[1];
      offset = next === undefined ? undefined : Number(next);
      parts++;
    }
    expect(parts).toBe(10);
  });

  test('is never cut inside a character', () => {
    const line = `${'x'.repeat(1_999)}😀😀`;
    expect(numberedLines(line, 1, 1)).toBe(`1\t${'x'.repeat(1_999)}… [line cut]`);
  });
});

describe('images', () => {
  test('are known by their content, whatever the name says', async () => {
    bench.lay('picture.txt', PNG);
    bench.lay('page.png', '<html>not found</html>');
    const { ending } = await bench.run(readTool, { file_path: 'picture.txt' });
    expect(readTool.mapResult(ending.output as never).content).toEqual([
      { type: 'image', mediaType: 'image/png', data: PNG.toString('base64') },
    ]);
    expect(await read({ file_path: 'page.png' })).toBe('1\t<html>not found</html>');
  });

  test.each([
    ['ffd8ffe000104a46', 'image/jpeg'],
    [Buffer.from('GIF89a..').toString('hex'), 'image/gif'],
    [Buffer.from('RIFF\0\0\0\0WEBPVP8 ').toString('hex'), 'image/webp'],
  ])('%s is %s', async (hex, mediaType) => {
    bench.lay('a', Buffer.from(hex, 'hex'));
    const { ending } = await bench.run(readTool, { file_path: 'a' });
    expect(ending.output).toMatchObject({ kind: 'image', mediaType });
  });

  test('over 3.8 MB, which is 5 MB of base64, are refused with their size', async () => {
    const path = bench.lay('big.png', PNG);
    truncateSync(path, 6 * 1024 * 1024);
    expect(await refusal({ file_path: 'big.png' })).toMatch(/big\.png is too large to read: 6MB, at most 3\.8MB\./);
  });
});

describe('what cannot be read', () => {
  // Recorded: errors-batch.
  test('a missing file, with the working folder named', async () => {
    expect(await refusal({ file_path: bench.path('nope.txt') })).toBe(
      `File does not exist. Note: your current working directory is ${bench.cwd}.`,
    );
  });

  test('a folder', async () => {
    bench.lay('src/a.ts', '');
    expect(await refusal({ file_path: 'src' })).toBe(
      `${bench.path('src')} is a folder, not a file. List it with Bash(ls) or Glob.`,
    );
  });

  test('a device and a pipe, without waiting for them', async () => {
    execFileSync('mkfifo', [bench.path('pipe')]);
    expect(await refusal({ file_path: bench.path('pipe') })).toMatch(/is a device or a pipe/);
    expect(await refusal({ file_path: '/dev/zero' })).toMatch(/is a device or a pipe/);
    symlinkSync('/dev/zero', bench.path('innocent.txt'));
    expect(await refusal({ file_path: 'innocent.txt' })).toMatch(/is a device or a pipe/);
  });

  test('a binary file', async () => {
    bench.lay('a.bin', Buffer.from([1, 2, 0, 3]));
    expect(await refusal({ file_path: 'a.bin' })).toBe(
      `${bench.path('a.bin')} is a binary file. It cannot be read as text.`,
    );
  });

  test('a huge file, with its size and what to do', async () => {
    const path = bench.lay('huge.log', '');
    truncateSync(path, 60 * 1024 * 1024);
    expect(await refusal({ file_path: 'huge.log' })).toBe(
      `${path} is too large to read: 60MB, at most 50MB. Search it with Grep, or take a part with Bash.`,
    );
  });

  test.skipIf(process.getuid?.() === 0)('a file without permission', async () => {
    chmodSync(bench.path('README.md'), 0);
    expect(await refusal({ file_path: 'README.md' })).toMatch(/README\.md cannot be read/);
  });

  test('bytes that are no UTF-8 are shown as such', async () => {
    bench.lay('latin1.txt', Buffer.from('caf\xe9\n', 'latin1'));
    expect(await read({ file_path: 'latin1.txt' })).toBe('1\tcaf\uFFFD\n2\t');
  });
});

describe('permission', () => {
  const permission = (path: string) =>
    readTool.checkPermissions({ file_path: path }, bench.context).then(({ verdict }) => verdict);

  test('inside is free, outside is asked for, by way of a link as well', async () => {
    symlinkSync(bench.outside, bench.path('out'));
    expect(await permission('README.md')).toBe('allow');
    expect(await permission('../outside/a')).toBe('pass');
    expect(await permission('out/a')).toBe('pass');
    expect(await permission('/etc/passwd')).toBe('pass');
  });

  test('a link that is turned round after the permission does not turn the call round', async () => {
    bench.lay('inside.txt', 'inside');
    writeFileSync(join(bench.outside, 'secret.txt'), 'secret');
    symlinkSync('inside.txt', bench.path('link.txt'));
    const input = { file_path: 'link.txt' };
    expect((await readTool.checkPermissions(input, bench.context)).verdict).toBe('allow');
    rmSync(bench.path('link.txt'));
    symlinkSync(join(bench.outside, 'secret.txt'), bench.path('link.txt'));
    const { output } = await readTool.call(input, bench.context, bench.environment());
    expect(output).toMatchObject({ kind: 'text', text: '1\tinside' });
  });

  test('a folder that becomes a link after the permission stops the call', async () => {
    bench.lay('src/secret.txt', 'harmless');
    writeFileSync(join(bench.outside, 'secret.txt'), 'secret');
    const input = { file_path: 'src/secret.txt' };
    expect((await readTool.checkPermissions(input, bench.context)).verdict).toBe('allow');
    renameSync(bench.path('src'), bench.path('old'));
    symlinkSync(bench.outside, bench.path('src'));
    await expect(readTool.call(input, bench.context, bench.environment())).rejects.toThrow(/leads elsewhere/);
  });
});

describe('what is remembered', () => {
  test('the file by its real name, with its content, and what was seen of it', async () => {
    symlinkSync('README.md', bench.path('link.md'));
    const { ending } = await bench.run(readTool, { file_path: 'link.md', offset: 1, limit: 2 });
    expect([...bench.context.readFiles.keys()]).toEqual([bench.path('README.md')]);
    expect(bench.context.readFiles.get(bench.path('README.md'))).toMatchObject({
      size: 22,
      range: { offset: 1, limit: 2 },
    });
    expect(ending.changes).toEqual(['read link.md']);
    expect(readTool.backfillObservableInput({ file_path: 'link.md' }, ending.output as never)).toEqual({
      resolved_path: bench.path('README.md'),
    });
  });

  test('nothing when the call was stopped', async () => {
    const controller = new AbortController();
    controller.abort('escape');
    await expect(bench.run(readTool, { file_path: 'README.md' }, controller.signal)).rejects.toThrow();
    expect(bench.context.readFiles.size).toBe(0);
  });

  test('the time of before the reading, so that a change during it shows', async () => {
    utimesSync(bench.path('README.md'), 1_000, 1_000);
    await bench.run(readTool, { file_path: 'README.md' });
    expect(bench.context.readFiles.get(bench.path('README.md'))).toMatchObject({ mtimeMs: 1_000_000, range: 'whole' });
  });
});

test('a call may run beside others, stops for a message, and is never saved to disk', () => {
  const input = { file_path: 'a' };
  expect(readTool.isConcurrencySafe(input)).toBe(true);
  expect(readTool.interruptBehavior(input)).toBe('cancel');
  expect(readTool.maxResultSizeChars).toBe(Number.POSITIVE_INFINITY);
  expect(readTool.suggestRule(input)).toBe('Read(./a)');
  expect(readTool.summarise({ file_path: 5 })).toBe('');
});

describe('a picture a model would refuse', () => {
  test('is refused with its size in pixels', async () => {
    const wide = Buffer.concat([PNG, Buffer.alloc(8)]);
    wide.writeUInt32BE(9_000, 16);
    wide.writeUInt32BE(10, 20);
    bench.lay('wide.png', wide);
    await expect(read({ file_path: 'wide.png' })).rejects.toThrow(
      `${bench.path('wide.png')} cannot be shown: 9000 × 10 pixels, at most 8000 a side. Make a smaller copy first.`,
    );
  });
});

describe('a notebook', () => {
  const NOTEBOOK = JSON.stringify({ cells: [{ cell_type: 'code', id: 'a1', source: ['1 + 1'], outputs: [] }] });

  test('is shown by its cells, or by its lines where a part is asked for', async () => {
    bench.lay('a.ipynb', NOTEBOOK);
    expect(await read({ file_path: 'a.ipynb' })).toBe(
      '(1 cell)\n<cell number="0" id="a1" type="code">\n1 + 1\n</cell>',
    );
    expect(await read({ file_path: 'a.ipynb', offset: 1 })).toMatch(/^1\t\{"cells":/);
    expect(bench.context.readFiles.get(bench.path('a.ipynb'))?.size).toBe(NOTEBOOK.length);
  });

  test('that is none is shown as the text it is', async () => {
    bench.lay('a.ipynb', 'half a notebook {');
    expect(await read({ file_path: 'a.ipynb' })).toBe('1\thalf a notebook {');
  });
});

describe('a PDF', () => {
  test('is shown by its pages, those that were asked for', async () => {
    bench.lay('a.pdf', pdfOf(['Cold days', 'Mild days', 'Warm days']));
    expect(await read({ file_path: 'a.pdf' })).toBe(
      '(PDF, 3 pages)\n--- Page 1 ---\nCold days\n--- Page 2 ---\nMild days\n--- Page 3 ---\nWarm days',
    );
    expect(await read({ file_path: 'a.pdf', pages: '2' })).toBe('(PDF, 3 pages)\n--- Page 2 ---\nMild days');
    expect(await read({ file_path: 'a.pdf', pages: '3-' })).toBe('(PDF, 3 pages)\n--- Page 3 ---\nWarm days');
    expect(await read({ file_path: 'a.pdf', pages: '9-12' })).toBe('(The PDF has 3 pages; page 9 is behind its end)');
    expect(await read({ file_path: 'a.pdf', pages: '9-12' })).toMatch(/^The file is unchanged/);
  });

  test('of scanned pages says so', async () => {
    bench.lay('scan.pdf', pdfOf([undefined, undefined]));
    expect(await read({ file_path: 'scan.pdf' })).toBe(
      '(The PDF has 2 pages. Pages 1 to 2 hold no text. It may be a scanned picture, which cannot be read here.)',
    );
    bench.lay('half.pdf', pdfOf(['One', undefined]));
    expect(await read({ file_path: 'half.pdf' })).toContain('--- Page 2 ---\n(no text. It may be a scanned picture');
  });

  test('that is long says how to read on', () => {
    const pages = [{ number: 1, text: 'x'.repeat(100_001) }];
    const text = pdfForModel({ pages, total: 80, size: 1, hash: '' }, undefined);
    expect(text).toMatch(/… \[page cut\]\n\[Pages 2 to 80 are left\. Read on with pages "2-80"\.\]$/);
  });

  test('that is broken is said in words, and a name alone makes none', async () => {
    bench.lay('broken.pdf', '%PDF-1.4\nnothing\n');
    await expect(read({ file_path: 'broken.pdf' })).rejects.toThrow(
      `${bench.path('broken.pdf')} cannot be read as a PDF: it is no PDF, or a broken one.`,
    );
    bench.lay('text.pdf', 'only text\n');
    expect(await read({ file_path: 'text.pdf' })).toBe('1\tonly text\n2\t');
  });

  test('takes pages, no lines; and pages are for PDFs', async () => {
    bench.lay('a.pdf', pdfOf(['x']));
    expect(await refusal({ file_path: 'a.pdf', offset: 2 })).toContain('It has pages, no lines: use pages.');
    for (const pages of ['0', '5-2', 'all', '1,3', '']) {
      expect(await refusal({ file_path: 'a.pdf', pages })).toContain('Give one page or a range, as 3, 2-5 or 12-.');
    }
    expect(await refusal({ file_path: 'README.md', pages: '1' })).toContain('pages is for PDF files');
  });
});
