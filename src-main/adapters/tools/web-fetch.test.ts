import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { millis } from '../../../src-shared/units.ts';
import { ManualClock } from '../../ports/clock.fake.ts';
import type { AnyTool } from '../../ports/tool.ts';
import { documentsHere } from '../documents/jobs.ts';
import { pdfOf } from '../documents/pdf.fixture.ts';
import { webFetchTool } from './web-fetch.ts';
import { Workbench } from './workbench.fixture.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
const routes = new Map<string, Handler>();
const seen: string[] = [];
let server: Server;
let port: number;
let bench: Workbench;
let clock: ManualClock;
let names: Record<string, readonly string[]>;
let resolved: string[];
let allowPrivate: string[];
let tool: AnyTool;

beforeEach(async () => {
  routes.clear();
  seen.length = 0;
  server = createServer((request, response) => {
    seen.push(`${request.headers.host?.split(':')[0]} ${request.url}`);
    const handler = routes.get(request.url ?? '');
    if (handler !== undefined) handler(request, response);
    else response.writeHead(404, { 'content-type': 'text/plain' }).end('Nothing here.');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
  bench = new Workbench();
  clock = new ManualClock();
  names = { 'site.test': ['127.0.0.1'], 'other.test': ['127.0.0.1'] };
  resolved = [];
  allowPrivate = ['site.test', 'other.test'];
  tool = webFetchTool({
    documents: documentsHere,
    clock,
    allowPrivate: () => allowPrivate,
    resolve: async (host) => {
      resolved.push(host);
      return (names[host] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    },
  });
});
afterEach(async () => {
  bench.dispose();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const at = (path: string, host = 'site.test'): string => `http://${host}:${port}${path}`;
const serve = (path: string, type: string, body: string | Buffer, headers: Record<string, string> = {}): void => {
  routes.set(
    path,
    (_request, response) => void response.writeHead(200, { 'content-type': type, ...headers }).end(body),
  );
};
const fetched = async (url: string): Promise<string> => (await bench.run(tool, { url })).text;
const failure = async (url: string): Promise<string> => {
  const { ending, text } = await bench.run(tool, { url });
  expect(ending.isError).toBe(true);
  return text;
};

describe('what comes back', () => {
  test('HTML as Markdown, with links that lead somewhere', async () => {
    serve('/a/', 'text/html', '<title>Rules</title><h2>Tax</h2><p><a href="b">More</a></p>');
    expect(await fetched(at('/a/'))).toBe(
      `(${at('/a/')}, HTML as Markdown, 59B)\n# Rules\n\n## Tax\n\n[More](${at('/a/b')})`,
    );
  });

  test('text and JSON as they are, by type or by bytes', async () => {
    serve('/a.md', 'text/markdown; charset=utf-8', '# Hi\n');
    serve('/a.json', 'application/vnd.api+json', '{"a":1}');
    routes.set('/bare', (_request, response) => void response.end('only words'));
    expect(await fetched(at('/a.md'))).toContain('text/markdown, 5B)\n# Hi\n');
    expect(await fetched(at('/a.json'))).toContain('{"a":1}');
    expect(await fetched(at('/bare'))).toContain('only words');
  });

  test('text in the letters that the header or the page names', async () => {
    serve('/latin', 'text/plain; charset=ISO-8859-1', Buffer.from('caf\xe9', 'latin1'));
    serve('/meta', 'text/html', Buffer.from('<meta charset="windows-1252"><p>\x80 5</p>', 'latin1'));
    serve('/utf16', 'text/plain', Buffer.from('\uFEFFhi', 'utf16le'));
    serve('/odd', 'text/plain; charset=nonsense', 'ok');
    expect(await fetched(at('/latin'))).toContain('café');
    expect(await fetched(at('/meta'))).toContain('€ 5');
    expect(await fetched(at('/utf16'))).toMatch(/\nhi$/);
    expect(await fetched(at('/odd'))).toMatch(/\nok$/);
  });

  test('pictures as pictures, by what they are, and PDFs as text', async () => {
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000', 'hex');
    serve('/p', 'application/octet-stream', png);
    const { ending } = await bench.run(tool, { url: at('/p') });
    expect(tool.mapResult(ending.output).content[1]).toEqual({
      type: 'image',
      mediaType: 'image/png',
      data: png.toString('base64'),
    });
    serve('/a.pdf', 'application/pdf', pdfOf(['Cold days']));
    expect(await fetched(at('/a.pdf'))).toContain('--- Page 1 ---\nCold days');
  });

  test('packed bodies unpacked', async () => {
    serve('/gz', 'text/plain', gzipSync('packed'), { 'content-encoding': 'gzip' });
    serve('/br', 'text/plain', brotliCompressSync('packed'), { 'content-encoding': 'br' });
    expect(await fetched(at('/gz'))).toMatch(/\npacked$/);
    expect(await fetched(at('/br'))).toMatch(/\npacked$/);
    serve('/bad', 'text/plain', 'not packed', { 'content-encoding': 'gzip' });
    expect(await failure(at('/bad'))).toContain('could not be fetched: incorrect header check.');
  });

  test('nothing else', async () => {
    serve('/zip', 'application/zip', 'PK\x03\x04\0');
    serve('/bin', '', Buffer.from([1, 0, 2]));
    expect(await failure(at('/zip'))).toBe(`${at('/zip')} was fetched, but it is application/zip, which is no text.`);
    expect(await failure(at('/bin'))).toContain('it is binary, which is no text');
  });

  test('a long page cut, with a note; also one that unpacks to far more than it weighs', async () => {
    serve('/long', 'text/plain', 'x'.repeat(300_000));
    expect(await fetched(at('/long'))).toMatch(/x\n\n\(The page is longer; the rest was left out\.\)$/);
    serve('/bomb', 'text/plain', gzipSync(Buffer.alloc(80_000_000, 120)), { 'content-encoding': 'gzip' });
    const { ending } = await bench.run(tool, { url: at('/bomb') });
    expect(ending.output).toMatchObject({ type: 'page', bytes: 5 * 1024 * 1024 });
  });

  test('what a server says of a page that is not there, as an error', async () => {
    expect(await failure(at('/nope'))).toBe(`${at('/nope')} answered 404 Not Found.\nNothing here.`);
  });
});

describe('redirects', () => {
  const redirect = (path: string, to: string, status = 302): void => {
    routes.set(path, (_request, response) => void response.writeHead(status, { location: to }).end());
  };

  test('on the same host are followed, relative ones too', async () => {
    redirect('/1', '/2', 301);
    redirect('/2', at('/3'), 307);
    serve('/3', 'text/plain', 'there');
    expect(await fetched(at('/1'))).toContain(`(${at('/3')}, text/plain`);
  });

  test('to another host are told, not followed', async () => {
    redirect('/away', at('/secret', 'other.test'));
    expect(await fetched(at('/away'))).toBe(
      `${at('/away')} leads on to another host: ${at('/secret', 'other.test')}\nIf that is what you want, fetch it by this address.`,
    );
    expect(seen).toEqual(['site.test /away']);
  });

  test('without an end are given up', async () => {
    redirect('/round', '/round');
    expect(await failure(at('/round'))).toContain('more than 5 redirects');
    expect(seen).toHaveLength(6);
  });

  test.each([
    ['http://127.0.0.1:9/', '127.0.0.1 is an address of this machine'],
    ['http://169.254.169.254/latest/meta-data/', '169.254.169.254 is an address'],
    ['file:///etc/passwd', 'WebFetch fetches http and https, not file.'],
    ['http://user:pass@site.test/', 'holds a name or password'],
  ])('to %s are refused', async (to, words) => {
    redirect('/evil', to);
    const text = await failure(at('/evil'));
    expect(text).toContain(`${at('/evil')} leads on to ${to}.`);
    expect(text).toContain(words);
    expect(seen).toHaveLength(1);
  });
});

describe('addresses', () => {
  test.each([
    'http://localhost/',
    'https://localhost:8443/',
    'http://intern.test/',
    'http://both.test/',
    'http://six.test/',
    'http://cloud.test/',
  ])('%s leads to no public address and is not asked', async (url) => {
    names = {
      localhost: ['127.0.0.1'],
      'intern.test': ['192.168.1.9'],
      'both.test': ['93.184.216.34', '10.0.0.1'],
      'six.test': ['::ffff:127.0.0.1'],
      'cloud.test': ['169.254.169.254'],
    };
    expect(await failure(url)).toMatch(/leads to .*, which is an address of this machine or its network\./);
    expect(seen).toEqual([]);
  });

  test.each(['http://127.0.0.1/', 'http://[::1]/', 'http://2130706433/', 'http://0x7f.1/', 'http://169.254.169.254/'])(
    '%s is refused before anybody is asked',
    async (url) => {
      expect(await bench.refusal(tool, { url })).toContain('is an address of this machine or its network');
    },
  );

  test('a name is resolved once, and that address is connected to, whatever it says next', async () => {
    serve('/', 'text/plain', 'first answer');
    let asked = 0;
    const rebinding = webFetchTool({
      documents: documentsHere,
      clock,
      allowPrivate: () => ['rebind.test'],
      resolve: async () => [{ address: asked++ === 0 ? '127.0.0.1' : '192.0.2.1', family: 4 }],
    });
    expect((await bench.run(rebinding, { url: at('/', 'rebind.test') })).text).toContain('first answer');
    expect(asked).toBe(1);
  });

  test('a listed name does not open the addresses where clouds keep secrets', async () => {
    names['site.test'] = ['169.254.169.254'];
    expect(await failure(at('/'))).toContain('site.test leads to 169.254.169.254');
  });

  test('http becomes https, except where the host is listed', async () => {
    expect(await failure('http://public.test/x')).toContain(
      'https://public.test/x could not be fetched: public.test has no address',
    );
    allowPrivate = ['127.0.0.1'];
    expect(await failure('http://public.test/y')).toContain('https://public.test/y');
    serve('/', 'text/plain', 'listed');
    expect(await fetched(`http://127.0.0.1:${port}/`)).toContain('listed');
  });
});

describe('limits', () => {
  test('the same page again within 15 minutes comes from the cache', async () => {
    serve('/a', 'text/plain', 'one');
    await fetched(at('/a'));
    serve('/a', 'text/plain', 'two');
    clock.advance(millis(14 * 60_000));
    expect(await fetched(at('/a#part'))).toBe(`(${at('/a')}, text/plain, 3B, fetched earlier)\none`);
    clock.advance(millis(2 * 60_000));
    expect(await fetched(at('/a'))).toMatch(/two$/);
    expect(seen).toHaveLength(2);
  });

  test('a server that does not answer is given up, and a call that is stopped stops', async () => {
    const asked = new Promise<void>((resolve) => routes.set('/slow', () => resolve()));
    const slow = failure(at('/slow'));
    await asked;
    clock.advance(millis(30_000));
    expect(await slow).toContain('It took longer than 30 s.');

    const again = new Promise<void>((resolve) => routes.set('/slow', () => resolve()));
    const stop = new AbortController();
    const stopped = bench.run(tool, { url: at('/slow') }, stop.signal);
    await again;
    stop.abort('escape');
    await expect(stopped).rejects.toBe('escape');
  });

  test('a body that never ends is cut by the time too', async () => {
    const asked = new Promise<void>((resolve) =>
      routes.set('/drip', (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' }).write('a little');
        resolve();
      }),
    );
    const drip = failure(at('/drip'));
    await asked;
    clock.advance(millis(30_000));
    expect(await drip).toContain('It took longer than 30 s.');
  });

  test('a name server that does not answer holds nothing up', async () => {
    let asked: () => void = () => undefined;
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const deaf = webFetchTool({
      documents: documentsHere,
      clock,
      allowPrivate: () => [],
      resolve: () => {
        asked();
        return new Promise(() => undefined);
      },
    });
    const waiting = bench.run(deaf, { url: 'https://deaf.test/' });
    await isAsked;
    clock.advance(millis(30_000));
    expect((await waiting).text).toContain('It took longer than 30 s.');
  });

  test('a host that refuses is said in words', async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(await failure(at('/'))).toContain('Nobody answers there.');
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  });
});

test.each([
  ['nonsense', 'nonsense is no URL'],
  ['ftp://x.example/', 'not ftp'],
  ['https://me:secret@x.example/', 'holds a name or password'],
])('%s is refused in words', async (url, words) => {
  expect(await bench.refusal(tool, { url })).toContain(words);
});

test('the rule that is proposed names the domain, and nothing is allowed by itself', async () => {
  const input = { url: 'https://Docs.Example.com./a?b' };
  expect(tool.suggestRule(input)).toBe('WebFetch(domain:docs.example.com)');
  expect((await tool.checkPermissions(input, bench.context)).verdict).toBe('pass');
  expect(tool.summarise(input)).toBe('Docs.Example.com./a?b');
  expect(tool.isConcurrencySafe(input)).toBe(true);
  expect(tool.interruptBehavior(input)).toBe('cancel');
});
