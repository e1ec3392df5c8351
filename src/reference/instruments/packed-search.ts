/**
 * Search by words over indices and shares, packed into one string, and the ranks of matches. Contracts are found by
 * `contracts/contract-search.ts` with the same ranks. The order of the answer is made in `master.ts`.
 */

/**
 * How well an instrument matches, best first. Named are those whose symbol is one of several words: all that RELIANCE
 * FUT asks for are futures of RELIANCE, whatever else holds both words. Source: contract W12.
 */
export const MATCH_RANKS = { exact: 0, prefix: 1, namedWord: 2, namedSubstring: 3, word: 4, substring: 5 } as const;
export const RANK_COUNT = 6;
const NAMED_LIFT = MATCH_RANKS.word - MATCH_RANKS.namedWord;

const RECORD = '\n';
const FIELD = '\t';

/** A search text as it is matched: upper case, single spaces, and its words. */
export interface SearchQuery {
  readonly text: string;
  /** Each of its words once: a short text can repeat one often. */
  readonly words: readonly string[];
}

/** A record to search in: upper case or not. */
export interface SearchedRecord {
  /** A share's without its series. */
  readonly symbol: string;
  /** The texts that a word may be found in, the trading symbol first. */
  readonly fields: readonly string[];
}

/** `undefined` for a text without words. */
export function searchQuery(text: string): SearchQuery | undefined {
  const words = text
    .toUpperCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return words.length === 0 ? undefined : { text: words.join(' '), words: [...new Set(words)] };
}

/**
 * By how many ranks the words of a query count for more in what has that upper-case symbol; 0 when none of several
 * words is the symbol.
 */
export function namedLift({ words }: SearchQuery, symbol: string): number {
  return words.length > 1 && words.includes(symbol) ? NAMED_LIFT : 0;
}

/**
 * Records of upper-case fields in one string, the trading symbol first. A search is one scan for the longest word; the
 * other words are looked for where that one was found.
 */
export class PackedSearch {
  private readonly packed: string;
  /** Where each record begins; one more for the end. */
  private readonly starts: Uint32Array;
  private readonly symbols: readonly string[];

  constructor(records: readonly SearchedRecord[]) {
    this.symbols = records.map(({ symbol }) => symbol.toUpperCase());
    this.starts = new Uint32Array(records.length + 1);
    const parts: string[] = [];
    let length = 0;
    records.forEach(({ fields }, index) => {
      this.starts[index] = length;
      const part = `${RECORD}${FIELD}${fields.join(FIELD).toUpperCase()}${FIELD}`;
      parts.push(part);
      length += part.length;
    });
    this.starts[records.length] = length;
    this.packed = parts.join('');
  }

  /**
   * The numbers of the records that match every word, by rank, in the order of the records: of all of them the first
   * `limit` at least, of one rank at most.
   */
  search(query: SearchQuery, limit: number): number[][] {
    const found: number[][] = Array.from({ length: RANK_COUNT }, () => []);
    const driver = query.words.reduce((longest, word) => (word.length > longest.length ? word : longest));
    const exact = new Set(this.recordsWith(`${FIELD}${query.text}${FIELD}`));
    found[MATCH_RANKS.exact] = [...exact].slice(0, limit);
    const hasRoom = (rank: number) => (found[rank]?.length ?? 0) < limit;
    for (const record of this.recordsWith(driver)) {
      if (exact.has(record)) continue;
      // Exact matches are all known by now: with a full list of prefix matches after them nothing else is answered.
      if (!hasRoom(MATCH_RANKS.prefix)) break;
      const rank = this.rankOf(record, query, hasRoom);
      if (rank !== undefined && hasRoom(rank)) found[rank]?.push(record);
    }
    return found;
  }

  /**
   * The rank of a record that is not exact; one that is worse than a prefix only while the best that it can have has
   * room, since what is behind it is then not answered.
   */
  private rankOf(record: number, query: SearchQuery, hasRoom: (rank: number) => boolean): number | undefined {
    const start = this.startOf(record);
    if (this.packed.startsWith(query.text, start + RECORD.length + FIELD.length)) return MATCH_RANKS.prefix;
    const lift = namedLift(query, this.symbols[record] ?? '');
    if (!hasRoom(MATCH_RANKS.word - lift)) return undefined;
    const rank = wordsRank(this.packed.slice(start, this.startOf(record + 1)), query.words);
    return rank === undefined ? undefined : rank - lift;
  }

  /** The records that hold a text, ascending. */
  private *recordsWith(text: string): Generator<number> {
    let record = 0;
    for (let at = this.packed.indexOf(text); at >= 0; at = this.packed.indexOf(text, this.startOf(record + 1))) {
      while (this.startOf(record + 1) <= at) record += 1;
      yield record;
    }
  }

  private startOf(record: number): number {
    return this.starts[record] ?? this.packed.length;
  }
}

/** The worst rank over all words; `undefined` when one is not in the text. */
function wordsRank(text: string, words: readonly string[]): number | undefined {
  let worst: number = MATCH_RANKS.word;
  for (const word of words) {
    const rank = wordRank(text, word);
    if (rank === undefined) return undefined;
    if (rank > worst) worst = rank;
  }
  return worst;
}

/** Whether a text holds a word as a whole or as a part; `undefined` when it does not. */
export function wordRank(text: string, word: string): number | undefined {
  let rank: number | undefined;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isWordCharacter(text, at - 1) && !isWordCharacter(text, at + word.length)) return MATCH_RANKS.word;
    rank = MATCH_RANKS.substring;
  }
  return rank;
}

/** A letter or a digit of the upper-case texts; false outside the text. */
function isWordCharacter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90);
}
