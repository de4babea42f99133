import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Address } from './resolve-host.ts';

export type Got = {
  readonly status: number;
  readonly statusText: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** The body went on; what is over the limit was not taken. */
  readonly isCut: boolean;
};

export type GetOptions = {
  /** Where to connect, whatever the name's own addresses are by then. */
  readonly addresses: readonly Address[];
  /** Of the body, unpacked. */
  readonly mostBytes: number;
  readonly signal: AbortSignal;
  readonly userAgent: string;
};

/**
 * One GET request, without following anything.
 * @throws when nobody answers, the connection breaks, or the signal is aborted (its reason).
 */
export function get(url: URL, options: GetOptions): Promise<Got> {
  const { addresses, signal, userAgent } = options;
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => reject(signal.aborted ? signal.reason : error);
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
      // A connection of its own, so that none to another address is taken up again.
      agent: false,
      lookup: fixedLookup(addresses),
      signal,
      headers: {
        accept: 'text/markdown, text/html;q=0.9, text/plain;q=0.9, application/json;q=0.8, */*;q=0.5',
        'accept-encoding': 'gzip, deflate, br',
        'accept-language': 'en, *;q=0.5',
        'user-agent': userAgent,
      },
    });
    request.once('error', fail);
    request.once('response', (response) => {
      const { statusCode: status = 0, statusMessage: statusText = '', headers } = response;
      body(response, options.mostBytes).then(
        ({ bytes, isCut }) => {
          request.destroy();
          resolve({ status, statusText, headers, bytes, isCut });
        },
        (error: unknown) => {
          request.destroy();
          fail(error);
        },
      );
    });
    request.end();
  });
}

/** Answers what has been looked at, and never asks a name server. */
const fixedLookup =
  (addresses: readonly Address[]): LookupFunction =>
  (_host, options, callback) => {
    const [first] = addresses;
    if (options.all === true) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };

/** The body, unpacked, up to the limit. A small package that unpacks to gigabytes is cut there too. */
async function body(response: IncomingMessage, most: number): Promise<Pick<Got, 'bytes' | 'isCut'>> {
  const unpacker = unpackerOf(response.headers['content-encoding']);
  // How the two ends fare is told by the one that is read from.
  const stream = unpacker === undefined ? response : pipeline(response, unpacker, () => undefined);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const rest = most - size;
    chunks.push(chunk.length > rest ? chunk.subarray(0, rest) : chunk);
    size += chunk.length;
    if (size > most) {
      response.destroy();
      return { bytes: Buffer.concat(chunks), isCut: true };
    }
  }
  return { bytes: Buffer.concat(chunks), isCut: false };
}

function unpackerOf(encoding: string | undefined) {
  switch (encoding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      return undefined;
  }
}
