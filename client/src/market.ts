/** Instruments, quotes, candles and option chains. */

import type { Exchange, Interval } from './generated/operations.ts';
import { type Instrument, namedFields } from './instrument.ts';
import type { Rupees } from './money.ts';
import { RETRY_MS, untilAllowed } from './patience.ts';
import { wireTime } from './times.ts';
import type { CallOptions, Transport } from './transport.ts';
import type {
  CandleRow,
  ChainRow,
  GreeksRow,
  IndexRow,
  InstrumentRow,
  LtpRow,
  MarketStatus,
  QuoteRow,
  RequestOf,
  ScripRow,
  SecurityInfo,
  Strategy,
} from './wire.ts';

/**
 * The candles that start from `from` to `to`, both included; daily ones by date. A text is `HH:MM:SS DD-MM-YYYY`, IST.
 */
export interface CandleRange {
  readonly from: Date | string;
  readonly to: Date | string;
  readonly interval: Interval;
}

/** The options of an underlying around a strike. */
export interface ChainQuestion {
  /** `NFO` or `BFO`. */
  readonly exchange: Exchange;
  /** The underlying, such as `NIFTY`. */
  readonly symbol: string;
  /** `DDMONYY` or `DDMONYYYY`, as `expiries` answers it. */
  readonly expiry: string;
  /** The central strike, in rupees; the nearest one that is listed is taken. */
  readonly strikePrice: Rupees;
  /** Strikes on each side of it, at most 30. */
  readonly count: number;
}

/** As a chain; with `count` "ALL" and no strike for all of an expiry. */
export type GreeksQuestion = ChainQuestion | (Omit<ChainQuestion, 'strikePrice' | 'count'> & { readonly count: 'ALL' });

/** A leg of a strategy: the last price counts where `price` is absent. */
export type StrategyLeg = RequestOf<'getStrategy'>['legs'][number];

/** The most instruments of one request. Longer lists are asked for in several. */
const MOST_INSTRUMENTS = 100;

export class Market {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** The full quote of an instrument, with five levels of depth a side. */
  async quote(instrument: Instrument, options?: CallOptions): Promise<QuoteRow> {
    return only(await this.quotes([instrument], options));
  }

  /**
   * The full quotes of instruments, in their order. One unknown instrument fails them all. A list of more than 100 is
   * asked for in parts, which wait where they use the rate up.
   */
  quotes(instruments: readonly Instrument[], options?: CallOptions): Promise<readonly QuoteRow[]> {
    const ask: AskPart<QuoteRow> = (data) => this.transport.read('getMultiQuotes', { data }, options);
    return inParts(instruments, ask, options?.signal);
  }

  /** The last traded price of an instrument, or the rows of several, asked for as those of `quotes`. */
  ltp(instrument: Instrument, options?: CallOptions): Promise<Rupees>;
  ltp(instruments: readonly Instrument[], options?: CallOptions): Promise<readonly LtpRow[]>;
  async ltp(wanted: Instrument | readonly Instrument[], options?: CallOptions): Promise<Rupees | readonly LtpRow[]> {
    const isList = typeof wanted === 'object' && !('tradingSymbol' in wanted);
    const ask: AskPart<LtpRow> = (data) => this.transport.read('getMultiQuotes/ltp', { data }, options);
    const rows = await inParts(isList ? wanted : [wanted], ask, options?.signal);
    return isList ? rows : only(rows).lastTradedPrice;
  }

  /** Candles, oldest first, at most 100,000. */
  candles(instrument: Instrument, range: CandleRange, options?: CallOptions): Promise<readonly CandleRow[]> {
    const { from, to, interval } = range;
    const fields = { ...namedFields(instrument), startTime: timeText(from), endTime: timeText(to), interval };
    return this.transport.read('timePriceSeries', fields, options);
  }

  /** At most 100 instruments whose names have all words of a text. */
  search(text: string, options?: CallOptions): Promise<readonly ScripRow[]> {
    return this.transport.read('searchScrips', { stext: text }, options);
  }

  /** Calls and puts around a strike, by ascending strikes. */
  chain(question: ChainQuestion, options?: CallOptions): Promise<readonly ChainRow[]> {
    return this.transport.read('optionChain', question, options);
  }

  /** Calls and puts with their greeks and implied volatility. */
  greeks(question: GreeksQuestion, options?: CallOptions): Promise<readonly GreeksRow[]> {
    return this.transport.read('optionChainGreeks', question, options);
  }

  /** The result of 1 to 50 legs on one underlying by its price, with breakevens, bounds and greeks. */
  strategy(legs: readonly StrategyLeg[], options?: CallOptions): Promise<Strategy> {
    return this.transport.read('getStrategy', { legs }, options);
  }

  /** The live expiries of an underlying, ascending, as `DDMONYYYY`. */
  async expiries(instrument: Instrument, options?: CallOptions): Promise<readonly string[]> {
    return (await this.transport.read('getExpiry', namedFields(instrument), options)).expiryDates;
  }

  /** The market's time, and the phase of each exchange with the next boundary. */
  status(options?: CallOptions): Promise<MarketStatus> {
    return this.transport.read('getMarketStatus', {}, options);
  }

  /** The master data of an instrument: lot, tick, freeze quantity. */
  info(instrument: Instrument, options?: CallOptions): Promise<SecurityInfo> {
    return this.transport.read('securityInfo', namedFields(instrument), options);
  }

  /**
   * An instrument, and how the user may trade it now: products, price types, retentions, circuits, the largest order,
   * where an order goes, and the contract with its underlying.
   */
  instrument(instrument: Instrument, options?: CallOptions): Promise<InstrumentRow> {
    return this.transport.read('getInstrument', namedFields(instrument), options);
  }

  /** All indices. */
  indices(options?: CallOptions): Promise<readonly IndexRow[]> {
    return this.transport.read('indexList', {}, options);
  }
}

function timeText(time: Date | string): string {
  return typeof time === 'string' ? time : wireTime(time);
}

type Named = ReturnType<typeof namedFields>;

type AskPart<Row> = (part: readonly Named[]) => Promise<readonly Row[]>;

/** The rows of a list of any length. The parts of a long one wait for the rate that those before them used up. */
async function inParts<Row>(
  instruments: readonly Instrument[],
  ask: AskPart<Row>,
  signal: AbortSignal | undefined,
): Promise<readonly Row[]> {
  const isLong = instruments.length > MOST_INSTRUMENTS;
  const rows: Row[] = [];
  for (let from = 0; from < instruments.length; from += MOST_INSTRUMENTS) {
    const part = instruments.slice(from, from + MOST_INSTRUMENTS).map(namedFields);
    rows.push(...(await (isLong ? untilAllowed(() => ask(part), { signal, leastMs: RETRY_MS }) : ask(part))));
  }
  return rows;
}

function only<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new TypeError('an instrument was answered without a row');
  return row;
}
