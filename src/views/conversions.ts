/**
 * The conversions of the trading day by account, oldest first, and the position rows that they took from: a row that
 * they emptied is as one never traded, and is shown. A new day begins empty. Source: market-rules R5.1, R5.16.
 */
import { type Complete, type Json, oneOf, places, whole } from '../base/codec.ts';
import type { AccountId, InstrumentId } from '../base/ids.ts';
import type { StoredRow } from '../base/stored-tables.ts';
import type { EpochMs } from '../base/time.ts';
import { positionKey } from '../core/account.ts';
import type { Event, PositionConverted } from '../core/event.ts';
import { AccountTable } from '../core/portions/account-table.ts';
import { productOf, sideOf } from '../core/snapshot/order-codec.ts';

/** Units that went from one row of an instrument to another. */
export interface Conversion
  extends Pick<PositionConverted, 'instrument' | 'from' | 'to' | 'side' | 'age' | 'quantity' | 'amount'> {
  readonly at: EpochMs;
}

/** An account's conversions, and the keys of the rows that they took from. */
interface Converted {
  readonly conversions: Conversion[];
  readonly origins: Set<number>;
}

const ageOf = oneOf('day', 'carried');

const NO_ROWS: ReadonlySet<number> = new Set();
const NO_CONVERSIONS: readonly Conversion[] = [];

export class Conversions {
  private readonly byAccount = new AccountTable<Converted>();

  apply(at: EpochMs, event: Event): void {
    if (event.type === 'DayRolled') this.byAccount.clear();
    else if (event.type === 'PositionConverted') {
      const { account, instrument, from, to, side, age, quantity, amount } = event;
      this.file(account, { at, instrument, from, to, side, age, quantity, amount });
    }
  }

  /** The keys, by `positionKey`, of the rows that conversions took from. */
  originsOf(account: AccountId): ReadonlySet<number> {
    return this.byAccount.get(account)?.origins ?? NO_ROWS;
  }

  conversionsOf(account: AccountId): readonly Conversion[] {
    return this.byAccount.get(account)?.conversions ?? NO_CONVERSIONS;
  }

  /** Each conversion in a row with its account. */
  *rows(): Generator<StoredRow> {
    for (const [account, { conversions }] of this.byAccount) {
      for (const { at, instrument, from, to, side, age, quantity, amount } of conversions)
        yield [account, at, instrument, from, to, side, age, quantity, amount];
    }
  }

  /** Takes the next row of `rows`. Throws `Undecodable`. */
  take(stored: Json): void {
    const row = places(stored, 'a conversion', 9);
    const instrument: InstrumentId = whole(row[2], 'instrument');
    this.file(whole(row[0], 'account'), {
      at: whole(row[1], 'at'),
      instrument,
      from: productOf(row[3], 'from'),
      to: productOf(row[4], 'to'),
      side: sideOf(row[5], 'side'),
      age: ageOf(row[6], 'age'),
      quantity: whole(row[7], 'quantity'),
      amount: whole(row[8], 'amount'),
    } satisfies Complete<Conversion>);
  }

  private file(account: AccountId, conversion: Conversion): void {
    const known = this.byAccount.get(account) ?? { conversions: [], origins: new Set<number>() };
    this.byAccount.set(account, known);
    known.conversions.push(conversion);
    known.origins.add(positionKey(conversion.instrument, conversion.from));
  }
}
