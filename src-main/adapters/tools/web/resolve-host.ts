import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isAllowed, isPublic } from './addresses.ts';

export type Address = { readonly address: string; readonly family: number };
/** All addresses of a name, as the system knows them. */
export type Resolve = (host: string) => Promise<readonly Address[]>;

export const systemResolve: Resolve = (host) => lookup(host, { all: true });

/** A place that is not asked. The message says why, for the model. */
export class FetchRefused extends Error {
  override readonly name = 'FetchRefused';
}

/**
 * The addresses that a request to this URL may connect to. Every address of the name has to be public or allowed: a
 * name with a good and a bad one would be connected to by chance.
 * @throws FetchRefused when one is not; the resolver's error when there is none.
 */
export async function permittedAddresses(
  url: URL,
  deps: { readonly resolve: Resolve; readonly allowPrivate: readonly string[] },
): Promise<readonly Address[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  const addresses = family === 0 ? await deps.resolve(host) : [{ address: host, family }];
  if (addresses.length === 0) throw new Error(`${host} has no address`);
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const wrong = addresses.find(
    ({ address }) => !isPublic(address) && !isAllowed({ host, port, address }, deps.allowPrivate),
  );
  if (wrong === undefined) return addresses;
  const what = family === 0 ? `${host} leads to ${wrong.address}, which` : host;
  throw new FetchRefused(
    `${what} is an address of this machine or its network. WebFetch asks public addresses only; the person can allow more in their settings (webFetch.allowPrivate).`,
  );
}
