/**
 * V8 throws code away once no object of a kind that the code was compiled for is left. A service always has books, and
 * so has any program with nodejs-order-book, but a benchmark throws the books of each round away.
 */
const kept = new Map<string, object>();

/** Keeps the first book of a program, by its name, while this process runs. */
export function keepFirst(program: string, book: object): void {
  if (!kept.has(program)) kept.set(program, book);
}
