import { type InstrumentId, instrumentId } from '../../../base/ids.ts';
import type { Price } from '../../../base/money.ts';
import type { IstDay } from '../../../base/time.ts';
import { houseOf } from '../../calendar/trading-calendar.ts';
import { DERIVATIVE_EXCHANGES, type DerivativeExchange } from '../../rules/contract-cycles.ts';
import type { DataRow } from '../../rules/data-table.ts';

/** An index or a share on which an exchange lists futures and options. */
export interface Underlying {
  readonly exchange: DerivativeExchange;
  /** Its number in contract tokens, 1 to 511: given once, never given again. */
  readonly code: number;
  readonly symbol: string;
  readonly kind: 'index' | 'equity';
  /** The index or share itself, in the cash segment of the same house. */
  readonly id: InstrumentId;
  /** Every strike is a multiple of it, for ever: strikes are counted in it in contract tokens. */
  readonly unit: Price;
  /** The distance of near strikes where the exchange's master differs from the rule. */
  readonly step: Price | undefined;
  /** The distance of the strikes of quarterly and half-yearly expiries. */
  readonly farStep: Price | undefined;
  /** Ticks where the exchange's master differs from the rule. */
  readonly optionTick: Price | undefined;
  readonly futureTick: Price | undefined;
  /** The first day of its derivatives, when that is on record. */
  readonly listedFrom: IstDay | undefined;
}

export function readUnderlyings(rows: readonly DataRow[]): Underlying[] {
  return rows.map((row) => {
    const exchange = row.oneOf('exchange', DERIVATIVE_EXCHANGES);
    return {
      exchange,
      code: row.number('code'),
      symbol: row.text('symbol'),
      kind: row.oneOf('kind', ['index', 'equity']),
      id: instrumentId(houseOf(exchange), row.number('token')),
      unit: row.price('unit'),
      step: row.optionalPrice('step'),
      farStep: row.optionalPrice('farStep'),
      optionTick: row.optionalPrice('optionTick'),
      futureTick: row.optionalPrice('futureTick'),
      listedFrom: row.optionalDay('listedFrom'),
    };
  });
}
