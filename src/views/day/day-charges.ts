/**
 * The charges of the running day so far, account by account, as the contract note would have them now. They follow the
 * trade book: a look costs the work of the fills since the last one. They only save time and are not stored.
 */

import type { OrderNumber } from '../../base/ids.ts';
import { ZERO_PAISE, ZERO_QUANTITY } from '../../base/money.ts';
import type { IstDay } from '../../base/time.ts';
import type { Account, ConvertedCharges } from '../../core/account.ts';
import { executedParts } from '../../core/broker/settlement/converted-charges.ts';
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

  /** Takes in at most `most` fills that it has not taken. True when there are no others. */
  follow({ state, trades, charges }: ChargesSource, account: Account, most: number): boolean {
    const followed = this.followedOf(state, charges, account);
    if (followed === undefined) return true;
    const { converted } = account;
    const units = new Map(converted?.units);
    const fills = trades.fillsOf(account.id);
    const end = Math.min(fills.length, followed.fills + most);
    const touched = new Set<OrderNumber>();
    for (let i = followed.fills; i < end; i += 1) touched.add((fills[i] as (typeof fills)[number]).order);
    if (converted !== followed.converted) {
      for (const [order] of followed.converted?.units ?? []) touched.add(order);
      for (const order of units.keys()) touched.add(order);
      followed.converted = converted;
    }
    followed.fills = end;
    for (const order of touched)
      this.addAgain(followed, order, executedParts(orderOf(state, order), units.get(order) ?? ZERO_QUANTITY));
    return end === fills.length;
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

  /** `undefined` on a day that charges nothing. */
  private followedOf({ day }: State, charges: ChargeTable, account: Account): Followed | undefined {
    const known = this.known.get(account);
    if (known?.day === day) return known;
    const rates = charges.on(day);
    if (rates === undefined) return undefined;
    const begun = { day, note: new RunningNote(rates), fills: 0, converted: undefined, parts: new Map() };
    this.known.set(account, begun);
    return begun;
  }
}
