/**
 * The loss of open positions at the last prices, as far as the day's end would take it from the account. Pay-outs and
 * the check of intraday losses use it. Margin does not: it is in `core/margin`.
 */

import type { InstrumentId } from '../../../base/ids.ts';
import {
  addPaise,
  amountOf,
  type Paise,
  type Price,
  type Quantity,
  subtractPaise,
  ZERO_PAISE,
} from '../../../base/money.ts';
import type { Account, Position } from '../../account.ts';
import { lastTradedPrice } from '../../exchange/reference.ts';
import { type DecisionPorts, instrumentOf } from '../../ports.ts';
import { buyAmount, hasTraded, netQuantity, sellAmount, settlementWay } from '../../position.ts';
import type { State } from '../../state.ts';
import { tickOfDay } from '../../trading-days.ts';
import { venueOf } from '../../venue-of.ts';
import { realisedLoss } from '../account/funds.ts';

/**
 * The loss that the end of the day would take from an account at the last prices, beyond the losses that are realised
 * already: of futures that are marked to their close and of intraday positions. At least 0. Source: market-rules R4.24,
 * R5.8.
 */
export function openLoss(state: State, ports: DecisionPorts, account: Account): Paise {
  const prices = new LastPrices(state, ports);
  let loss = ZERO_PAISE;
  for (const row of account.positions.values()) {
    if (settlementWay(row.kind, row.product) === 'result' && hasTraded(row)) loss = addPaise(loss, lossOf(row, prices));
  }
  return Math.max(0, loss - realisedLoss(account)) as Paise;
}

/**
 * The loss of a row over its basis, as if it were closed at the last price; below 0 a gain. Source: market-rules R5.5.
 */
export function lossOf(row: Position, prices: LastPrices): Paise {
  const paid = subtractPaise(buyAmount(row), sellAmount(row));
  const net = netQuantity(row);
  if (net === 0) return paid;
  return subtractPaise(paid, amountOf(prices.of(row.instrument), net as Quantity));
}

/**
 * The last traded prices of one look, each found once. On a date without trading they are the closes, as on the day
 * that has begun.
 */
export class LastPrices {
  private readonly state: State;
  private readonly ports: DecisionPorts;
  private readonly known = new Map<InstrumentId, Price>();

  constructor(state: State, ports: DecisionPorts) {
    this.state = state;
    this.ports = { ...ports, tick: tickOfDay(state, ports.tick) };
  }

  of(id: InstrumentId): Price {
    const known = this.known.get(id);
    if (known !== undefined) return known;
    const price = lastTradedPrice(venueOf(this.state, this.ports, instrumentOf(this.ports, id)));
    this.known.set(id, price);
    return price;
  }
}
