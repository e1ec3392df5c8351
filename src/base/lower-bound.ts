/** The first place of [from, to) for which `isBelow` no longer holds, and `to` when it holds for all. */
export function lowerBound(from: number, to: number, isBelow: (place: number) => boolean): number {
  let low = from;
  let high = to;
  while (low < high) {
    // Places may be numbers of records, which do not stay below 2^31.
    const middle = Math.floor((low + high) / 2);
    if (isBelow(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
