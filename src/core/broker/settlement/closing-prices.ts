/**
 * The closing prices of a day, settlement prices of contracts that expire, and the price of buying shares in. The
 * marks by them are in `mark-to-market.ts`.
 */

import { must } from '../../../base/assert.ts';
import type { InstrumentId } from '../../../base/ids.ts';
import { ceilToTick, type Price } from '../../../base/money.ts';
import { type IstDay, istInstant } from '../../../base/time.ts';
import type { Event } from '../../event.ts';
import type { Derivative } from '../../instrument.ts';
import { type AccountRange, accountsWithin } from '../../portions/portion.ts';
import { type DecisionPorts, instrumentOf } from '../../ports.ts';
import type { State } from '../../state.ts';
import { nextTradingDay } from '../../trading-days.ts';
import { openPositions } from './open-position.ts';

/**
 * The price of buying in a short sale that nobody covered, as a percentage of the close: 20 % above it. Source:
 * market-rules R2.25.
 */
const CLOSE_OUT_PERCENT = 120;

/**
 * Sets the close of every instrument that an account of the range holds. The first portion of several forgets the
 * closes of the day before, and later ones add those that are new. Source: market-rules R7.5 (2).
 */
export function decideClosingPrices(state: State, ports: DecisionPorts, range: AccountRange): Event[] {
  const isFirst = state.portion === undefined;
  const needed = new Set<InstrumentId>();
  for (const { row } of openPositions(state, range)) needed.add(row.instrument);
  for (const { holdings } of accountsWithin(state, range)) {
    for (const { instrument } of holdings.values()) needed.add(instrument);
  }
  if (!isFirst) for (const id of needed) if (state.closing.has(id)) needed.delete(id);
  if (needed.size === 0 && (!isFirst || range.isLast)) return [];
  const prices = Array.from(needed, (id) => [id, closeOf(ports, id, state.day)] as const);
  return [{ type: 'ClosingPricesSet', ...(isFirst ? {} : { added: true }), prices }];
}

/**
 * The official close of an instrument on a trading day. The next trading day shows it as the previous close, before any
 * corporate action of that day. Source: R2.13 to R2.17.
 */
export function closeOf(ports: DecisionPorts, id: InstrumentId, day: IstDay): Price {
  const next = nextTradingDay(ports.days, day);
  return ports.market.previousClose(id, ports.market.tickAt(istInstant(next)), true);
}

/**
 * The settlement price of a contract that expires. In the hours of the exchange it is the close of its underlying; in
 * other hours it is the underlying's price at the last moment of the contract's own trading. Source: market-rules
 * R2.14, R7.1, R7.2.
 */
export function settlementPrice({ market }: DecisionPorts, { underlying, expiresAt }: Derivative): Price {
  const tick = market.tickAt(expiresAt);
  return market.settlementPrice?.(underlying, tick) ?? market.lastPrint(underlying, tick).price;
}

/** The close that the day's end has set. */
export function closingPrice(state: State, id: InstrumentId): Price {
  return must(state.closing.get(id), `instrument ${id} has a closing price`);
}

/**
 * The price of buying in shares that were sold and not delivered. The service does not run an auction: this is the
 * price at which the clearing house closes out when an auction finds no seller. Source: market-rules R2.25.
 */
export function closeOutPrice(ports: DecisionPorts, id: InstrumentId, day: IstDay): Price {
  const { tick } = instrumentOf(ports, id);
  return ceilToTick((closeOf(ports, id, day) * CLOSE_OUT_PERCENT) / 100, tick);
}
