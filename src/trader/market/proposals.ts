/** The instruments that a trader may have meant by a name that there is not. */

import type { InstrumentName } from '../../../client/src/instrument.ts';
import type { Sauda } from '../../../client/src/sauda.ts';

const MOST = 5;
/** Letters that a mistyped name has right at its beginning. */
const FIRST_LETTERS = 3;
const SERIES = /-[A-Z0-9]{1,2}$/;
/**
 * A contract as other vendors name it, NIFTY26DEC24800CE or NIFTY26DECFUT, or as we do: the underlying, the month, then
 * the strike and the type in either order, or that it is a future.
 */
const CONTRACT = /^([A-Z&-]+)\d+([A-Z]{3})\d*?(?:(\d+)([CP])E|([CP])(\d+)|F(?:UT)?)$/;

/** At most five, the likeliest first; none when nothing is like it. */
export async function proposals(sauda: Sauda, typed: InstrumentName): Promise<readonly InstrumentName[]> {
  const words = contractWords(typed.tradingSymbol);
  const contracts = words === undefined ? [] : await sauda.market.search(words);
  return (contracts.length > 0 ? contracts : await alike(sauda, typed)).slice(0, MOST);
}

/** The words that find a contract, whatever form it is named in; `undefined` for what is named as no contract is. */
export function contractWords(symbol: string): string | undefined {
  const parts = CONTRACT.exec(symbol);
  if (parts === null) return undefined;
  const [, underlying, month, strikeFirst, typeLast, typeFirst, strikeLast] = parts;
  const [strike, type] = [strikeFirst ?? strikeLast, typeLast ?? typeFirst];
  return `${underlying} ${month} ${strike === undefined ? 'FUT' : `${strike} ${type}E`}`;
}

/** Names that begin alike, the nearest first; of the exchange alone when it has any. */
async function alike(sauda: Sauda, { exchange, tradingSymbol }: InstrumentName): Promise<readonly InstrumentName[]> {
  const stem = tradingSymbol.replace(SERIES, '');
  const all = await beginningAs(sauda, stem);
  const near = all.filter((row) => row.exchange === exchange);
  const apart = (row: InstrumentName): number => editDistance(stem, row.tradingSymbol.replace(SERIES, ''));
  return (near.length > 0 ? near : all).sort((a, b) => apart(a) - apart(b));
}

/** The rows of the longest beginning of a name that has any, of two letters at least, and those of its first three. */
async function beginningAs(sauda: Sauda, stem: string): Promise<InstrumentName[]> {
  for (let length = stem.length; length >= 2; length -= 1) {
    const longest = await sauda.market.search(stem.slice(0, length));
    if (longest.length === 0) continue;
    const more = length > FIRST_LETTERS ? await sauda.market.search(stem.slice(0, FIRST_LETTERS)) : [];
    return [...new Map([...longest, ...more].map((row) => [`${row.exchange} ${row.tradingSymbol}`, row])).values()];
  }
  return [];
}

/** How many letters must be put in, left out, changed or swapped with the next one to make one text of the other. */
export function editDistance(one: string, other: string): number {
  let [before, last] = [[] as number[], Array.from({ length: other.length + 1 }, (_, place) => place)];
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const change = (last[j - 1] as number) + Number(one[i - 1] !== other[j - 1]);
      let least = Math.min((last[j] as number) + 1, (row[j - 1] as number) + 1, change);
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (isSwap) least = Math.min(least, (before[j - 2] as number) + 1);
      row.push(least);
    }
    [before, last] = [last, row];
  }
  return last[other.length] as number;
}
