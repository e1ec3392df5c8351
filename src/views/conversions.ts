import type { AccountId } from '../base/ids.ts';
import { positionKey } from '../core/account.ts';
import type { Event, PositionConverted } from '../core/event.ts';

export type ConversionsDump = readonly (readonly [account: AccountId, keys: readonly number[]])[];

const NO_ROWS: ReadonlySet<number> = new Set();

/**
 * The position rows, by `positionKey`, from which conversions of the trading day took: one that they emptied is as a row never traded, and is
 * shown. A new day begins empty. Source: market-rules R5.1.
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

  dump(): ConversionsDump {
    return Array.from(this.byAccount, ([account, keys]) => [account, [...keys]] as const);
  }

  static load(dump: ConversionsDump): Conversions {
    const conversions = new Conversions();
    for (const [account, keys] of dump) conversions.byAccount.set(account, new Set(keys));
    return conversions;
  }

  private add({ account, instrument, from }: PositionConverted): void {
    const key = positionKey(instrument, from);
    const keys = this.byAccount.get(account);
    if (keys === undefined) this.byAccount.set(account, new Set([key]));
    else keys.add(key);
  }
}
