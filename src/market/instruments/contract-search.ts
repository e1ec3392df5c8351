import type { Price } from '../../base/money.ts';
import type { EpochMs, IstDay } from '../../base/time.ts';
import type { Derivative, OptionType } from '../../core/instrument.ts';
import type { ContractSeries } from './contract-series.ts';
import { contractSymbolTail, formatStrike } from './contract-symbol.ts';
import { MATCH_RANKS, RANK_COUNT, type SearchQuery, wordRank } from './packed-search.ts';
import { expiryWord } from './representation-name.ts';

const NO_MATCH = 9;
const TYPES: readonly OptionType[] = ['CE', 'PE'];
const NO_SPLITS: readonly Split[] = [];

interface SearchedSeries {
  readonly series: ContractSeries;
  /** What every contract of the series can be found by. */
  readonly text: string;
  /** The numbers of its strikes in the strike texts. */
  readonly strikes: Int32Array;
  readonly hasFuture: boolean;
}

/** A word whose first part ends the head of a trading symbol and whose rest begins its tail. */
interface Split {
  readonly head: string;
  readonly tail: string;
}

/** One word against one series: its rank there, and the splits that go on into the strikes. */
interface WordInSeries {
  readonly rank: number;
  readonly splits: readonly Split[];
  /** By strike number and type. */
  readonly tails: Uint8Array;
  readonly inFuture: number;
}

/**
 * Search over generated contracts. Their names are not stored: a word is matched against what a series has in common, against the
 * few thousand different strikes, and across the seam of the two in the trading symbol.
 */
export class ContractSearch {
  private readonly searched: SearchedSeries[] = [];
  private readonly strikeTexts: string[] = [];
  private readonly strikeValues: Price[] = [];
  private readonly numberOfStrike = new Map<Price, number>();

  /** `series` as they are live, in any order; `companyNameOf` tells the name of an underlying. */
  constructor(series: readonly ContractSeries[], day: IstDay, companyNameOf: (series: ContractSeries) => string) {
    const byExpiry = [...series].sort((a, b) => a.terms.life.expiryDay - b.terms.life.expiryDay);
    for (const one of byExpiry) {
      const { underlying, life } = one.terms;
      const expiry = expiryWord({ underlyingKind: underlying.kind, ...life });
      this.searched.push({
        series: one,
        text: `${one.symbolHead} ${underlying.symbol} ${expiry} ${companyNameOf(one)} ${one.nameHead}`.toUpperCase(),
        strikes: this.strikesOf(one, day),
        hasFuture: one.hasFutureOn(day),
      });
    }
  }

  /** At most `limit` contracts of each rank: nearest expiry first, the future before the options, by strike, call before put. */
  search(query: SearchQuery, limit: number, at: EpochMs): Derivative[][] {
    const found: Derivative[][] = Array.from({ length: RANK_COUNT }, () => []);
    const tails = {
      NFO: query.words.map((word) => this.tailRanks(word, 'NFO')),
      BFO: query.words.map((word) => this.tailRanks(word, 'BFO')),
    };
    const splits = {
      NFO: query.words.map((word) => splitsOf(word, 'NFO')),
      BFO: query.words.map((word) => splitsOf(word, 'BFO')),
    };
    for (const searched of this.searched) {
      if (!searched.series.isLive(at)) continue;
      const { exchange } = searched.series.terms.underlying;
      const words = query.words.map(
        (word, index): WordInSeries => ({
          rank: wordRank(searched.text, word) ?? NO_MATCH,
          splits: (splits[exchange][index] ?? NO_SPLITS).filter((split) =>
            searched.series.symbolHead.endsWith(split.head),
          ),
          tails: tails[exchange][index] as Uint8Array,
          inFuture: futureRank(searched.series, word),
        }),
      );
      this.searchSeries(searched, words, query, limit, found);
    }
    return found;
  }

  private searchSeries(
    searched: SearchedSeries,
    words: readonly WordInSeries[],
    query: SearchQuery,
    limit: number,
    found: Derivative[][],
  ): void {
    const { series, strikes } = searched;
    const { symbolHead } = series;
    if (searched.hasFuture) {
      const tail = contractSymbolTail(series.terms.underlying.exchange, undefined);
      const worst = words.reduce((rank, word) => Math.max(rank, Math.min(word.rank, word.inFuture)), 0);
      const bucket = found[wholeRank(symbolHead, tail, query.text, worst)];
      if (bucket && bucket.length < limit) bucket.push(series.future());
    }
    const whole = symbolHead.startsWith(query.text) || query.text.startsWith(symbolHead);
    if (!whole && found.every((bucket) => bucket.length >= limit)) return;
    for (const strike of strikes) {
      for (const type of TYPES) {
        let rank = this.worstRank(words, strike, type, series);
        if (rank === NO_MATCH) continue;
        if (whole) rank = wholeRank(symbolHead, this.tailAt(series, strike, type), query.text, rank);
        const bucket = found[rank];
        if (bucket && bucket.length < limit) bucket.push(series.optionOf(this.strikeValues[strike] as Price, type));
      }
    }
  }

  private worstRank(words: readonly WordInSeries[], strike: number, type: OptionType, series: ContractSeries): number {
    let worst: number = MATCH_RANKS.word;
    for (const word of words) {
      let rank = word.rank;
      if (rank > MATCH_RANKS.word) rank = Math.min(rank, word.tails[strike * 2 + (type === 'PE' ? 1 : 0)] as number);
      if (rank === NO_MATCH && word.splits.length > 0) {
        const tail = this.tailAt(series, strike, type);
        if (word.splits.some((split) => tail.startsWith(split.tail))) rank = MATCH_RANKS.substring;
      }
      if (rank === NO_MATCH) return NO_MATCH;
      if (rank > worst) worst = rank;
    }
    return worst;
  }

  /** The rank of a word in the tail of every strike and type, as a trading symbol and as separate words. */
  private tailRanks(word: string, exchange: 'NFO' | 'BFO'): Uint8Array {
    const ranks = new Uint8Array(this.strikeTexts.length * 2).fill(NO_MATCH);
    if (!/^[0-9.CPE]+$/.test(word)) return ranks;
    const justDigits = /^[0-9.]+$/.test(word);
    this.strikeTexts.forEach((strike, number) => {
      if (justDigits && !strike.includes(word)) return;
      for (const [at, type] of TYPES.entries()) {
        const tail = exchange === 'NFO' ? `${type.charAt(0)}${strike}` : `${strike}${type}`;
        ranks[number * 2 + at] = wordRank(`${tail} ${strike} ${type} ${type.charAt(0)}`, word) ?? NO_MATCH;
      }
    });
    return ranks;
  }

  private tailAt(series: ContractSeries, strike: number, type: OptionType): string {
    const text = this.strikeTexts[strike] as string;
    return series.terms.underlying.exchange === 'NFO' ? `${type.charAt(0)}${text}` : `${text}${type}`;
  }

  private strikesOf(series: ContractSeries, day: IstDay): Int32Array {
    const numbers: number[] = [];
    for (let index = 0; index < series.ladder.size; index += 1) {
      if (series.ladder.listedOnAt(index) <= day) numbers.push(this.numberOf(series.ladder.strikeAt(index)));
    }
    return Int32Array.from(numbers);
  }

  private numberOf(strike: Price): number {
    let number = this.numberOfStrike.get(strike);
    if (number === undefined) {
      number = this.strikeTexts.push(formatStrike(strike)) - 1;
      this.strikeValues.push(strike);
      this.numberOfStrike.set(strike, number);
    }
    return number;
  }
}

/** The rank of the whole query against a trading symbol, or else the rank of its words. */
function wholeRank(head: string, tail: string, query: string, rank: number): number {
  if (query.length <= head.length) return head.startsWith(query) ? MATCH_RANKS.prefix : rank;
  if (!query.startsWith(head)) return rank;
  const rest = query.slice(head.length);
  if (rest === tail) return MATCH_RANKS.exact;
  return tail.startsWith(rest) ? MATCH_RANKS.prefix : rank;
}

function futureRank(series: ContractSeries, word: string): number {
  const tail = contractSymbolTail(series.terms.underlying.exchange, undefined);
  return wordRank(`${series.symbolHead}${tail} FUT`, word) ?? NO_MATCH;
}

/** The ways to cut a word so that its rest can begin the tail of an option's trading symbol. */
function splitsOf(word: string, exchange: 'NFO' | 'BFO'): readonly Split[] {
  const rest = exchange === 'NFO' ? /^[CP][0-9.]*$/ : /^[0-9.]+(C|P|CE|PE)?$/;
  const splits: Split[] = [];
  for (let at = 1; at < word.length; at += 1) {
    if (rest.test(word.slice(at))) splits.push({ head: word.slice(0, at), tail: word.slice(at) });
  }
  return splits;
}
