import { readFile, realpath } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { protocol } from 'electron';

const SCHEME = 'gantry';
export const APP_ORIGIN = `${SCHEME}://app`;
export const APP_URL = `${APP_ORIGIN}/index.html`;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
};

/**
 * What a page of ours may load and run. The same stands in `index.html`, for the development server; a header holds for
 * every answer and may also forbid that the page is framed.
 */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Has to be called before the app is ready. */
export function declareScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/**
 * Serves the built renderer from its folder and nothing else: a page from a scheme of its own has no access to
 * `file:`. @param folder absolute.
 */
export function serveRenderer(folder: string): void {
  protocol.handle(SCHEME, async ({ url, method }) => {
    const file = method === 'GET' ? await fileFor(url, folder) : undefined;
    if (file === undefined) return answer('not found', 404, 'text/plain');
    return answer(new Uint8Array(file.bytes), 200, TYPES[extname(file.path)] ?? 'application/octet-stream');
  });
}

/** The file an address stands for, or undefined where it is none of the folder's. Never throws. */
export async function fileFor(
  url: string,
  folder: string,
): Promise<{ readonly path: string; readonly bytes: Buffer } | undefined> {
  try {
    const { host, pathname, protocol: scheme } = new URL(url);
    const path = normalize(join(folder, decodeURIComponent(pathname)));
    if (scheme !== `${SCHEME}:` || host !== 'app' || !path.startsWith(folder + sep)) return undefined;
    // A link in the folder that leads out of it is no file of the folder.
    const [real, root] = await Promise.all([realpath(path), realpath(folder)]);
    if (!real.startsWith(root + sep)) return undefined;
    return { path, bytes: await readFile(real) };
  } catch {
    return undefined;
  }
}

const answer = (body: string | Uint8Array<ArrayBuffer>, status: number, type: string): Response =>
  new Response(body, {
    status,
    headers: {
      'content-type': type,
      'content-security-policy': CONTENT_POLICY,
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
    },
  });
