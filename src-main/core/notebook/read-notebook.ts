import { z } from 'zod';
import type { ContentBlock } from '../../../src-shared/tool-call/content.ts';
import { imageTrouble, imageTypeOf } from '../images/image-facts.ts';
import { cutText } from '../results/texts.ts';

const MOST_CHARACTERS = 100_000;
const MOST_OUTPUT_CHARACTERS = 10_000;
const MOST_IMAGES = 10;

/** Text stands in a notebook as one string or as its lines. */
const Lines = z
  .union([z.string(), z.array(z.string())])
  .transform((text) => (typeof text === 'string' ? text : text.join('')));

const Output = z.object({
  output_type: z.string(),
  text: Lines.optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  ename: z.string().optional(),
  evalue: z.string().optional(),
  traceback: z.array(z.string()).optional(),
});
type Output = z.output<typeof Output>;

export const NotebookCell = z.object({
  cell_type: z.string(),
  id: z.string().optional(),
  source: Lines,
  execution_count: z.number().nullable().optional(),
  outputs: z.array(Output).optional(),
});
type Cell = z.output<typeof NotebookCell>;

const Notebook = z.object({
  cells: z.array(NotebookCell),
  metadata: z
    .object({ language_info: z.object({ name: z.string().optional() }).optional() })
    .optional()
    .catch(undefined),
});

/**
 * The cells of a notebook with their outputs, pictures as pictures. Numbers count from 0, as NotebookEdit takes them.
 * Undefined when the text is no notebook.
 */
export function readNotebook(text: string): readonly ContentBlock[] | undefined {
  const notebook = Notebook.safeParse(parsed(text));
  if (!notebook.success) return undefined;
  const { cells, metadata } = notebook.data;
  const pen = new Pen();
  const language = metadata?.language_info?.name;
  pen.write(
    `(${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}${language === undefined ? '' : `, ${language}`})`,
  );
  for (const [number, cell] of cells.entries()) {
    if (pen.isFull) {
      pen.write(`(${cells.length - number} more cells are left out. Read the file with offset and limit to see them.)`);
      break;
    }
    writeCell(pen, number, cell);
  }
  return pen.blocks();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

function writeCell(pen: Pen, number: number, { cell_type, id, source, execution_count, outputs }: Cell): void {
  const facts = [
    `number="${number}"`,
    ...(id === undefined ? [] : [`id="${id}"`]),
    `type="${cell_type}"`,
    ...(typeof execution_count === 'number' ? [`run="${execution_count}"`] : []),
  ];
  pen.write(`<cell ${facts.join(' ')}>`);
  pen.write(cutText(source, MOST_CHARACTERS, '… [source cut]'));
  pen.write('</cell>');
  for (const output of outputs ?? []) writeOutput(pen, output);
}

function writeOutput(pen: Pen, output: Output): void {
  const { output_type, text, data = {}, ename = 'Error', evalue = '', traceback = [] } = output;
  if (output_type === 'stream') pen.writeOutput(text ?? '');
  else if (output_type === 'error') pen.writeOutput([`${ename}: ${evalue}`, ...traceback].join('\n'));
  else writeData(pen, data);
}

/** The richest form that a model can see: a picture, else text. */
function writeData(pen: Pen, data: Readonly<Record<string, unknown>>): void {
  const picture = Object.keys(data).find((type) => /^image\/(?:png|jpeg|gif|webp)$/.test(type));
  if (picture !== undefined) {
    pen.draw(linesOf(data[picture]) ?? '');
    return;
  }
  const shown = linesOf(data['text/plain']) ?? linesOf(data['text/markdown']) ?? linesOf(data['text/html']);
  if (shown !== undefined) pen.writeOutput(shown);
  else pen.writeOutput(`(output of type ${Object.keys(data).join(', ') || 'unknown'})`);
}

const linesOf = (value: unknown): string | undefined => Lines.safeParse(value).data;

const ESCAPE = String.fromCharCode(27);
const COLOURS = new RegExp(`${ESCAPE}\\[[0-9;]*m`, 'g');

/** Gathers text until a picture comes between. */
class Pen {
  readonly #blocks: ContentBlock[] = [];
  #text: string[] = [];
  #characters = 0;
  #images = 0;

  get isFull(): boolean {
    return this.#characters >= MOST_CHARACTERS;
  }

  write(text: string): void {
    this.#text.push(text);
    this.#characters += text.length;
  }

  writeOutput(text: string): void {
    const clean = text.replace(COLOURS, '').replace(/\s+$/, '');
    this.write(`<output>\n${cutText(clean, MOST_OUTPUT_CHARACTERS, '… [output cut]')}\n</output>`);
  }

  draw(base64: string): void {
    const data = base64.replace(/\s/g, '');
    const bytes = Buffer.from(data, 'base64');
    const mediaType = imageTypeOf(bytes);
    const trouble =
      mediaType === undefined
        ? 'it is no picture'
        : this.#images >= MOST_IMAGES
          ? `there are more than ${MOST_IMAGES}`
          : imageTrouble(bytes);
    if (mediaType === undefined || trouble !== undefined) {
      this.writeOutput(`(picture left out: ${trouble})`);
      return;
    }
    this.#images++;
    this.write('<output>');
    this.#flush();
    this.#blocks.push({ type: 'image', mediaType, data: bytes.toString('base64') });
    this.write('</output>');
  }

  #flush(): void {
    if (this.#text.length > 0) this.#blocks.push({ type: 'text', text: this.#text.join('\n') });
    this.#text = [];
  }

  blocks(): readonly ContentBlock[] {
    this.#flush();
    return this.#blocks;
  }
}
