/**
 * Full quotes as JSON: of one moment, and kept ones for the many who ask within a second. The stream sends the same
 * texts, and those without their depth.
 */

import type { InstrumentId, Tick } from '../../../base/ids.ts';
import type { EpochMs } from '../../../base/time.ts';
import type { MarketData } from '../../../core/market.ts';
import type { State } from '../../../core/state.ts';
import { type FullQuote, fullQuote } from '../../../views/quote.ts';
import type { Views } from '../../../views/views.ts';
import { compileByteWriter } from '../../fields/byte-writer.ts';
import type { NamedInstrument } from '../../fields/symbols.ts';
import { formatT1 } from '../../fields/times.ts';
import { WrittenText } from '../../fields/written-text.ts';
import { MULTI_QUOTE, quoteOf, TICK_QUOTE } from './quote.ts';

/** Quotes of more instruments than this are not kept. */
const MAX_KEPT = 10_000;
/** Stands for the number of a book where there is none. */
const NO_BOOK = -1;

interface KeptText {
  /** `Book.changedAfter` when the text was written, or `NO_BOOK`. */
  readonly book: number;
  readonly text: string;
}

/** Everything outside of the books that quotes are made of: when one of these is another, any quote may be another. */
interface Ground {
  readonly tick: Tick;
  readonly breaker: State['breaker'];
  readonly corporateActions: State['corporateActions'];
  readonly shareBands: State['shareBands'];
  /** The last record while there are rules, which any record can change or use up; else `NO_RULES`. */
  readonly rules: number;
}

const NO_RULES = -1;

const write = compileByteWriter(MULTI_QUOTE);
const writeTick = compileByteWriter(TICK_QUOTE);
const TEXT = new WrittenText();

/** Writes one of many full quotes as JSON. */
export function writeMultiQuote(out: WrittenText, named: NamedInstrument, figures: FullQuote, at: EpochMs): void {
  write(quoteOf(named, figures, formatT1(at)), out);
}

/** Writes the same without the depth as JSON: a tick of the stream. */
export function writeTickQuote(out: WrittenText, named: NamedInstrument, figures: FullQuote, at: EpochMs): void {
  writeTick(quoteOf(named, figures, formatT1(at)), out);
}

/**
 * Full quotes as written JSON, kept while they cannot have changed: the market moves on whole seconds, and a quote
 * between them only by a change of its own book, or of the ground of all. Many clients ask for the same instruments
 * within a second, while others trade. It keeps at most 10,000 texts.
 */
export class QuoteTexts {
  private readonly market: MarketData;
  private ground: Ground | undefined;
  private readonly kept = new Map<InstrumentId, KeptText>();
  /** How many texts were answered from memory, and how many were written, since the start. */
  readonly counts = { kept: 0, written: 0 };

  constructor(market: MarketData) {
    this.market = market;
  }

  /** One of many full quotes at `at`, as JSON. */
  textOf(state: State, views: Views, named: NamedInstrument, at: EpochMs): string {
    const { id, tradingSymbol } = named.instrument;
    const tick = this.turn(state, at);
    const book = state.books.get(id)?.changedAfter ?? NO_BOOK;
    const canonical = named.answeredSymbol === tradingSymbol;
    const known = canonical ? this.kept.get(id) : undefined;
    if (known?.book === book) {
      this.counts.kept += 1;
      return known.text;
    }
    this.counts.written += 1;
    TEXT.clear();
    writeMultiQuote(TEXT, named, fullQuote(state, views, this.market, id, tick), at);
    const text = TEXT.toString();
    if (canonical && (known !== undefined || this.kept.size < MAX_KEPT)) this.kept.set(id, { book, text });
    return text;
  }

  /** Forgets the texts of another second or another ground. */
  private turn(state: State, at: EpochMs): Tick {
    const tick = this.market.tickAt(at);
    const { breaker, corporateActions, shareBands } = state;
    const rules = state.scenarioRules.size > 0 ? state.seq : NO_RULES;
    const { ground } = this;
    const isSame =
      ground?.tick === tick &&
      ground.breaker === breaker &&
      ground.corporateActions === corporateActions &&
      ground.shareBands === shareBands &&
      ground.rules === rules;
    if (isSame) return tick;
    this.ground = { tick, breaker, corporateActions, shareBands, rules };
    this.kept.clear();
    return tick;
  }
}
