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
import type { NamedInstrument } from '../../fields/symbols.ts';
import { formatT1 } from '../../fields/times.ts';
import { compileWriter, inOnePiece } from '../../fields/writer.ts';
import { MULTI_QUOTE, quoteOf, TICK_QUOTE } from './quote.ts';

/** Quotes of more instruments than this are not kept. */
const MAX_KEPT = 10_000;
/** Stands for the sequence number where there is neither a book nor a rule: no command can have changed the quote. */
const NO_BOOK = -1;

interface KeptText {
  readonly seq: number;
  readonly text: string;
}

const write = compileWriter(MULTI_QUOTE);
const writeTick = compileWriter(TICK_QUOTE);

/** One of many full quotes, as JSON. */
export function multiQuoteText(named: NamedInstrument, figures: FullQuote, at: EpochMs): string {
  return write(quoteOf(named, figures, formatT1(at)));
}

/** The same without the depth, as JSON: a tick of the stream. */
export function tickText(named: NamedInstrument, figures: FullQuote, at: EpochMs): string {
  return writeTick(quoteOf(named, figures, formatT1(at)));
}

/**
 * Full quotes as written JSON, kept while they cannot have changed: the market moves on whole seconds, and a book only
 * by a command. Many clients ask for the same instruments within a second.
 */
export class QuoteTexts {
  private readonly market: MarketData;
  private tick = -1 as Tick;
  private readonly kept = new Map<InstrumentId, KeptText>();

  constructor(market: MarketData) {
    this.market = market;
  }

  /** One of many full quotes at `at`, as JSON. */
  textOf(state: State, views: Views, named: NamedInstrument, at: EpochMs): string {
    const { id, tradingSymbol } = named.instrument;
    this.turn(at);
    const seq = state.books.has(id) || state.scenarioRules.size > 0 ? state.seq : NO_BOOK;
    const canonical = named.answeredSymbol === tradingSymbol;
    const known = canonical ? this.kept.get(id) : undefined;
    if (known?.seq === seq) return known.text;
    const text = inOnePiece(multiQuoteText(named, fullQuote(state, views, this.market, id, this.tick), at));
    if (canonical && this.kept.size < MAX_KEPT) this.kept.set(id, { seq, text });
    return text;
  }

  /** Forgets the texts that were written in another second. */
  private turn(at: EpochMs): void {
    const tick = this.market.tickAt(at);
    if (tick === this.tick) return;
    this.tick = tick;
    this.kept.clear();
  }
}
