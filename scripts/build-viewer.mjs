import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, loadConfigFromFile } from 'vite';
import { projectRoot, SetupError } from './process.mjs';

/** The most a page may weigh without its session (spec 6.4). */
const MOST_BYTES = 3_000_000;
/** `src-main/core/export/html.ts` puts the session here. */
const SESSION_MARK = '<!--gantry:session-->';

/**
 * Builds the page of exported HTML files as one file, `out/viewer/viewer.html`. Its policy lets run nothing but this one
 * script, by its hash, and asks nothing of any network.
 * @throws {SetupError} when it cannot be one file
 */
export async function buildViewer() {
  const loaded = await loadConfigFromFile(
    { command: 'build', mode: 'production' },
    join(projectRoot, 'viewer.vite.config.ts'),
    projectRoot,
  );
  if (loaded === null) throw new SetupError('viewer.vite.config.ts cannot be read.');
  // React's own development build would be taken where this variable says so.
  process.env.NODE_ENV = 'production';
  await build({ ...loaded.config, configFile: false });
  const folder = join(projectRoot, 'out', 'viewer');
  const script = asInline(await readFile(join(folder, 'viewer.js'), 'utf8'));
  const style = await readFile(join(folder, 'viewer.css'), 'utf8');
  if (/<\/style/i.test(style)) throw new SetupError('The style sheet of the viewer cannot stand inside of a page.');
  const page = pageOf(await readFile(join(folder, 'index.html'), 'utf8'), script, style);
  if (Buffer.byteLength(page) > MOST_BYTES) {
    throw new SetupError(`The viewer has ${Buffer.byteLength(page)} bytes, more than ${MOST_BYTES}.`);
  }
  await writeFile(join(folder, 'viewer.html'), page);
  for (const name of ['index.html', 'viewer.js', 'viewer.css']) await rm(join(folder, name), { force: true });
}

/** @param {string} script */
function asInline(script) {
  // Both could end or prolong the script element; in the texts they stand in they mean the same with a backslash.
  const text = script.replaceAll(/<\/(script)/gi, '<\\/$1').replaceAll('<!--', '<\\!--');
  if (/<script/i.test(text) && /<\\!--/.test(text)) return text.replaceAll(/<(script)/gi, '\\x3c$1');
  return text;
}

/**
 * @param {string} built the page as vite has written it
 * @param {string} script
 * @param {string} style
 */
function pageOf(built, script, style) {
  const hashOf = (/** @type {string} */ text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    'font-src data:',
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const head = `<meta http-equiv="Content-Security-Policy" content="${policy}" />`;
  const withoutLinks = built
    .replaceAll(/<script\b[^>]*src=[^>]*><\/script>/g, '')
    .replaceAll(/<link\b[^>]*rel="stylesheet"[^>]*>/g, '');
  // Functions: the texts hold `$&` and their like.
  return withoutLinks
    .replace('<meta charset="utf-8" />', (charset) => `${charset}\n    ${head}`)
    .replace('</head>', () => `<style>${style}</style>\n  </head>`)
    .replace('</body>', () => `${SESSION_MARK}<script type="module">${script}</script>\n  </body>`);
}
