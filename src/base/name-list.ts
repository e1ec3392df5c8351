/** Beyond this number, names are counted. */
const MOST_NAMED = 10;

/** Names for one line of a log: the first ten, and how many there are beside them. */
export function nameList(names: readonly string[]): string {
  const named = names.slice(0, MOST_NAMED).join(', ');
  return names.length > MOST_NAMED ? `${named} and ${names.length - MOST_NAMED} more` : named;
}
