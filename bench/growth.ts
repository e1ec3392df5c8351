import { assert } from '../src/base/assert.ts';
import type { AccountId, InstrumentId } from '../src/base/ids.ts';
import { type Paise, price, quantity } from '../src/base/money.ts';
import { Random } from '../src/base/random.ts';
import type { Command } from '../src/core/command.ts';
import type { Instrument } from '../src/core/instrument.ts';
import type { Ports } from '../src/core/ports.ts';
import { emptyState, type State } from '../src/core/state.ts';
import { step } from '../src/core/step.ts';
import { testPorts } from '../test/kit/ports.ts';
import { restingSince } from './resting.ts';
import { type BenchRow, cpuTimed, median, ratios, spreadOf } from './rows.ts';
import { AT, DAY, STILL_MARKET, share } from './still-market.ts';

/*
 * B12: what one order costs when there is much more of everything: instruments, users, resting orders. Each size is
 * measured in turn with the smallest one, in the same run. The orders of a round are cancelled after it, so that a
 * world keeps its size. The clock is the CPU time of the process, its collector's threads included: the machine is
 * shared.
 */

const ORDERS = 4_000;
const ROUNDS = 15;
/** Rounds before the first that counts: a service runs for days, its first orders are not what is measured. */
const WARM_ROUNDS = 15;
const LEVELS = 200;
/** Of all users together: enough for a million orders. */
const FUNDS = 1e14;
const MOST_TIMES = 1.2;

interface World {
  readonly state: State;
  readonly ports: Ports;
  readonly users: number;
  readonly instruments: readonly InstrumentId[];
}

interface Size {
  readonly instruments: number;
  readonly users: number;
  readonly resting: number;
}

const SMALLEST: Size = { instruments: 1_000, users: 10, resting: 1_000 };

function worldOf(size: Size): World {
  const instruments = new Map<InstrumentId, Instrument>();
  for (let token = 1; token <= size.instruments; token += 1) instruments.set(share(token).id, share(token));
  const world = {
    state: emptyState(),
    ports: testPorts({ instruments, market: STILL_MARKET }),
    users: size.users,
    instruments: [...instruments.keys()],
  };
  run(world, { type: 'RollDay', day: DAY });
  for (let user = 0; user < size.users; user += 1) addUser(world, user);
  place(world, new Random(1), size.resting);
  restingSince(world.state, 0);
  return world;
}

function addUser(world: World, user: number): void {
  const names = { userId: `U${user}`, name: 'N', email: 'e@example.com', sealedCredentials: '' };
  run(world, { type: 'RegisterUser', ...names, usesTotp: false, demo: false });
  run(world, {
    type: 'DepositCash',
    account: user as AccountId,
    amount: (FUNDS / world.users) as Paise,
    opening: true,
  });
}

function run({ state, ports }: World, command: Command): void {
  step(state, ports, { seq: state.seq + 1, at: AT, command });
}

/** Delivery buys of random users in random shares, below the touch: they rest. */
function place(world: World, random: Random, orders: number): void {
  for (let order = 0; order < orders; order += 1) {
    run(world, {
      type: 'PlaceOrder',
      account: random.below(world.users) as AccountId,
      instrument: random.pick(world.instruments),
      side: 'B',
      product: 'C',
      terms: {
        priceType: 'LMT',
        retention: 'DAY',
        quantity: quantity(1),
        price: price(999_90 - 5 * random.below(LEVELS)),
        trigger: price(0),
      },
      remarks: '',
    });
  }
}

/** Microseconds of one more order. */
function cost(world: World, seed: number): number {
  const before = world.state.orders.size;
  const took = cpuTimed(() => place(world, new Random(seed), ORDERS));
  const placed = restingSince(world.state, before);
  assert(placed.length === ORDERS, 'no order was lost');
  for (const { account, number } of placed) run(world, { type: 'CancelOrder', account, order: number });
  return took / ORDERS;
}

function growthRow(what: string, size: Size): BenchRow {
  const small = worldOf(SMALLEST);
  const large = worldOf(size);
  const ours: number[] = [];
  const reference: number[] = [];
  for (let round = 0; round < WARM_ROUNDS + ROUNDS; round += 1) {
    const pair = [cost(small, round), cost(large, round)] as const;
    if (round < WARM_ROUNDS) continue;
    reference.push(pair[0]);
    ours.push(pair[1]);
  }
  const all = ratios(ours, reference);
  return {
    id: 'B12',
    what,
    ours: `${median(ours).toFixed(2)} µs an order`,
    reference: `the smallest size, ${median(reference).toFixed(2)} µs`,
    ratio: median(all).toFixed(2),
    spread: spreadOf(all),
    goal: `at most ${MOST_TIMES} times`,
    reached: median(all) <= MOST_TIMES,
  };
}

/** B12 as rows. */
export function growthRows(): BenchRow[] {
  return [
    growthRow('150,000 instruments', { ...SMALLEST, instruments: 150_000 }),
    growthRow('100,000 users', { ...SMALLEST, users: 100_000 }),
    growthRow('1,000,000 resting orders', { ...SMALLEST, resting: 1_000_000 }),
  ];
}

if (import.meta.main) console.table(growthRows());
