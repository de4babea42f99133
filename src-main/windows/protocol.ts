import { readFile } from 'node:fs/promises';
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
  protocol.handle(SCHEME, async (request) => {
    const { host, pathname } = new URL(request.url);
    const path = normalize(join(folder, decodeURIComponent(pathname)));
    if (host !== 'app' || !path.startsWith(folder + sep)) return new Response('not found', { status: 404 });
    const bytes = await readFile(path).catch(() => undefined);
    if (bytes === undefined) return new Response('not found', { status: 404 });
    const type = TYPES[extname(path)] ?? 'application/octet-stream';
    return new Response(new Uint8Array(bytes), {
      headers: { 'content-type': type, 'x-content-type-options': 'nosniff' },
    });
  });
}
