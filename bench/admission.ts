import { OrderBook, Side as PeerSide } from 'nodejs-order-book';
import type { AccountId, InstrumentId } from '../src/base/ids.ts';
import { type Paise, type Price, price, type Quantity } from '../src/base/money.ts';
import { Random } from '../src/base/random.ts';
import type { EpochMs, IstDay } from '../src/base/time.ts';
import { availableMargin } from '../src/core/broker/account/funds.ts';
import { needOf } from '../src/core/broker/orders/order-need.ts';
import { basketMargin, type OrderQuestion } from '../src/core/broker/trials/basket-margin.ts';
import { WhatIf } from '../src/core/broker/trials/what-if.ts';
import type { PlaceOrder } from '../src/core/command.ts';
import type { Derivative, Instrument } from '../src/core/instrument.ts';
import type { Ports } from '../src/core/ports.ts';
import { portsAt } from '../src/core/ports.ts';
import { positionFacts } from '../src/core/position.ts';
import { accountOf, emptyState, type State } from '../src/core/state.ts';
import { step } from '../src/core/step.ts';
import { testPorts } from '../test/kit/ports.ts';
import { restingSince } from './resting.ts';
import { type BenchRow, inTurn, median, ratios, spreadOf, timed } from './rows.ts';
import { AT, DAY, option, STILL_MARKET, share } from './still-market.ts';

/*
 * B3: one limit order decided and applied with full admission (numbering, every check of the published order, margin,
 * the book, the blocked margin), beside one `limit` of the package nodejs-order-book. Both rest orders over the same
 * prices; nothing trades. Then the margin check of such an order alone, as a share of the whole of it, against the legs
 * that its portfolio holds, and a basket of fifty orders.
 */

const ORDERS = 4_000;
const ROUNDS = 15;
/** Rounds of both before the first that counts: a service runs for days, its first orders are not what is measured. */
const WARM_ROUNDS = 15;
const LEVELS = 200;
const SHARE = share(2_885);

interface Bench {
  readonly state: State;
  readonly ports: Ports;
}

const EXPIRIES = 4;
const STRIKES = 20;

/** Options of several strikes and expiries, all of one portfolio. */
function leg(number: number): Derivative {
  const listed = option(50_000 + number);
  const strike = price(23_000_00 + 100_00 * (number % STRIKES));
  return { ...listed, strike, expiryDay: (DAY + 7 * (1 + (number % EXPIRIES))) as IstDay } as Derivative;
}

/** An account with money and `legs` option positions in one portfolio. */
function prepare(legs: number): Bench {
  const instruments = new Map<InstrumentId, Instrument>([[SHARE.id, SHARE]]);
  for (let number = 0; number <= legs; number += 1) instruments.set(leg(number).id, leg(number));
  const bench: Bench = {
    state: emptyState(),
    ports: testPorts({ instruments, market: STILL_MARKET }),
  };
  run(bench, { type: 'RollDay', day: DAY });
  const user = {
    userId: 'B3',
    name: 'B3',
    email: 'b3@example.com',
    sealedCredentials: '',
    usesTotp: false,
    demo: true,
  };
  run(bench, { type: 'RegisterUser', ...user });
  run(bench, { type: 'DepositCash', account: 0 as AccountId, amount: 1e14 as Paise, opening: true });
  for (let number = 1; number <= legs; number += 1) {
    run(bench, { ...order(leg(number).id, 'S', 950_00, 65), product: 'M' });
  }
  const held = accountOf(bench.state, 0 as AccountId).positions.size;
  if (held !== legs) throw new Error(`${held} of ${legs} legs are held`);
  return bench;
}

function run({ state, ports }: Bench, command: Parameters<typeof step>[2]['command']): void {
  step(state, ports, { seq: state.seq + 1, at: AT as EpochMs, command });
}

function order(instrument: InstrumentId, side: 'B' | 'S', at: number, units: number): PlaceOrder {
  return {
    type: 'PlaceOrder',
    account: 0 as AccountId,
    instrument,
    side,
    product: 'C',
    terms: { priceType: 'LMT', retention: 'DAY', quantity: units as Quantity, price: at as Price, trigger: price(0) },
    remarks: '',
  };
}

/** Resting buys over the levels below the touch. */
function script(of: InstrumentId, product: 'C' | 'M', units: number): PlaceOrder[] {
  const random = new Random(3);
  return Array.from({ length: ORDERS }, () => ({
    ...order(of, 'B', 999_90 - 5 * random.below(LEVELS), units),
    product,
  }));
}

function ours(bench: Bench, commands: readonly PlaceOrder[]): number {
  const before = bench.state.orders.size;
  const took = timed(() => {
    for (const command of commands) run(bench, command);
  });
  if (restingSince(bench.state, before).length !== commands.length) throw new Error('orders were lost');
  return (took * 1_000) / commands.length;
}

function peers(commands: readonly PlaceOrder[]): number {
  const book = new OrderBook();
  let number = 0;
  const took = timed(() => {
    for (const { terms } of commands) {
      number += 1;
      book.limit({ side: PeerSide.BUY, id: String(number), size: terms.quantity, price: terms.price });
    }
  });
  return (took * 1_000) / commands.length;
}

function measure(what: string, commands: readonly PlaceOrder[], legs: number, goal: number | undefined): BenchRow {
  for (let round = 0; round < WARM_ROUNDS; round += 1) {
    ours(prepare(legs), commands);
    peers(commands);
  }
  const { ours: mine, reference } = inTurn(
    ROUNDS,
    () => ours(prepare(legs), commands),
    () => peers(commands),
  );
  const times = ratios(reference, mine);
  return {
    id: 'B3',
    what,
    ours: `${median(mine).toFixed(2)} µs`,
    reference: `nodejs-order-book limit, ${median(reference).toFixed(2)} µs`,
    ratio: median(times).toFixed(2),
    spread: spreadOf(times),
    goal: goal === undefined ? 'reported' : `at least ${goal} times`,
    reached: goal === undefined || median(times) >= goal,
  };
}

/**
 * Microseconds of the margin check of one new order, as admission asks it: the funds that are available now, and those
 * with the order, measured resting, filled or both as it needs. Every order differs from the one before, so that no
 * answer is a remembered one.
 */
function check(bench: Bench, times: number): number {
  const desk = portsAt(bench.ports, bench.state, AT);
  const account = accountOf(bench.state, 0 as AccountId);
  const at = price(999_90);
  const order = { facts: positionFacts(leg(0)), product: 'M', side: 'B', limit: at, worst: at } as const;
  const took = timed(() => {
    for (let i = 0; i < times; i += 1) {
      const units = (65 * (1 + (i % 2))) as Quantity;
      needOf(new WhatIf(desk, account), { ...order, units }, availableMargin(account));
    }
  });
  return (took * 1_000) / times;
}

/** The margin check as a share of an order. */
function shareRow(legs: number, most: number | undefined): BenchRow {
  const commands = script(leg(0).id, 'M', 65);
  const round = (): [whole: number, part: number] => {
    const bench = prepare(legs);
    return [ours(bench, commands), check(bench, ORDERS)];
  };
  for (let warm = 0; warm < WARM_ROUNDS; warm += 1) round();
  const rounds = Array.from({ length: ROUNDS }, round);
  const shares = ratios(
    rounds.map(([, part]) => part),
    rounds.map(([whole]) => whole),
  );
  const reached = most === undefined || median(shares) <= most;
  return {
    id: 'B3',
    what: `the margin check of an option buy with ${legs} open legs`,
    ours: `${median(rounds.map(([, part]) => part)).toFixed(2)} µs`,
    reference: `the whole order, ${median(rounds.map(([whole]) => whole)).toFixed(2)} µs`,
    ratio: median(shares).toFixed(2),
    spread: spreadOf(shares),
    goal: most === undefined ? 'reported' : `at most ${most}`,
    reached,
  };
}

const BASKET = 50;

/** A basket of fifty options, each filled before the next is measured, beside fifty margin checks. */
function basketRow(): BenchRow {
  const orders: OrderQuestion[] = Array.from({ length: BASKET }, (_, i) => ({
    instrument: leg(i).id,
    side: i % 2 === 0 ? 'B' : 'S',
    product: 'M',
    terms: { priceType: 'LMT', retention: 'DAY', quantity: 65 as Quantity, price: price(999_90), trigger: price(0) },
  }));
  const bench = prepare(BASKET);
  const account = accountOf(bench.state, 0 as AccountId);
  const basket = () => {
    const took = timed(() => {
      for (let i = 0; i < 100; i += 1)
        basketMargin(bench.state, portsAt(bench.ports, bench.state, AT), account, orders);
    });
    return took * 10;
  };
  const { ours: mine, reference } = inTurn(ROUNDS + WARM_ROUNDS, basket, () => BASKET * check(bench, ORDERS));
  const times = ratios(mine, reference).slice(WARM_ROUNDS);
  return {
    id: 'B3',
    what: 'a basket of 50 orders measured, with 50 open legs',
    ours: `${median(mine).toFixed(0)} µs`,
    reference: `50 margin checks, ${median(reference).toFixed(0)} µs`,
    ratio: median(times).toFixed(2),
    spread: spreadOf(times),
    goal: 'reported',
    reached: true,
  };
}

/** B3 of a delivery alone. */
export function deliveryRow(): BenchRow {
  return measure('a delivery buy, decided and applied with full admission', script(SHARE.id, 'C', 1), 0, 1.2);
}

/** B3 of docs/benchmarks.md: microseconds of one order, decided and applied. */
export function admissionRows(): BenchRow[] {
  const traded = leg(0).id;
  return [
    deliveryRow(),
    measure('an option buy with 10 open legs in its portfolio', script(traded, 'M', 65), 10, undefined),
    measure('an option buy with 500 open legs in its portfolio', script(traded, 'M', 65), 500, undefined),
    shareRow(1, undefined),
    shareRow(10, 0.2),
    shareRow(100, undefined),
    shareRow(500, 0.5),
    basketRow(),
  ];
}
