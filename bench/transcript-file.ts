import { closeSync, openSync, writeSync } from 'node:fs';

/** What a made-up transcript is like: `mixed` has long results as real ones do, `small` has short lines only. */
export type FileKind = 'mixed' | 'small';

export type MadeFile = { readonly bytes: number; readonly lines: number; readonly calls: number };

const WORDS =
  'const return function import export readonly value index total order price customer basket item count list map filter test expect describe await async string number boolean undefined type interface class private public error warning passed failed build compile deploy server client request response header status'.split(
    ' ',
  );

/** Numbers by chance that are the same each time. */
class Chance {
  #x: number;
  constructor(seed: number) {
    this.#x = seed >>> 0;
  }
  /** 0 to below `n`. */
  below(n: number): number {
    this.#x = (Math.imul(this.#x, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#x / 0x1_0000_0000) * n);
  }
}

/** Text like code: lines of words, with the quotes and tabs that JSON has to escape. */
function codeLike(chance: Chance, length: number): string {
  let text = '';
  while (text.length < length) {
    let line = '  '.repeat(chance.below(4));
    const words = 3 + chance.below(9);
    for (let i = 0; i < words; i++) {
      const word = WORDS[chance.below(WORDS.length)] ?? '';
      line += i % 6 === 5 ? `"${word}" ` : `${word} `;
    }
    text += `${line}{ ${chance.below(100_000)} };\n`;
  }
  return text.slice(0, length);
}

const SESSION = '3f0c1a52-0000-4000-8000-000000000001';
const START = Date.parse('2026-10-05T08:00:00.000Z');

/** Most results are short, some are files of some tens of kB, a few are logs of hundreds. */
function resultLength(chance: Chance, kind: FileKind): number {
  if (kind === 'small') return 40 + chance.below(300);
  const roll = chance.below(1_000);
  if (roll < 500) return 80 + chance.below(2_000);
  if (roll < 900) return 2_000 + chance.below(12_000);
  if (roll < 990) return 12_000 + chance.below(30_000);
  return 60_000 + chance.below(150_000);
}

class Writer {
  readonly #fd: number;
  readonly #chance = new Chance(20_261_201);
  readonly #texts: readonly string[];
  readonly kind: FileKind;
  #parts: string[] = [];
  #held = 0;
  #at = START;
  #parent: string | null = null;
  #ids = 0;
  bytes = 0;
  lines = 0;
  calls = 0;

  constructor(fd: number, kind: FileKind) {
    this.#fd = fd;
    this.kind = kind;
    // Results are pieces of these: making each anew would take longer than reading it.
    this.#texts = Array.from({ length: 8 }, () => codeLike(this.#chance, 260_000));
  }

  #line(value: object): void {
    const text = `${JSON.stringify(value)}\n`;
    this.#parts.push(text);
    // Nothing but ASCII is made.
    this.#held += text.length;
    this.bytes += text.length;
    this.lines++;
    if (this.#held > 4_000_000) this.flush();
  }

  flush(): void {
    writeSync(this.#fd, this.#parts.join(''));
    this.#parts = [];
    this.#held = 0;
  }

  #piece(length: number): string {
    const text = this.#texts[this.#chance.below(this.#texts.length)] ?? '';
    const from = this.#chance.below(text.length - length);
    return text.slice(from, from + length);
  }

  #id(): string {
    return (++this.#ids).toString(16).padStart(8, '0');
  }

  #entry(type: string, more: object, parent = this.#parent): string {
    const uuid = `${this.#id()}-1111-4222-8333-444444444444`;
    this.#at += 1 + this.#chance.below(1_200);
    this.#line({
      parentUuid: parent,
      isSidechain: false,
      userType: 'external',
      cwd: '/home/dev/shop',
      sessionId: SESSION,
      version: '2.1.92',
      gitBranch: 'main',
      type,
      ...more,
      uuid,
      timestamp: new Date(this.#at).toISOString(),
    });
    this.#parent = uuid;
    return uuid;
  }

  /** One prompt and a few answers with their calls. */
  turn(): void {
    this.#line({ type: 'file-history-snapshot', messageId: this.#id(), snapshot: { trackedFileBackups: {} } });
    this.#entry('user', { message: { role: 'user', content: `Next: ${this.#piece(200)}` } });
    const answers = 8 + this.#chance.below(30);
    for (let i = 0; i < answers; i++) this.#answer();
    this.#entry('system', { subtype: 'turn_duration', durationMs: 60_000 });
  }

  #answer(): void {
    const id = `msg_${this.#id()}`;
    const message = (block: object) => ({
      message: {
        id,
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-4-6',
        content: [block],
        stop_reason: 'tool_use',
        usage: {
          input_tokens: 12,
          output_tokens: 200,
          cache_read_input_tokens: 60_000,
          cache_creation_input_tokens: 900,
        },
      },
      requestId: `req_${id}`,
    });
    if (this.#chance.below(10) < 6) {
      this.#entry('assistant', message({ type: 'text', text: this.#piece(120 + this.#chance.below(600)) }));
    }
    const roll = this.#chance.below(100);
    const count = roll < 70 ? 1 : roll < 88 ? 2 : roll < 96 ? 3 : 5;
    const calls = Array.from({ length: count }, () => {
      const id = `toolu_${this.#id()}`;
      const tool = ['Read', 'Bash', 'Grep', 'Edit'][this.#chance.below(4)] ?? 'Read';
      const input = inputOf(tool, this.#piece(80 + this.#chance.below(200)), this.#ids);
      return { id, tool, uuid: this.#entry('assistant', message({ type: 'tool_use', id, name: tool, input })) };
    });
    for (const { id, tool, uuid } of calls) this.#result(id, tool, uuid);
  }

  #result(callId: string, tool: string, parent: string): void {
    const text = this.#piece(resultLength(this.#chance, this.kind));
    const content = [{ tool_use_id: callId, type: 'tool_result', content: text, is_error: false }];
    const more = { message: { role: 'user', content }, toolUseResult: twinOf(tool, text) };
    this.#entry('user', { ...more, sourceToolAssistantUUID: parent }, parent);
    this.calls++;
  }
}

function inputOf(tool: string, piece: string, n: number): object {
  const path = `/home/dev/shop/src/part-${n % 400}.ts`;
  if (tool === 'Bash') return { command: `grep -c value src/part-${n % 400}.ts`, description: 'Count values' };
  if (tool === 'Grep') return { pattern: piece.slice(0, 20).trim(), path: 'src' };
  if (tool === 'Edit') return { file_path: path, old_string: piece, new_string: piece.toUpperCase() };
  return { file_path: path };
}

function twinOf(tool: string, text: string): object {
  if (tool === 'Bash') return { stdout: text, stderr: '', interrupted: false, isImage: false };
  if (tool === 'Grep') return { mode: 'content', numFiles: 0, filenames: [], content: text, numLines: 20 };
  if (tool === 'Edit')
    return { filePath: '/home/dev/shop/src/part.ts', oldString: 'a', newString: 'b', originalFile: text };
  return {
    type: 'text',
    file: { filePath: '/home/dev/shop/src/part.ts', content: text, numLines: 90, startLine: 1, totalLines: 90 },
  };
}

/** Writes a transcript as Claude Code does, of at least so many bytes. The same bytes each time. */
export function makeTranscript(path: string, kind: FileKind, atLeast: number): MadeFile {
  const fd = openSync(path, 'w');
  try {
    const writer = new Writer(fd, kind);
    while (writer.bytes < atLeast) writer.turn();
    writer.flush();
    return { bytes: writer.bytes, lines: writer.lines, calls: writer.calls };
  } finally {
    closeSync(fd);
  }
}
