import { BlockList, isIP } from 'node:net';

/**
 * Addresses that are not of the public internet (IANA's special-purpose registries): this machine, its network, the
 * services that clouds tell secrets by, documentation, multicast.
 */
const SPECIAL_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
/** Of IPv6 only 2000::/3 is the internet; in it some parts are not. */
const SPECIAL_V6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const special = new BlockList();
for (const [net, prefix] of SPECIAL_V4) special.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of SPECIAL_V6) special.addSubnet(net, prefix, 'ipv6');
const internet = new BlockList();
internet.addSubnet('2000::', 3, 'ipv6');
/** Addresses of IPv4 in the clothes of IPv6: `::ffff:a.b.c.d`, and those that a gateway translates. */
const wrapped = new BlockList();
wrapped.addSubnet('::ffff:0:0', 96, 'ipv6');
wrapped.addSubnet('64:ff9b::', 96, 'ipv6');
/** Where machines of clouds ask for their secrets. A name that leads there leads there by no accident. */
const linkLocal = new BlockList();
linkLocal.addSubnet('169.254.0.0', 16, 'ipv4');
linkLocal.addSubnet('fe80::', 10, 'ipv6');
linkLocal.addAddress('fd00:ec2::254', 'ipv6');

/** May anybody be asked there? What is no address may not. */
export function isPublic(address: string): boolean {
  const plain = plainAddress(address);
  switch (isIP(plain)) {
    case 4:
      return !special.check(plain, 'ipv4');
    case 6:
      if (wrapped.check(plain, 'ipv6')) return isPublic(lastFour(plain));
      return internet.check(plain, 'ipv6') && !special.check(plain, 'ipv6');
    default:
      return false;
  }
}

/** Without brackets and without the name of a network card. */
const plainAddress = (address: string): string => address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');

/** The IPv4 address in the last 32 bits. */
function lastFour(address: string): string {
  const dotted = /(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  if (dotted !== undefined) return dotted;
  const [high = 0, low = 0] = address
    .split(':')
    .slice(-2)
    .map((group) => Number.parseInt(group === '' ? '0' : group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

const familyOf = (address: string): 'ipv4' | 'ipv6' | undefined =>
  isIP(address) === 4 ? 'ipv4' : isIP(address) === 6 ? 'ipv6' : undefined;

/**
 * Does a person's list allow what is not public? An entry is a name (`localhost`, `*.corp.example`), an address, or a
 * network (`10.1.0.0/16`), each with a port where it is for that one only. Link-local addresses, where clouds keep
 * secrets, are allowed by their address alone, never by a name that leads to them.
 */
export function isAllowed(
  target: { readonly host: string; readonly port: number; readonly address: string },
  entries: readonly string[],
): boolean {
  const address = plainAddress(target.address);
  const family = familyOf(address);
  const isSecretive = family === undefined || linkLocal.check(address, family);
  return entries.some((entry) => {
    const { name, port } = withoutPort(entry);
    if (port !== undefined && port !== target.port) return false;
    if (family !== undefined && coversAddress(name, address, family)) return true;
    return !isSecretive && coversName(name, target.host);
  });
}

/** Is the name itself on the list, wherever it leads? */
export const isListedName = (
  target: { readonly host: string; readonly port: number },
  entries: readonly string[],
): boolean =>
  entries.some((entry) => {
    const { name, port } = withoutPort(entry);
    return (port === undefined || port === target.port) && coversName(name, target.host);
  });

function withoutPort(entry: string): { readonly name: string; readonly port: number | undefined } {
  const [, bracketed, named, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(entry.trim()) ?? [];
  const name = bracketed ?? named;
  return name === undefined
    ? { name: entry.trim(), port: undefined }
    : { name, port: port === undefined ? undefined : Number(port) };
}

function coversAddress(entry: string, address: string, family: 'ipv4' | 'ipv6'): boolean {
  const [net = '', prefix] = entry.split('/');
  if (familyOf(net) !== family) return false;
  const list = new BlockList();
  const bits = prefix === undefined ? undefined : Number(prefix);
  if (bits === undefined) list.addAddress(net, family);
  else if (Number.isInteger(bits) && bits >= 0 && bits <= (family === 'ipv4' ? 32 : 128))
    list.addSubnet(net, bits, family);
  else return false;
  return list.check(address, family);
}

function coversName(entry: string, host: string): boolean {
  const name = (text: string): string => text.toLowerCase().replace(/\.$/, '');
  if (entry.startsWith('*.')) return name(host).endsWith(name(entry.slice(1)));
  return name(entry) === name(host);
}
