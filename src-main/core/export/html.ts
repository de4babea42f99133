import type { ExportTheme } from '../../../src-shared/export/formats.ts';
import type { SessionEvent } from '../../../src-shared/session/event.ts';
import type { ExportInput } from './session.ts';
import { xml } from './svg-shapes.ts';

/** Where the built page (`scripts/build-viewer.mjs`) takes the session. */
const SESSION_MARK = '<!--gantry:session-->';
const EVENTS_PER_PIECE = 1_000;

/**
 * A page that stands for itself: the built viewer with the session in it. Nothing of a session can leave its element:
 * in JSON a `<` may as well be written as an escape.
 * @param page the text of `out/viewer/viewer.html`.
 */
export function* exportHtml(input: ExportInput, page: string, theme: ExportTheme): Iterable<string> {
  const at = page.indexOf(SESSION_MARK);
  if (at < 0) throw new Error('the page of the viewer has no place for a session');
  const title = xml(input.state.title || 'Session');
  yield page
    .slice(0, at)
    .replace(
      /<title>[^<]*<\/title>/,
      () => `<title>${title}</title>\n    <meta name="generator" content="${xml(input.generator)}" />`,
    )
    .replace('data-choice="system"', () => `data-choice="${theme}"`);
  let piece: string[] = [];
  for (const event of input.events) {
    if (!isShown(event)) continue;
    piece.push(inScript(JSON.stringify(event)));
    if (piece.length < EVENTS_PER_PIECE) continue;
    yield element(piece);
    piece = [];
  }
  yield element(piece);
  yield page.slice(at + SESSION_MARK.length);
}

/** Pieces of blocks are told again by the whole blocks. */
const isShown = ({ type }: SessionEvent): boolean => type !== 'block-growing';

const inScript = (json: string): string =>
  json.replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');

const element = (events: readonly string[]): string =>
  `<script type="application/json" data-events>[${events.join(',\n')}]</script>\n`;
