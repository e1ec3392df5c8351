/**
 * Search over contracts. Their names are not stored: a word is matched against the common text of a series, against
 * the few thousand different strikes, and across the seam of the two in the trading symbol. Indices and shares are
 * found by `packed-search.ts`.
 */
import type { Price } from '../../../base/money.ts';
import type { EpochMs, IstDay } from '../../../base/time.ts';
import type { OptionType } from '../../../core/instrument.ts';
import type { DerivativeExchange } from '../../rules/contract-cycles.ts';
import { type ListedSeries, OPTION_TYPES } from '../listed-series.ts';
import { MATCH_RANKS, namedLift, RANK_COUNT, type SearchQuery, wordRank } from '../packed-search.ts';
import { expiryWord } from '../representation-name.ts';
import { contractSymbolTail, formatStrike, type SymbolOption } from './contract-symbol.ts';

const NO_MATCH = 9;
const NO_SPLITS: readonly Split[] = [];

/** A contract that was found: instruments are made only of those that are answered. */
export interface ContractMatch {
  readonly series: ListedSeries;
  /** `undefined` for the future. */
  readonly option: SymbolOption | undefined;
}

interface SearchedSeries {
  readonly place: number;
  readonly series: ListedSeries;
  /** The underlying's symbol in upper case. */
  readonly symbol: string;
  /** The text that every contract of the series can be found by. */
  readonly text: string;
  /** The further text that its future can be found by; `undefined` while it has none. */
  readonly futureText: string | undefined;
  /** The numbers of its strikes in the strike texts. */
  readonly strikes: Int32Array;
}

/** The rank of some word in the tail of an option with that strike; `undefined` when it is not there. */
type TailRank = (strike: string, type: OptionType) => number | undefined;

interface MarkedTails {
  /** By strike and type. */
  readonly ranks: Uint8Array;
  /** By series, 1 where one of its strikes has a rank. */
  readonly inSeries: Uint8Array;
}

/** A word whose first part ends the head of a trading symbol and whose rest begins its tail. */
interface Split {
  readonly head: string;
  readonly tail: string;
  /** The tails that begin so; made when a series has the head. */
  begins: MarkedTails | undefined;
}

/** One word of a query on one exchange, before any series is looked at. */
interface SearchedWord {
  readonly word: string;
  /** Its rank in the tail of every strike and type; `undefined` when it is in none. */
  readonly tails: Uint8Array | undefined;
  /** By series, 1 where one of its strikes has such a tail. */
  readonly inSeries: Uint8Array | undefined;
  /** The best and the worst rank that a tail gives. */
  readonly bestTail: number;
  readonly worstTail: number;
  readonly splits: readonly Split[];
}

/** One word against one series: its rank in the common text, and how it can go on into the strikes. */
interface WordInSeries {
  readonly searched: SearchedWord;
  readonly rank: number;
  readonly inTails: boolean;
  readonly splits: readonly Split[];
}

export class ContractSearch {
  private readonly searched: SearchedSeries[] = [];
  private readonly strikeTexts: string[] = [];
  private readonly strikeValues: Price[] = [];
  private readonly numberOfStrike = new Map<Price, number>();
  /** The places of the series that have a strike, by its number. */
  private readonly placesOfStrike: number[][] = [];

  private readonly day: IstDay;

  /** A search over no contracts yet, of a date. */
  constructor(day: IstDay) {
    this.day = day;
  }

  /** Adds a series that is live. Series come by ascending expiry. `companyName`: that of its underlying. */
  add(series: ListedSeries, companyName: string): void {
    const { exchange, symbol, symbolHead, nameHead } = series;
    const place = this.searched.length;
    this.searched.push({
      place,
      series,
      symbol: symbol.toUpperCase(),
      text: `${symbolHead} ${symbol} ${expiryWord(series)} ${companyName} ${nameHead}`.toUpperCase(),
      futureText: series.hasFutureOn(this.day)
        ? `${symbolHead}${contractSymbolTail(exchange, undefined)} FUT`
        : undefined,
      strikes: Int32Array.from(series.strikesOn(this.day), (strike) => this.numberOf(strike, place)),
    });
  }

  /**
   * At most `limit` contracts of each rank: nearest expiry first, the future before the options, by strike, call before
   * put.
   */
  search(query: SearchQuery, limit: number, at: EpochMs): ContractMatch[][] {
    const found: ContractMatch[][] = Array.from({ length: RANK_COUNT }, () => []);
    const words = {
      NFO: query.words.map((word) => this.searchedWord(word, 'NFO')),
      BFO: query.words.map((word) => this.searchedWord(word, 'BFO')),
    };
    for (const searched of this.searched) {
      if (!searched.series.isLive(at)) continue;
      const inSeries = words[searched.series.exchange].map((word) => this.wordIn(searched, word));
      this.searchFuture(searched, inSeries, query, limit, found);
      this.searchOptions(searched, inSeries, query, limit, found);
    }
    return found;
  }

  private searchFuture(
    { series, symbol, futureText }: SearchedSeries,
    words: readonly WordInSeries[],
    query: SearchQuery,
    limit: number,
    found: readonly ContractMatch[][],
  ): void {
    if (futureText === undefined) return;
    let worst: number = MATCH_RANKS.word;
    for (const { rank, searched } of words) {
      const own = rank === MATCH_RANKS.word ? rank : Math.min(rank, wordRank(futureText, searched.word) ?? NO_MATCH);
      if (own === NO_MATCH) return;
      if (own > worst) worst = own;
    }
    const tail = contractSymbolTail(series.exchange, undefined);
    const bucket = found[wholeRank(series.symbolHead, tail, query.text, worst - namedLift(query, symbol))];
    if (bucket && bucket.length < limit) bucket.push({ series, option: undefined });
  }

  private searchOptions(
    { series, symbol, strikes }: SearchedSeries,
    words: readonly WordInSeries[],
    query: SearchQuery,
    limit: number,
    found: readonly ContractMatch[][],
  ): void {
    const { symbolHead } = series;
    const whole = symbolHead.startsWith(query.text) || query.text.startsWith(symbolHead);
    const lift = namedLift(query, symbol);
    if (!words.every(canMatch) || (!whole && isFull(words, lift, found, limit))) return;
    for (const strike of strikes) {
      for (const type of OPTION_TYPES) {
        let rank = worstRank(words, strike, type);
        if (rank === NO_MATCH) continue;
        rank -= lift;
        if (whole) rank = wholeRank(symbolHead, this.tailAt(series, strike, type), query.text, rank);
        const bucket = found[rank];
        if (bucket && bucket.length < limit)
          bucket.push({ series, option: { strike: this.strikeValues[strike] as Price, type } });
      }
    }
  }

  private searchedWord(word: string, exchange: DerivativeExchange): SearchedWord {
    const splits = splitsOf(word, exchange);
    const nowhere = { word, tails: undefined, inSeries: undefined, bestTail: NO_MATCH, worstTail: 0, splits };
    if (!/^[0-9.CPE]+$/.test(word)) return nowhere;
    const tails = this.mark(tailRanks(exchange, word), mayHold(word));
    if (tails.worst === 0) return nowhere;
    return { word, tails: tails.ranks, inSeries: tails.inSeries, bestTail: tails.best, worstTail: tails.worst, splits };
  }

  /** Ranks every strike and type that `mayHold` lets through, and marks the series that have one with a rank. */
  private mark(rankOf: TailRank, mayHold: (strike: string) => boolean): MarkedTails & { best: number; worst: number } {
    const ranks = new Uint8Array(this.strikeTexts.length * OPTION_TYPES.length).fill(NO_MATCH);
    const inSeries = new Uint8Array(this.searched.length);
    let best = NO_MATCH;
    let worst = 0;
    this.strikeTexts.forEach((strike, number) => {
      if (!mayHold(strike)) return;
      for (const type of OPTION_TYPES) {
        const rank = rankOf(strike, type);
        if (rank === undefined) continue;
        ranks[tailNumber(number, type)] = rank;
        if (rank < best) best = rank;
        if (rank > worst) worst = rank;
        for (const place of this.placesOfStrike[number] ?? []) inSeries[place] = 1;
      }
    });
    return { ranks, inSeries, best, worst };
  }

  /** A word against one series. */
  private wordIn({ place, text, series }: SearchedSeries, searched: SearchedWord): WordInSeries {
    const rank = wordRank(text, searched.word) ?? NO_MATCH;
    let splits = NO_SPLITS;
    if (rank === NO_MATCH && searched.splits.length > 0) {
      splits = searched.splits.filter(
        (split) =>
          series.symbolHead.endsWith(split.head) && this.beginsIn(split, series.exchange).inSeries[place] === 1,
      );
    }
    return { searched, rank, inTails: searched.inSeries?.[place] === 1, splits };
  }

  private beginsIn(split: Split, exchange: DerivativeExchange): MarkedTails {
    split.begins ??= this.mark(
      (strike, type) => (tailText(exchange, strike, type).startsWith(split.tail) ? MATCH_RANKS.substring : undefined),
      mayHold(split.tail),
    );
    return split.begins;
  }

  private tailAt(series: ListedSeries, strike: number, type: OptionType): string {
    return tailText(series.exchange, this.strikeTexts[strike] as string, type);
  }

  private numberOf(strike: Price, place: number): number {
    let number = this.numberOfStrike.get(strike);
    if (number === undefined) {
      number = this.strikeTexts.push(formatStrike(strike)) - 1;
      this.strikeValues.push(strike);
      this.numberOfStrike.set(strike, number);
      this.placesOfStrike.push([]);
    }
    this.placesOfStrike[number]?.push(place);
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

/** False when no option of the series can match the word. */
function canMatch({ rank, inTails, splits }: WordInSeries): boolean {
  return rank !== NO_MATCH || inTails || splits.length > 0;
}

/**
 * True when there is no room in any rank that options of the series can have, beyond exact and prefix, with their words
 * lifted by `lift` ranks.
 */
function isFull(
  words: readonly WordInSeries[],
  lift: number,
  found: readonly ContractMatch[][],
  limit: number,
): boolean {
  const isRoom = (rank: number) => (found[rank - lift]?.length ?? 0) < limit;
  const canBeWord = words.every(
    ({ rank, searched }) => rank === MATCH_RANKS.word || searched.bestTail === MATCH_RANKS.word,
  );
  if (canBeWord && isRoom(MATCH_RANKS.word)) return false;
  const areWords = words.every(
    ({ rank, searched, splits }) =>
      rank === MATCH_RANKS.word ||
      (rank === NO_MATCH && splits.length === 0 && searched.worstTail === MATCH_RANKS.word),
  );
  return areWords || !isRoom(MATCH_RANKS.substring);
}

/** The worst rank over all words of one option. */
function worstRank(words: readonly WordInSeries[], strike: number, type: OptionType): number {
  let worst: number = MATCH_RANKS.word;
  for (const { rank: common, searched, splits } of words) {
    let rank = common;
    if (rank > MATCH_RANKS.word && searched.tails)
      rank = Math.min(rank, searched.tails[tailNumber(strike, type)] as number);
    if (rank === NO_MATCH && splits.length > 0) {
      const at = tailNumber(strike, type);
      if (splits.some((split) => split.begins?.ranks[at] === MATCH_RANKS.substring)) rank = MATCH_RANKS.substring;
    }
    if (rank === NO_MATCH) return NO_MATCH;
    if (rank > worst) worst = rank;
  }
  return worst;
}

/** Gives the rank of a word in the tail of an option, as it stands in the trading symbol and as separate words. */
function tailRanks(exchange: DerivativeExchange, word: string): TailRank {
  if (!isLetters(word)) {
    return (strike, type) => wordRank(`${tailText(exchange, strike, type)} ${strike} ${typeWords(type)}`, word);
  }
  const ranks = { CE: wordRank(typeWords('CE'), word), PE: wordRank(typeWords('PE'), word) };
  return (_strike, type) => ranks[type];
}

function typeWords(type: OptionType): string {
  return `${type} ${type.charAt(0)}`;
}

/** Finds, without a closer look, the strikes that cannot hold a word. */
function mayHold(word: string): (strike: string) => boolean {
  const digits = /[0-9.]+/.exec(word)?.[0] ?? '';
  return (strike) => strike.includes(digits);
}

function isLetters(word: string): boolean {
  return /^[A-Z]+$/.test(word);
}

function tailNumber(strike: number, type: OptionType): number {
  return strike * 2 + (type === 'PE' ? 1 : 0);
}

function tailText(exchange: DerivativeExchange, strike: string, type: OptionType): string {
  return exchange === 'NFO' ? `${type.charAt(0)}${strike}` : `${strike}${type}`;
}

/** The ways to cut a word so that its rest can begin the tail of an option's trading symbol. */
function splitsOf(word: string, exchange: DerivativeExchange): readonly Split[] {
  const rest = exchange === 'NFO' ? /^[CP][0-9.]*$/ : /^[0-9.]+(C|P|CE|PE)?$/;
  const splits: Split[] = [];
  for (let at = 1; at < word.length; at += 1) {
    if (rest.test(word.slice(at))) splits.push({ head: word.slice(0, at), tail: word.slice(at), begins: undefined });
  }
  return splits;
}
