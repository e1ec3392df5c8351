/**
 * V8 throws code away once no object of a kind that the code was compiled for is left. A program that is measured, ours
 * or another, always has books or markets, but a benchmark throws those of each round away.
 */
const kept = new Map<string, object>();

/** Keeps the first object that is given under a name, while this process runs. */
export function keepFirst(name: string, object: object): void {
  if (!kept.has(name)) kept.set(name, object);
}
