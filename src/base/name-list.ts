/** Beyond this number, names are counted. */
export const MOST_NAMED = 10;

/** Names for one line of a log: the first ten, and how many there are beside them. `count` is that of all of them. */
export function nameList(names: readonly string[], count = names.length): string {
  const named = names.slice(0, MOST_NAMED).join(', ');
  return count > MOST_NAMED ? `${named} and ${count - MOST_NAMED} more` : named;
}
