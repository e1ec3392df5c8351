import type { AccountId } from '../base/ids.ts';
import { canonicalAddress } from '../base/ip-address.ts';
import { fail, ok, type Result } from '../base/result.ts';
import type { OrderRate } from '../core/access/access.ts';
import type { SetAddresses, SetOrderRate } from '../core/command.ts';
import { refusalText } from '../core/refusal-text.ts';
import { type Account, accountOf } from '../core/state.ts';
import type { EnginePort } from '../engine/port.ts';
import type { Grounds } from './switch-desk.ts';
import { momentText } from './why-report.ts';

export interface AccessDeskParts {
  readonly engine: EnginePort;
  /** Told of everything that is changed. */
  readonly log: (message: string) => void;
}

/** What an operator sees of a user. */
export interface UserRow {
  readonly userId: string;
  readonly name: string;
  readonly demo: boolean;
  readonly totp: boolean;
  /** Live sessions. */
  readonly sessions: number;
  /** Of today. */
  readonly orders: number;
  /** The registered addresses, the primary one first, and since when they are these, in IST. */
  readonly addresses: readonly string[];
  readonly addressesSince?: string;
  /** Whether orders may come from these addresses only. */
  readonly fixed: boolean;
  /** The user's own order rate; absent when the service's setting counts. */
  readonly orderRate?: OrderRate;
}

/** Sets where a user's orders may come from and how many a second: commands like all others, journaled with who and why. */
export class AccessDesk {
  private readonly parts: AccessDeskParts;

  constructor(parts: AccessDeskParts) {
    this.parts = parts;
  }

  /** Every user, in the order of registration. */
  async list(): Promise<readonly UserRow[]> {
    return this.parts.engine.read(({ accounts }) => accounts.map(rowOf));
  }

  /** Fixes the addresses of a user's orders, or lets them come from anywhere when there is none. The row as it is then, or a message. */
  async fix(userId: string, texts: readonly string[], { by, why }: Grounds): Promise<Result<UserRow, string>> {
    const addresses: string[] = [];
    for (const text of texts) {
      const address = canonicalAddress(text);
      if (address === undefined) return fail(`${JSON.stringify(text)} is no IP address`);
      if (addresses.includes(address)) return fail(`${address} is there twice`);
      addresses.push(address);
    }
    const words = addresses.length === 0 ? 'come from anywhere' : `come from ${addresses.join(' and ')} only`;
    return this.set(userId, words, by, why, (account) => ({ type: 'SetAddresses', account, addresses, by, why }));
  }

  /** Gives a user an order rate of his own, or takes it away. The row as it is then, or a message. */
  async rate(userId: string, rate: OrderRate | undefined, { by, why }: Grounds): Promise<Result<UserRow, string>> {
    const words = rate === undefined ? 'have the rate of the service' : `are ${rate.perSecond} a second at most`;
    return this.set(userId, words, by, why, (account) => {
      return { type: 'SetOrderRate', account, ...(rate && { rate }), by, why };
    });
  }

  private async set(
    userId: string,
    words: string,
    by: string,
    why: string,
    commandOf: (account: AccountId) => SetAddresses | SetOrderRate,
  ): Promise<Result<UserRow, string>> {
    const { engine, log } = this.parts;
    const account = await engine.read((state) => state.accountByUser.get(userId));
    if (account === undefined) return fail(`there is no user ${userId}`);
    const reply = await engine.submit(commandOf(account));
    if (reply.type === 'Refused') return fail(refusalText(reply.refusal, { userId }));
    log(`orders of ${userId} ${words}, by ${by}: ${why}`);
    return ok(await engine.read((state) => rowOf(accountOf(state, account))));
  }
}

function rowOf({ userId, name, demo, usesTotp, sessions, orders, access }: Account): UserRow {
  const { registered, fixed = false, orderRate } = access ?? {};
  return {
    userId,
    name,
    demo,
    totp: usesTotp,
    sessions: sessions.length,
    orders: orders.length,
    addresses: registered?.addresses ?? [],
    ...(registered && { addressesSince: momentText(registered.since) }),
    fixed,
    ...(orderRate && { orderRate }),
  };
}
