import type { AccountId, OrderNumber } from '../../src/base/ids.ts';
import { price, quantity } from '../../src/base/money.ts';
import type { Random } from '../../src/base/random.ts';
import type { OrderTerms, PriceType, Side } from '../../src/core/order.ts';
import { STEP } from './wandering-market.ts';

export const ACCOUNTS = 5;

/**
 * The content of a random command. Prices are steps from the last traded price of the moment, so that orders meet;
 * orders are named by number.
 */
export type BookCommand =
  | {
      readonly type: 'submit';
      readonly number: OrderNumber;
      readonly account: AccountId;
      readonly side: Side;
      readonly priceType: PriceType;
      readonly retention: OrderTerms['retention'];
      readonly units: number;
      readonly away: number;
      /** From the trigger to the limit, on the side that the limit may be. */
      readonly slack: number;
    }
  | { readonly type: 'replace'; readonly number: OrderNumber; readonly change: Change }
  | { readonly type: 'cancel'; readonly number: OrderNumber }
  | { readonly type: 'move' };

/** A change of terms; what is absent stays as it is. */
export interface Change {
  readonly units?: number;
  readonly away?: number;
  readonly priceType?: PriceType;
  readonly slack?: number;
  readonly ioc?: boolean;
}

/** Random commands of one seed. They depend on nothing but the draws, so that some of them can be left out. */
export function randomCommands(random: Random, count: number): BookCommand[] {
  const commands: BookCommand[] = [];
  let lastNumber = 0;
  for (let index = 0; index < count; index += 1) {
    const roll = random.below(100);
    if (roll < 48 || lastNumber === 0) {
      lastNumber += 1;
      commands.push(submission(random, lastNumber as OrderNumber));
      continue;
    }
    const number = (lastNumber - Math.min(lastNumber - 1, Math.floor(random.below(40) ** 2 / 40))) as OrderNumber;
    if (roll < 68) commands.push({ type: 'replace', number, change: randomChange(random) });
    else if (roll < 75) commands.push({ type: 'cancel', number });
    else commands.push({ type: 'move' });
  }
  return commands;
}

function submission(random: Random, number: OrderNumber): BookCommand {
  const priceType = random.chance(20)
    ? random.pick(['SL-LMT', 'SL-MKT'] as const)
    : random.pick(['LMT', 'LMT', 'LMT', 'MKT'] as const);
  const stop = priceType.startsWith('SL');
  const account = random.below(ACCOUNTS) as AccountId;
  return {
    type: 'submit',
    number,
    account,
    side: random.pick(['B', 'S']),
    priceType,
    retention: !stop && random.chance(15) ? 'IOC' : 'DAY',
    units: random.chance(10) ? random.between(40, 150) : random.between(1, 25),
    away: stop ? random.between(-1, 4) : random.between(-2, 5),
    slack: random.between(0, 4),
  };
}

function randomChange(random: Random): Change {
  switch (random.below(8)) {
    case 0:
    case 1:
      return { units: -random.between(1, 12) };
    case 2:
      return { units: random.between(1, 12) };
    case 3:
      return { away: random.between(-3, 4) };
    case 4:
      return { away: random.between(-2, 4), units: random.between(-6, 6) };
    case 5:
      return { priceType: 'SL-LMT', away: random.between(-1, 4), slack: random.between(0, 3) };
    case 6:
      return { priceType: 'LMT', away: random.between(-2, 4) };
    default:
      return random.chance(40) ? { ioc: true } : { units: 0 };
  }
}

/**
 * The terms of a submission at a last price. `away` is how far behind it the price is, and the trigger in front of it.
 */
export function termsOf(command: Extract<BookCommand, { type: 'submit' }>, last: number): OrderTerms {
  const { side, priceType, retention, units, away, slack } = command;
  return { priceType, retention, quantity: quantity(units), ...pricesOf(side, priceType, away, slack, last) };
}

/** The terms that an order would have; `undefined` when a broker would not let them pass. */
export function changedTerms(
  { side, terms, filled }: { side: Side; terms: OrderTerms; filled: number },
  change: Change,
  last: number,
): OrderTerms | undefined {
  const units = terms.quantity + (change.units ?? 0);
  if (units <= filled) return undefined;
  const priceType = change.priceType ?? terms.priceType;
  const prices = change.away === undefined ? {} : pricesOf(side, priceType, change.away, change.slack ?? 1, last);
  const retention = change.ioc === true && !priceType.startsWith('SL') ? 'IOC' : terms.retention;
  return { ...terms, priceType, retention, quantity: quantity(units), ...prices };
}

function pricesOf(side: Side, priceType: PriceType, away: number, slack: number, last: number) {
  const sign = side === 'B' ? 1 : -1;
  const at = (steps: number) => price(Math.max(STEP, last + steps * STEP));
  if (!priceType.startsWith('SL')) return { price: at(-sign * away), trigger: price(0) };
  return { trigger: at(sign * away), price: at(sign * (away + slack)) };
}
