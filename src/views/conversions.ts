import { type Json, pair, whole } from '../base/codec.ts';
import type { AccountId } from '../base/ids.ts';
import type { StoredRow } from '../base/stored-tables.ts';
import { positionKey } from '../core/account.ts';
import type { Event, PositionConverted } from '../core/event.ts';

const rowOf = pair(whole<AccountId>, whole<number>);

const NO_ROWS: ReadonlySet<number> = new Set();

/**
 * The position rows, by `positionKey`, from which conversions of the trading day took: one that they emptied is as a
 * row never traded, and is shown. A new day begins empty. Source: market-rules R5.1.
 */
export class Conversions {
  private readonly byAccount = new Map<AccountId, Set<number>>();

  apply(event: Event): void {
    if (event.type === 'DayRolled') this.byAccount.clear();
    else if (event.type === 'PositionConverted') this.add(event);
  }

  originsOf(account: AccountId): ReadonlySet<number> {
    return this.byAccount.get(account) ?? NO_ROWS;
  }

  /** Each position row in a row with its account. */
  *rows(): Generator<StoredRow> {
    for (const [account, keys] of this.byAccount) for (const key of keys) yield [account, key];
  }

  /** Takes the next row of `rows`. Throws `Undecodable`. */
  take(stored: Json): void {
    this.file(...rowOf(stored, 'a conversion'));
  }

  private add({ account, instrument, from }: PositionConverted): void {
    this.file(account, positionKey(instrument, from));
  }

  private file(account: AccountId, key: number): void {
    const keys = this.byAccount.get(account);
    if (keys === undefined) this.byAccount.set(account, new Set([key]));
    else keys.add(key);
  }
}
