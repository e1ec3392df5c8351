import type { InstrumentId } from '../../base/ids.ts';
import {
  addPaise,
  amountOf,
  type Paise,
  type Price,
  type Quantity,
  subtractPaise,
  ZERO_PAISE,
} from '../../base/money.ts';
import { totalMargin } from '../broker/funds.ts';
import type { Event } from '../event.ts';
import { lastTradedPrice } from '../exchange/reference.ts';
import { type Desk, instrumentOf } from '../ports.ts';
import { buyAmount, hasTraded, netQuantity, sellAmount } from '../position.ts';
import type { Account, Position, State } from '../state.ts';
import { isIntraday } from '../trading-days.ts';
import { venueOf } from '../venue-of.ts';
import { cancelIntraday } from './square-off.ts';

/** The share of its funds at which an account is warned. Source: market-rules R4.35. */
const WARNING_PERCENT = 80;

/**
 * Looks at every account with intraday positions: when their loss, realised and unrealised, reaches 80 % of cash, pay-in and collateral as `limit`
 * has them it is warned, once a day; when it reaches all of them, its intraday positions are squared off. Source: market-rules R4.32, R4.35.
 */
export function decideCheckLosses(state: State, desk: Desk): Event[] {
  if (state.dayEnd !== undefined) return [];
  const prices = new LastPrices(state, desk);
  const events: Event[] = [];
  for (const account of state.accounts) {
    if (account.lossStage === 'SquaredOff') continue;
    const loss = intradayLoss(account, prices);
    if (loss <= 0) continue;
    const funds = totalMargin(account);
    if (loss >= funds) {
      events.push({ type: 'LossesReached', account: account.id, stage: 'SquaredOff', loss, funds });
      events.push(...cancelIntraday(state, desk, account.id));
    } else if (account.lossStage === 'None' && loss * 100 >= funds * WARNING_PERCENT) {
      events.push({ type: 'LossesReached', account: account.id, stage: 'Warned', loss, funds });
    }
  }
  return events;
}

/** What the intraday rows of an account have lost, were they closed at the last prices; below 0 a gain. */
function intradayLoss(account: Account, prices: LastPrices): Paise {
  let loss = ZERO_PAISE;
  for (const row of account.positions.values()) {
    if (isIntraday(row.kind, row.product) && hasTraded(row)) loss = addPaise(loss, lossOf(row, prices));
  }
  return loss;
}

function lossOf(row: Position, prices: LastPrices): Paise {
  const paid = subtractPaise(buyAmount(row), sellAmount(row));
  const net = netQuantity(row);
  if (net === 0) return paid;
  return subtractPaise(paid, amountOf(prices.of(row.instrument), net as Quantity));
}

/** The last traded prices of one look, each found once. */
class LastPrices {
  private readonly state: State;
  private readonly desk: Desk;
  private readonly known = new Map<InstrumentId, Price>();

  constructor(state: State, desk: Desk) {
    this.state = state;
    this.desk = desk;
  }

  of(id: InstrumentId): Price {
    const known = this.known.get(id);
    if (known !== undefined) return known;
    const price = lastTradedPrice(venueOf(this.state, this.desk, instrumentOf(this.desk, id)));
    this.known.set(id, price);
    return price;
  }
}
