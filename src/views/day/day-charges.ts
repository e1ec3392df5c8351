/**
 * The charges of the running day so far, account by account, as the contract note would have them now. They follow the
 * trade book: a look costs the work of the fills since the last one. They only save time and are not stored.
 */

import type { OrderNumber } from '../../base/ids.ts';
import { type Quantity, ZERO_PAISE, ZERO_QUANTITY } from '../../base/money.ts';
import type { IstDay } from '../../base/time.ts';
import type { Account, ConvertedCharges } from '../../core/account.ts';
import { convertedUnits, executedParts } from '../../core/broker/settlement/converted-charges.ts';
import type { ChargeTable } from '../../core/charges/charge-rates.ts';
import { type ExecutedOrder, type NoteTotals, noteTotals } from '../../core/charges/contract-note.ts';
import { RunningNote } from '../../core/charges/running-note.ts';
import { orderOf, type State } from '../../core/state.ts';
import type { TradeBook } from '../trade-book.ts';

const NONE: NoteTotals = Object.freeze({
  brokerage: ZERO_PAISE,
  levies: ZERO_PAISE,
  depository: ZERO_PAISE,
  total: ZERO_PAISE,
});

/** How far one account's fills are added up. */
interface Followed {
  readonly day: IstDay;
  readonly note: RunningNote;
  /** Fills of the trade book that are in the note. */
  fills: number;
  converted: ConvertedCharges | undefined;
  /** The units of `converted` by order. */
  units: ReadonlyMap<OrderNumber, Quantity>;
  /** Orders that have changed and are not in the note as they are now. */
  readonly changed: Set<OrderNumber>;
  /** The orders of the note as they were added. */
  readonly parts: Map<OrderNumber, readonly ExecutedOrder[]>;
}

/** The books that charges follow from, of one moment. */
export interface ChargesSource {
  readonly state: State;
  readonly trades: TradeBook;
  readonly charges: ChargeTable;
}

export class DayCharges {
  private readonly known = new WeakMap<Account, Followed>();

  /**
   * Takes in at most `most` fills that it has not taken, and adds at most `most` changed orders up. True when there are
   * no others: a conversion changes many orders at once.
   */
  follow({ state, trades, charges }: ChargesSource, account: Account, most: number): boolean {
    const followed = this.followedOf(state, charges, account);
    if (followed === undefined) return true;
    const { changed } = followed;
    noteConversions(followed, account);
    const fills = trades.fillsOf(account.id);
    const end = Math.min(fills.length, followed.fills + Math.max(0, most - changed.size));
    for (const { order } of fills.slice(followed.fills, end)) changed.add(order);
    followed.fills = end;
    let left = most;
    for (const order of changed) {
      if (left === 0) break;
      left -= 1;
      changed.delete(order);
      const units = followed.units.get(order) ?? ZERO_QUANTITY;
      this.addAgain(followed, order, executedParts(orderOf(state, order), units));
    }
    return changed.size === 0 && end === fills.length;
  }

  /** The charges of the day of an account, as far as its fills were taken in. */
  totals({ state, charges }: Omit<ChargesSource, 'trades'>, account: Account): NoteTotals {
    const followed = this.followedOf(state, charges, account);
    if (followed === undefined) return NONE;
    const { exercises, physicalDeliveries: deliveries } = account;
    return noteTotals(followed.note.note({ exercises, deliveries }));
  }

  private addAgain({ note, parts }: Followed, number: OrderNumber, now: readonly ExecutedOrder[]): void {
    for (const part of parts.get(number) ?? []) note.remove(part);
    for (const part of now) note.add(part);
    parts.set(number, now);
  }

  /**
   * `undefined` on a day that charges nothing, and while the day has not begun for the account: its conversions are
   * those of orders of the day before then.
   */
  private followedOf(state: State, charges: ChargeTable, account: Account): Followed | undefined {
    if (isBefore(state, account)) return undefined;
    const { day } = state;
    const known = this.known.get(account);
    if (known?.day === day) return known;
    const rates = charges.on(day);
    if (rates === undefined) return undefined;
    const note = new RunningNote(rates);
    const begun: Followed = {
      day,
      note,
      fills: 0,
      converted: undefined,
      units: new Map(),
      changed: new Set(),
      parts: new Map(),
    };
    this.known.set(account, begun);
    return begun;
  }
}

/** True while the day begins for other accounts, and its portion with this one comes later. */
function isBefore({ portion }: State, { id }: Account): boolean {
  return portion?.of === 'RollDay' && id >= portion.from;
}

/** Finds the orders whose converted units are others than before. */
function noteConversions(followed: Followed, account: Account): void {
  if (account.converted === followed.converted) return;
  const before = followed.units;
  const units = convertedUnits(account);
  for (const [order, count] of units) if (before.get(order) !== count) followed.changed.add(order);
  for (const order of before.keys()) if (!units.has(order)) followed.changed.add(order);
  followed.converted = account.converted;
  followed.units = units;
}
