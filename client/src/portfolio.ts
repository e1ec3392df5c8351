/** The positions, holdings and limits of the user. */

import type { Product } from './generated/operations.ts';
import { type Instrument, namedFields } from './instrument.ts';
import type { CallOptions, Transport } from './transport.ts';
import type {
  DataOf,
  DayCurveData,
  FundsData,
  HoldingRow,
  HoldingsData,
  LimitsRow,
  PositionRow,
  RequestOf,
  ResultsData,
  TradeChargesData,
} from './wire.ts';

/** A conversion of a position: from one product to another, all of it when there is no quantity. */
export interface Conversion {
  readonly instrument: Instrument;
  readonly from?: Product;
  readonly to: Product;
  readonly quantity?: string | number;
  /** `B` for a bought position, which is meant when absent, and `S` for a sold one. */
  readonly side?: 'B' | 'S';
  /** Whether the units were bought or sold today, which is meant when absent, or carried from a day before. */
  readonly age?: 'day' | 'carried';
}

/** The outcome of a conversion. Refused: the position is as it was, and `reason` says why. */
export type ConversionResult =
  | { readonly outcome: 'converted'; readonly requestTime: string }
  | { readonly outcome: 'refused'; readonly reason: string; readonly requestTime: string };

const FLAGS = { B: { day: '1', carried: '2' }, S: { day: '3', carried: '4' } } as const;

export class Portfolio {
  private readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** Positions of today and carried ones. */
  positions(options?: CallOptions): Promise<readonly PositionRow[]> {
    return this.transport.read('positionBook', {}, options);
  }

  /** Shares held, with quantities and cost. */
  holdings(options?: CallOptions): Promise<readonly HoldingRow[]> {
    return this.transport.read('holdingsDetails', {}, options);
  }

  /** Cash, margins and collateral. */
  limits(options?: CallOptions): Promise<LimitsRow> {
    return this.transport.read('limit', {}, options);
  }

  /** The result of the day by position, by underlying and together, with the charges so far. */
  results(options?: CallOptions): Promise<ResultsData> {
    return this.transport.read('getResults', {}, options);
  }

  /** Shares held, with their value, the change of the day, their collateral and the sums. */
  holdingsValue(options?: CallOptions): Promise<HoldingsData> {
    return this.transport.read('getHoldings', {}, options);
  }

  /** Every figure of the limits with the entries that sum to it, and the margin of each underlying by its parts. */
  funds(options?: CallOptions): Promise<FundsData> {
    return this.transport.read('getFunds', {}, options);
  }

  /** The result of the day as a curve; its points are at least `interval` apart. */
  dayCurve(of: RequestOf<'getDayCurve'> = {}, options?: CallOptions): Promise<DayCurveData> {
    return this.transport.read('getDayCurve', of, options);
  }

  /** The charges of each trade of the day, levy by levy. */
  tradeCharges(options?: CallOptions): Promise<TradeChargesData> {
    return this.transport.read('getTradeCharges', {}, options);
  }

  /** Converts a position to another product. Sent once, as every change. */
  async convert(conversion: Conversion, options?: CallOptions): Promise<ConversionResult> {
    const { instrument, from, to, quantity, side = 'B', age = 'day' } = conversion;
    const fields: RequestOf<'productConversion'> = {
      ...namedFields(instrument),
      product: to,
      msgFlag: FLAGS[side][age],
      ...(from === undefined ? {} : { previousProduct: from }),
      ...(quantity === undefined ? {} : { quantity }),
    };
    const { Status, requestTime } = await this.transport.change('productConversion', fields, options);
    return Status === 'ok'
      ? { outcome: 'converted', requestTime }
      : { outcome: 'refused', reason: Status, requestTime };
  }

  /**
   * Closes 200 positions at most, of all products or of one, by market orders. `left` of the answer is the number of
   * the others: while it is not `0`, call again. Sent once.
   */
  exitAll(of: { readonly product?: Product } = {}, options?: CallOptions): Promise<DataOf<'exitAllPositions'>> {
    return this.transport.change('exitAllPositions', of, options);
  }
}
