/**
 * How operators change the access of users: order sources and rates, and risk groups.
 * Every change is a command of the engine; reads come from its state.
 */
import { formatRupees } from '../../base/decimal.ts';
import type { AccountId } from '../../base/ids.ts';
import { canonicalAddress } from '../../base/net/ip-address.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { formatIsoDay, formatIstMoment } from '../../base/time.ts';
import type { OrderRate } from '../../core/access/access-terms.ts';
import { lastKeyDay } from '../../core/access/api-key.ts';
import type { Account } from '../../core/account.ts';
import type { RiskGroup } from '../../core/broker/account/risk-group-terms.ts';
import type { SetAddresses, SetOrderRate, SetRiskGroup } from '../../core/command.ts';
import { refusalText } from '../../core/refusals/refusal-text.ts';
import { accountOf } from '../../core/state.ts';
import { type EnginePort, OPERATOR } from '../../engine/port.ts';
import { accountsInSlices } from './in-slices.ts';
import type { Grounds } from './switch-operations.ts';

export interface AccessDeskParts {
  readonly engine: EnginePort;
  /** Reports every change. */
  readonly log: (message: string) => void;
}

/** A user as operators see him. */
export interface UserRow {
  readonly userId: string;
  readonly name: string;
  readonly demo: boolean;
  readonly totp: boolean;
  /** The last day on which the API key is good, `YYYY-MM-DD`. */
  readonly keyGoodUntil: string;
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
  /** The user's own risk group; absent for the usual one. */
  readonly riskGroup?: RiskGroupRow;
}

/** A risk group as an operator sees it: the cap of a cash order in rupees. */
export type RiskGroupRow = Omit<RiskGroup, 'orderValueCap'> & { readonly orderValueCap: string };

/**
 * Sets where a user's orders may come from, how many a second and what they may be: commands like all others, journaled
 * with who and why.
 */
export class AccessOperations {
  private readonly parts: AccessDeskParts;

  constructor(parts: AccessDeskParts) {
    this.parts = parts;
  }

  /**
   * The users in the order of registration, at most `most` of those whose id or name contains a text, whatever its
   * letter case.
   */
  async list(contains = '', most = Number.POSITIVE_INFINITY): Promise<readonly UserRow[]> {
    const rows: UserRow[] = [];
    const wanted = contains.toLowerCase();
    await accountsInSlices(this.parts.engine, (account) => {
      if (rows.length >= most) return false;
      if (`${account.userId}\n${account.name}`.toLowerCase().includes(wanted)) rows.push(rowOf(account));
      return true;
    });
    return rows;
  }

  /**
   * Fixes the addresses of a user's orders, or lets them come from anywhere when there is none. The row as it is then,
   * or a message.
   */
  async fix(userId: string, texts: readonly string[], { by, why }: Grounds): Promise<Result<UserRow, string>> {
    const addresses: string[] = [];
    for (const text of texts) {
      const address = canonicalAddress(text);
      if (address === undefined) return fail(`${JSON.stringify(text)} is not an IP address`);
      if (addresses.includes(address)) return fail(`${address} is there twice`);
      addresses.push(address);
    }
    return this.set(userId, by, why, addressesText, (account) => {
      return { type: 'SetAddresses', account, addresses, by, why };
    });
  }

  /** Gives a user an order rate of his own, or takes it away. The row as it is then, or a message. */
  async rate(userId: string, rate: OrderRate | undefined, { by, why }: Grounds): Promise<Result<UserRow, string>> {
    return this.set(userId, by, why, rateText, (account) => {
      return { type: 'SetOrderRate', account, ...(rate && { rate }), by, why };
    });
  }

  /**
   * Changes what a change names of a user's risk group, or gives him the usual one when there is none. The row as it is
   * then, or a message.
   */
  async group(
    userId: string,
    change: Partial<RiskGroup> | undefined,
    { by, why }: Grounds,
  ): Promise<Result<UserRow, string>> {
    return this.set(userId, by, why, riskGroupText, (account) => {
      return { type: 'SetRiskGroup', account, ...(change && { change }), by, why };
    });
  }

  private async set(
    userId: string,
    by: string,
    why: string,
    textOf: (row: UserRow) => string,
    commandOf: (account: AccountId) => SetAddresses | SetOrderRate | SetRiskGroup,
  ): Promise<Result<UserRow, string>> {
    const { engine, log } = this.parts;
    const account = await engine.read((state) => state.accountByUser.get(userId));
    if (account === undefined) return fail(`there is no user ${userId}`);
    const reply = await engine.submit({ command: commandOf(account), origin: OPERATOR });
    if (reply.type === 'Refused') return fail(refusalText(reply.refusal, { userId }));
    const row = await engine.read((state) => rowOf(accountOf(state, account)));
    log(`orders of ${userId} ${textOf(row)}, by ${by}: ${why}`);
    return ok(row);
  }
}

function addressesText({ fixed, addresses }: UserRow): string {
  return fixed ? `come from ${addresses.join(' and ')} only` : 'come from anywhere';
}

function rateText({ orderRate }: UserRow): string {
  return orderRate === undefined ? 'have the rate of the service' : `are ${orderRate.perSecond} a second at most`;
}

/** The rules for the orders of a user, by his risk group. */
export function riskGroupText({ riskGroup }: UserRow): string {
  if (riskGroup === undefined) return 'are of the usual risk group';
  const { name, orderValueCap, products, exchanges } = riskGroup;
  const what = `${products.join(', ')} on ${exchanges.join(', ')}`;
  return `are of the risk group ${name}: ${what}, in cash up to INR ${orderValueCap}`;
}

function rowOf(account: Account): UserRow {
  const { userId, name, demo, usesTotp, sessions, orders, access, riskGroup } = account;
  const { registered, fixed = false, orderRate } = access ?? {};
  return {
    userId,
    name,
    demo,
    totp: usesTotp,
    keyGoodUntil: formatIsoDay(lastKeyDay(account)),
    sessions: sessions.length,
    orders: orders.length,
    addresses: registered?.addresses ?? [],
    ...(registered && { addressesSince: formatIstMoment(registered.since) }),
    fixed,
    ...(orderRate && { orderRate }),
    ...(riskGroup && { riskGroup: { ...riskGroup, orderValueCap: formatRupees(riskGroup.orderValueCap) } }),
  };
}
