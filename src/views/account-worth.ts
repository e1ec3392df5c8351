/**
 * The worth of an account at a tick: its money, and what is held at the last prices. It changes by results, by charges,
 * and by what is paid in and out, and by nothing else, whatever days end in between.
 */
import type { Tick } from '../base/ids.ts';
import { addPaise, amountOf, type Paise, type Quantity, subtractPaise, ZERO_PAISE } from '../base/money.ts';
import { type Account, heldUnits, type Position } from '../core/account.ts';
import { DAY_END_STEPS } from '../core/broker/settlement/day-end-steps.ts';
import { MONEY_BOOKS } from '../core/ledger/books.ts';
import type { MarketData } from '../core/market.ts';
import { carriedAmount, netQuantity, settlementWay } from '../core/position.ts';
import { positionFigures } from '../core/query.ts';
import type { State } from '../core/state.ts';
import { lastPrice } from './quote.ts';
import type { Views } from './views.ts';

/** In paise. */
export interface AccountWorth {
  /** Money of all books, with the charges that are posted, and positions and shares at the last prices. */
  readonly worth: Paise;
  /**
   * The open result: of positions as `positionBook` has it, and of shares against their cost as `getHoldings` has it.
   * For held shares that were sold today the two sum to the proceeds less the cost.
   */
  readonly open: Paise;
}

/** The parts that prices come from. */
export interface Priced {
  readonly state: State;
  readonly views: Views;
  readonly market: MarketData;
}

const SHARES_BOOKED = DAY_END_STEPS.indexOf('HoldingsRoll');

/** The worth of an account at the last prices of a tick. */
export function accountWorth({ state, views, market }: Priced, account: Account, tick: Tick): AccountWorth {
  let worth = ZERO_PAISE;
  let open = ZERO_PAISE;
  for (const book of MONEY_BOOKS) worth = addPaise(worth, account.books[book]);
  const areSharesBooked = state.dayEnd !== undefined && DAY_END_STEPS.indexOf(state.dayEnd) >= SHARES_BOOKED;
  for (const row of account.positions.values()) {
    if (areSharesBooked && settlementWay(row.kind, row.product) === 'delivery') continue;
    const last = netQuantity(row) === 0 ? row.mark : lastPrice(views, market, row.instrument, tick);
    worth = addPaise(worth, rowValue(row, amountOf(last, Math.abs(netQuantity(row)) as Quantity)));
    open = addPaise(open, positionFigures(row, last).unrealised);
  }
  for (const holding of account.holdings.values()) {
    const units = heldUnits(holding);
    if (units === 0) continue;
    const value = amountOf(lastPrice(views, market, holding.instrument, tick), units);
    worth = addPaise(worth, value);
    open = addPaise(open, subtractPaise(value, holding.cost));
  }
  return { worth, open };
}

/** The value of a row beside what the books have of it, by the worth of its open units. */
function rowValue(row: Position, units: Paise): Paise {
  const isShort = netQuantity(row) < 0;
  if (settlementWay(row.kind, row.product) !== 'result') return isShort ? subtractPaise(ZERO_PAISE, units) : units;
  const carried = carriedAmount(row);
  return isShort ? subtractPaise(carried, units) : subtractPaise(units, carried);
}
