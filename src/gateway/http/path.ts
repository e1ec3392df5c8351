const ABSOLUTE = /^https?:\/\/[^/?#]*/i;
const END_OF_PATH = /[?#]/;

/**
 * The path of a request's target: without a query, decoded, and without the scheme and host that a proxy's client
 * sends. `undefined` when the target is not a path, or not validly encoded.
 */
export function pathOf(target: string): string | undefined {
  const local = target.replace(ABSOLUTE, '');
  const end = local.search(END_OF_PATH);
  const path = end < 0 ? local : local.slice(0, end);
  if (!path.includes('%')) return path;
  try {
    return decodeURI(path);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
