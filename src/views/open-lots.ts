/**
 * The open lot of every position row that was traded or carried today: what it costs on average is the net price of
 * the running model. Units that are added move the average, units that are closed leave it, and units beyond flat
 * begin a lot of their own. A day begins with the carried units, at their basis. Only the answers on positions depend
 * on it. Source: market-rules R5.6, R5.8, R5.9.
 */
import { type Complete, type Json, places, whole } from '../base/codec.ts';
import type { AccountId, InstrumentId } from '../base/ids.ts';
import {
  addPaise,
  amountOf,
  type Paise,
  type Quantity,
  scaleHalfUp,
  subtractPaise,
  ZERO_PAISE,
} from '../base/money.ts';
import { type Account, type Position, positionKey } from '../core/account.ts';
import type { Event, PositionConverted, TradeSide } from '../core/event.ts';
import type { Product, Side } from '../core/order.ts';
import { AccountTable } from '../core/portions/account-table.ts';
import { accountsWithin, begunBy, type NumberRange } from '../core/portions/portion.ts';
import { buyAmount, buyQuantity, netQuantity, sellAmount, sellQuantity } from '../core/position.ts';
import type { State } from '../core/state.ts';

/** The open units of one position row, by the running model. */
interface Lot {
  /** Units open, negative when short. */
  net: number;
  /**
   * The units that the average is made of, and what they cost or brought: those that were open when one was last added.
   * Closing units rounds nothing.
   */
  units: number;
  amount: Paise;
  /** True while these are all units of the row's side, so that the aggregate model says the same. */
  whole: boolean;
}

/** Units that a conversion moves, as far as lots need to know. */
type MovedUnits = Pick<PositionConverted, 'account' | 'instrument' | 'from' | 'to' | 'side' | 'quantity' | 'amount'>;

type LotRow = readonly [account: AccountId, key: number, net: number, units: number, amount: Paise];

export class OpenLots {
  private readonly byAccount = new AccountTable<Map<number, Lot>>();

  /** `state` has taken the whole record of the event already. */
  apply(event: Event, state: State): void {
    switch (event.type) {
      case 'Traded': {
        const { instrument, quantity, buy, sell } = event;
        const amount = amountOf(event.price, quantity);
        if (buy !== undefined) this.fill(buy, instrument, 'B', quantity, amount);
        if (sell !== undefined) this.fill(sell, instrument, 'S', quantity, amount);
        return;
      }
      case 'PositionSettled': {
        const { instrument, side, quantity, price } = event;
        return this.fill(event, instrument, side, quantity, amountOf(price, quantity));
      }
      case 'PositionConverted':
        return this.convert(event);
      // The record that begins a day trades nothing.
      case 'DayRolled':
      case 'AccountsRolled':
        return this.beginWithin(state, begunBy(event));
      default:
    }
  }

  /**
   * The cost or the proceeds of the open units of a row, in paise, at least 0; `undefined` where the aggregate model
   * says the same. Source: market-rules R5.6.
   */
  openAmountOf(account: AccountId, { instrument, product }: Position): Paise | undefined {
    const lot = this.byAccount.get(account)?.get(positionKey(instrument, product));
    return lot === undefined || lot.whole ? undefined : openAmount(lot);
  }

  /** The lots that the aggregate model does not give, by account and row. */
  rows(): readonly LotRow[] {
    const rows: LotRow[] = [];
    for (const [account, lots] of this.byAccount) {
      for (const [key, { net, units, amount, whole }] of lots) {
        if (!whole && net !== 0) rows.push([account, key, net, units, amount]);
      }
    }
    return rows.sort(([one, key], [other, otherKey]) => one - other || key - otherKey);
  }

  /** Takes the next row of `rows`. Throws `Undecodable`. */
  take(stored: Json): void {
    const row = places(stored, 'a lot', 5);
    const lot = {
      net: whole(row[2], 'net'),
      units: whole(row[3], 'units'),
      amount: whole(row[4], 'amount'),
      whole: false,
    } satisfies Complete<Lot>;
    this.lotsOf(whole(row[0], 'account')).set(whole(row[1], 'key'), lot);
  }

  /**
   * Lets every row stand at the average of its side: as a day begins, at the basis of what is carried. Before rows are
   * taken, too.
   */
  begin({ accounts }: { readonly accounts: Iterable<Pick<Account, 'id' | 'positions'>> }): void {
    this.byAccount.clear();
    for (const account of accounts) this.beginAccount(account);
  }

  /** As `begin`, for the accounts of one portion. */
  private beginWithin(state: State, range: NumberRange): void {
    for (const [id] of this.byAccount.within(range.from, range.to)) this.byAccount.delete(id);
    for (const account of accountsWithin(state, range)) this.beginAccount(account);
  }

  private beginAccount({ id, positions }: Pick<Account, 'id' | 'positions'>): void {
    if (positions.size === 0) return;
    const lots = this.lotsOf(id);
    for (const [key, row] of positions) lots.set(key, lotOfSide(row));
  }

  /** Takes a fill of a row in. */
  fill(
    { account, product }: Pick<TradeSide, 'account' | 'product'>,
    instrument: InstrumentId,
    side: Side,
    units: Quantity,
    amount: Paise,
  ): void {
    trade(this.lotOf(account, instrument, product), side === 'B' ? units : -units, amount);
  }

  /** Units with what they are moved at leave one row and come to the other. Source: market-rules R5.16. */
  convert({ account, instrument, from, to, side, quantity, amount }: MovedUnits): void {
    const units = side === 'B' ? quantity : -quantity;
    leave(this.lotOf(account, instrument, from), units, amount);
    trade(this.lotOf(account, instrument, to), units, amount);
  }

  private lotOf(account: AccountId, instrument: InstrumentId, product: Product): Lot {
    const lots = this.lotsOf(account);
    const key = positionKey(instrument, product);
    const known = lots.get(key);
    if (known !== undefined) return known;
    const lot: Lot = { net: 0, units: 0, amount: ZERO_PAISE, whole: true };
    lots.set(key, lot);
    return lot;
  }

  private lotsOf(account: AccountId): Map<number, Lot> {
    const known = this.byAccount.get(account);
    if (known !== undefined) return known;
    const lots = new Map<number, Lot>();
    this.byAccount.set(account, lots);
    return lots;
  }
}

function lotOfSide(row: Position): Lot {
  const net = netQuantity(row);
  const [units, amount] = net >= 0 ? [buyQuantity(row), buyAmount(row)] : [sellQuantity(row), sellAmount(row)];
  return { net, units, amount, whole: true };
}

function openAmount({ net, units, amount }: Lot): Paise {
  return net === 0 ? ZERO_PAISE : scaleHalfUp(amount, Math.abs(net), units);
}

/** `units` are bought or, below 0, sold for `amount`. */
function trade(lot: Lot, units: number, amount: Paise): void {
  const { net } = lot;
  const after = net + units;
  if (net * units >= 0) {
    add(lot, Math.abs(units), amount);
  } else if (after * units > 0) {
    lot.units = Math.abs(after);
    lot.amount = scaleHalfUp(amount, lot.units, Math.abs(units));
    lot.whole = false;
  }
  lot.net = after;
}

/** Once a part of the lot was closed, the rest of it begins again beside the units that are added. */
function add(lot: Lot, units: number, amount: Paise): void {
  const open = Math.abs(lot.net);
  if (open < lot.units) {
    lot.amount = openAmount(lot);
    lot.units = open;
    lot.whole = false;
  }
  lot.units += units;
  lot.amount = addPaise(lot.amount, amount);
}

/**
 * Open units are converted away. From a whole side they take what they are moved at, and the result stays. Of any other
 * lot that is not what they stand at: they leave at its average, and the difference is a result of the row.
 */
function leave(lot: Lot, units: number, amount: Paise): void {
  if (lot.whole) {
    lot.units -= Math.abs(units);
    lot.amount = subtractPaise(lot.amount, amount);
  }
  lot.net -= units;
}
