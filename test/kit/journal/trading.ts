import { createHash } from 'node:crypto';
import type { AccountId, OrderNumber } from '../../../src/base/ids.ts';
import type { Paise, Price, Quantity } from '../../../src/base/money.ts';
import type { Random } from '../../../src/base/random.ts';
import type { Command } from '../../../src/core/command.ts';
import { type OrderTerms, PRICE_TYPES, type PriceType } from '../../../src/core/order.ts';
import { EQUITIES } from './small-market.ts';

export const USERS = 4;

/** Registers the users and gives each money and shares. */
export function opening(): Command[] {
  return Array.from({ length: USERS }, (_, index) => index as AccountId).flatMap((account): Command[] => [
    {
      type: 'RegisterUser',
      userId: `USER${account}`,
      name: `User ${account}`,
      email: `user${account}@example.org`,
      sealedCredentials: 'sealed',
      usesTotp: account % 2 === 0,
      demo: false,
    },
    { type: 'DepositCash', account, amount: 1_000_000_00 as Paise, opening: true },
    ...EQUITIES.map(({ id }) => {
      return {
        type: 'CreditHolding',
        account,
        instrument: id,
        quantity: 500 as Quantity,
        cost: 500_00_00 as Paise,
      } as const;
    }),
  ]);
}

/** The memory of a driver of random trading: enough to name orders and sessions that exist. */
export interface Memory {
  readonly orders: { readonly number: OrderNumber; readonly account: AccountId }[];
  readonly sessions: string[];
}

/** A digest of a made-up session token. */
function tokenDigest(random: Random): string {
  return createHash('sha256').update(`token ${random.next()} ${random.next()}`).digest('hex');
}

/** A random command of a client. `remarks` marks a placement. */
export function clientCommand(random: Random, memory: Memory, remarks: string): Command {
  const account = random.below(USERS) as AccountId;
  const roll = random.below(100);
  const known = memory.orders.length > 0 ? random.pick(memory.orders.slice(-30)) : undefined;
  if (roll < 50 || known === undefined) return placement(random, account, remarks);
  if (roll < 65) return { type: 'CancelOrder', account: known.account, order: known.number };
  if (roll < 80)
    return { type: 'ModifyOrder', account: known.account, order: known.number, terms: randomTerms(random) };
  if (roll < 88) {
    return {
      type: 'ConvertPosition',
      account,
      instrument: random.pick(EQUITIES).id,
      from: random.pick(['C', 'I']),
      to: random.pick(['C', 'I']),
      quantity: random.between(1, 5) as Quantity,
      side: random.pick(['B', 'S']),
      age: 'day',
    };
  }
  const digest = memory.sessions.length > 0 ? random.pick(memory.sessions) : undefined;
  if (roll < 94 || digest === undefined) return { type: 'OpenSession', account, tokenDigest: tokenDigest(random) };
  return { type: random.pick(['TouchSession', 'CloseSession']), tokenDigest: digest };
}

function placement(random: Random, account: AccountId, remarks: string): Command {
  return {
    type: 'PlaceOrder',
    account,
    instrument: random.pick(EQUITIES).id,
    side: random.pick(['B', 'S']),
    product: random.pick(['C', 'I']),
    terms: randomTerms(random),
    remarks,
  };
}

function randomTerms(random: Random): OrderTerms {
  const priceType: PriceType = random.pick([...PRICE_TYPES, 'LMT', 'LMT', 'LMT']);
  const near = (): Price => (100_00 + random.between(-12, 12) * 5) as Price;
  const quantity = random.between(1, 40) as Quantity;
  const limited = priceType === 'LMT' || priceType === 'SL-LMT';
  const stop = priceType === 'SL-LMT' || priceType === 'SL-MKT';
  return {
    priceType,
    retention: !stop && random.chance(15) ? 'IOC' : 'DAY',
    quantity,
    price: limited ? near() : (0 as Price),
    trigger: stop ? near() : (0 as Price),
  };
}
