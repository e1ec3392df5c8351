/**
 * IP addresses as texts: the one canonical form of an address, the check of a network such as `10.0.0.0/8`, and the
 * addresses that only the own machine can reach. Nothing here opens a socket or resolves a name.
 */

const GROUPS = 8;
const MAPPED_PREFIX = [0, 0, 0, 0, 0, 0xffff];

/** The four bytes of an IPv4 address in decimal, without leading zeros; `undefined` for any other text. */
function bytesOf(text: string): number[] | undefined {
  if (!/^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}$/.test(text)) return undefined;
  const bytes = text.split('.').map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : undefined;
}

/**
 * The groups of a run without `::`; an IPv4 address may stand for the last two. `undefined` for text that is not such a
 * run.
 */
function runOf(text: string): number[] | undefined {
  if (text === '') return [];
  const words = text.split(':');
  const last = words.at(-1) ?? '';
  const bytes = last.includes('.') ? bytesOf(last) : [];
  if (bytes === undefined) return undefined;
  if (bytes.length > 0) words.pop();
  if (!words.every((word) => /^[\da-f]{1,4}$/i.test(word))) return undefined;
  const groups = words.map((word) => Number.parseInt(word, 16));
  const [a, b, c, d] = bytes;
  if (a !== undefined && b !== undefined && c !== undefined && d !== undefined) groups.push(a * 256 + b, c * 256 + d);
  return groups;
}

/** The eight groups of 16 bits of an IPv6 address without a zone; `undefined` for any other text. */
export function groupsOf(text: string): readonly number[] | undefined {
  const [before = '', after, ...rest] = text.split('::');
  const head = runOf(before);
  if (head === undefined || rest.length > 0) return undefined;
  if (after === undefined) return head.length === GROUPS ? head : undefined;
  const tail = before.includes('.') ? undefined : runOf(after);
  if (tail === undefined || head.length + tail.length >= GROUPS) return undefined;
  return [...head, ...Array.from({ length: GROUPS - head.length - tail.length }, () => 0), ...tail];
}

/**
 * An IP address in the one form in which two texts of the same address are the same text; an IPv4 address inside an
 * IPv6 one is that IPv4 address. `undefined` for text that is not an address, or has a zone or a port. Source: RFC
 * 5952.
 */
export function canonicalAddress(text: string): string | undefined {
  if (bytesOf(text) !== undefined) return text;
  const groups = groupsOf(text);
  if (groups === undefined) return undefined;
  const [high = 0, low = 0] = groups.slice(6);
  if (MAPPED_PREFIX.every((group, i) => groups[i] === group))
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return shortForm(groups);
}

/** Hexadecimal groups, with `::` for the first of the longest runs of at least two zeros. */
function shortForm(groups: readonly number[]): string {
  let start = 0;
  let length = 1;
  for (let from = 0; from < GROUPS; from += 1) {
    let to = from;
    while (to < GROUPS && groups[to] === 0) to += 1;
    if (to - from > length) [start, length] = [from, to - from];
  }
  const words = groups.map((group) => group.toString(16));
  if (length === 1) return words.join(':');
  return `${words.slice(0, start).join(':')}::${words.slice(start + length).join(':')}`;
}

/** True for an IP address, or a network of them: an address, a slash, and how many bits its addresses share. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const most = bytesOf(address) !== undefined ? 32 : groupsOf(address) !== undefined ? 128 : -1;
  if (most < 0 || rest.length > 0) return false;
  return bits === undefined || (/^(0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= most);
}

/** True for an IP address that only its own machine can reach. */
export function isLoopbackAddress(text: string): boolean {
  const address = canonicalAddress(text);
  return address !== undefined && (address === '::1' || address.startsWith('127.'));
}
