import { beforeEach, describe, expect, test, vi } from 'vitest';
import { FailureError } from '../../src-shared/failure.ts';
import type { SessionId } from '../../src-shared/ids.ts';
import { SessionEvent } from '../../src-shared/session/event.ts';
import { millis } from '../../src-shared/units.ts';
import { SessionExporter } from '../app/export-session.ts';
import { ManualClock } from '../ports/clock.fake.ts';
import type { ExportFile } from '../ports/export-file.ts';
import { exportHandlers, fileName } from './export-handlers.ts';

const electron = vi.hoisted(() => ({
  chosen: { canceled: false, filePath: '/chosen/a.md' },
  asked: [] as { defaultPath: string }[],
  shown: [] as string[],
}));
vi.mock('electron', () => ({
  app: { getPath: () => '/documents' },
  dialog: {
    showSaveDialog: async (options: { defaultPath: string }) => {
      electron.asked.push(options);
      return electron.chosen;
    },
  },
  shell: { showItemInFolder: (path: string) => void electron.shown.push(path) },
}));

const sessionId = 's' as SessionId;
const events = [
  SessionEvent.parse({ type: 'notice-given', seq: 0, at: 0, t: 0, level: 'info', text: 'ask ann@mail.example.org' }),
];

class Sheet implements ExportFile {
  text = '';
  bytes: Uint8Array | undefined;
  end = '';
  async write(text: string): Promise<void> {
    this.text += text;
  }
  async writeBytes(bytes: Uint8Array): Promise<void> {
    this.bytes = bytes;
  }
  async keep(): Promise<void> {
    this.end = 'kept';
  }
  async drop(): Promise<void> {
    this.end = 'dropped';
  }
}

function setUp() {
  const clock = new ManualClock();
  const sheet = new Sheet();
  const paths: string[] = [];
  const exporter = new SessionExporter({ clock, generator: 'Gantry 0', loadPage: async () => '' });
  const prepare = vi.spyOn(exporter, 'prepare');
  const handlers = exportHandlers({
    library: {
      eventsFrom: async () => ({ events: [], more: true, total: 1 }),
      wholeEvents: async () => events,
      titleOf: () => 'Fix: the/price',
    },
    exporter,
    redact: () => ({ patterns: [], broken: 1 }),
    openFile: async (path) => {
      paths.push(path);
      return sheet;
    },
    onProgress: () => undefined,
  });
  clock.advance(millis(0));
  return { handlers, sheet, paths, prepare };
}

const wanted = { exportId: 'e', sessionId, redact: true, advisor: true };
const choice = { ...wanted, format: 'markdown', theme: 'system' } as const;

beforeEach(() => {
  electron.chosen = { canceled: false, filePath: '/chosen/a.md' };
  electron.asked.length = 0;
  electron.shown.length = 0;
});

describe('an export', () => {
  test('is previewed once and written from what was previewed, where the system’s dialog says', async () => {
    const { handlers, sheet, paths, prepare } = setUp();
    const preview = await handlers['export.preview'](wanted);
    expect(preview).toMatchObject({ unusablePatterns: 1, report: { total: 1, kinds: [{ kind: 'email' }] } });
    expect(await handlers['export.write'](choice)).toEqual({ saved: true, path: '/chosen/a.md' });
    expect(prepare).toHaveBeenCalledTimes(1);
    expect(paths).toEqual(['/chosen/a.md']);
    expect(electron.asked[0]?.defaultPath).toBe('/documents/Fix the price.md');
    expect(sheet.text).toContain('redacted-email-1');
    expect(sheet.end).toBe('kept');
    await handlers['export.reveal']({ exportId: 'e' });
    expect(electron.shown).toEqual(['/chosen/a.md']);
  });

  test('writes nothing when the dialog is closed', async () => {
    electron.chosen = { canceled: true, filePath: '' };
    const { handlers, paths } = setUp();
    expect(await handlers['export.write'](choice)).toEqual({ saved: false });
    expect(paths).toEqual([]);
  });

  test('writes nothing after it was cancelled', async () => {
    const { handlers, sheet } = setUp();
    const writing = handlers['export.write'](choice);
    await handlers['export.cancel']({ exportId: 'e' });
    await expect(writing).rejects.toThrow(FailureError);
    expect(sheet.end).toBe('dropped');
  });

  test('takes a picture from the page only when it is one', async () => {
    const { handlers, sheet } = setUp();
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1]).toString('base64');
    await handlers['export.write']({ ...choice, format: 'png', png });
    expect(sheet.bytes).toHaveLength(9);
    await expect(handlers['export.write']({ ...choice, format: 'png', png: 'aGVsbG8=' })).rejects.toThrow(
      'The window has made no picture.',
    );
    expect(sheet.end).toBe('dropped');
  });
});

test.each([
  ['a/b\\c:*?"<>|', 'a b c'],
  ['..', 'session'],
  ['', 'session'],
  ['Änderung 2', 'Änderung 2'],
  ['x'.repeat(99), 'x'.repeat(60)],
])('%j is kept under the name %j', (title, name) => expect(fileName(title)).toBe(name));
