import assert from 'node:assert/strict';
import { test } from 'node:test';
import { price, quantity } from '../../../src/base/money.ts';
import { Random } from '../../../src/base/random.ts';
import { twoDigits } from '../../../src/base/time.ts';
import { applyRecord } from '../../../src/core/apply.ts';
import { isChangeable } from '../../../src/core/broker/orders/life-cycle.ts';
import { isGathering } from '../../../src/core/exchange/phase.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import type { Order } from '../../../src/core/order.ts';
import { stateHash } from '../../../src/core/snapshot/hash.ts';
import { emptyState } from '../../../src/core/state.ts';
import { ExchangeHours, type Role } from '../../kit/exchange/exchange-hours.ts';
import { reloaded } from '../../kit/stored-state.ts';

const SEED = Number(process.env.SAUDA_TEST_SEED ?? 1);
/**
 * Two trading days each: over the dates on which the timetable changes, an expiry before a holiday, and a Muhurat
 * evening.
 */
const STRETCHES = [
  ['2026-07-31', '2026-08-01', '2026-08-03'],
  ['2026-09-04', '2026-09-05', '2026-09-07'],
  ['2026-11-23', '2026-11-24', '2026-11-25'],
  ['2026-11-06', '2026-11-08', '2026-11-09'],
] as const;
const ROLES: readonly Role[] = ['share', 'BSE share', 'small share', 'future', 'option'];
const COMMANDS = 80;
/** From 08:00 to 20:00. */
const [FIRST_SECOND, SECONDS] = [8 * 3_600, 12 * 3_600];

/** One in three around the open, one around the close. */
function moment(random: Random): number {
  const around = random.pick([9 * 3_600, 15 * 3_600, 0]);
  return around === 0 ? FIRST_SECOND + random.below(SECONDS) : around + random.below(3_600);
}

function clock(second: number): string {
  return [Math.floor(second / 3_600), Math.floor(second / 60) % 60, second % 60].map(twoDigits).join(':');
}

/**
 * Orders of every shape, changes and cancellations at random moments of some days; a restart from a dump now and then.
 */
function live(seed: number, dates: readonly string[], restarts: boolean): ExchangeHours {
  const hours = new ExchangeHours(dates[0] ?? '', seed);
  const { world } = hours;
  const random = new Random(seed);
  for (const date of dates) {
    const seconds = Array.from({ length: COMMANDS }, () => moment(random)).sort((a, b) => a - b);
    for (const second of seconds) {
      hours.passTo(date, clock(second));
      act(hours, random);
      const restart = random.chance(5);
      if (restart && restarts) world.state = reloaded(world.state);
      checkInvariants(world.state);
    }
  }
  return hours;
}

function act(hours: ExchangeHours, random: Random): void {
  const { world, user } = hours;
  const open = [...world.state.orders.values()].filter(({ status }) => isChangeable(status));
  if (open.length > 0 && random.chance(30)) {
    const order = random.pick(open) as Order;
    if (random.chance(50)) hours.cancel(order);
    else hours.modify(order, { quantity: quantity(order.terms.quantity + lotOf(hours, order)) });
    return;
  }
  const of = hours.instrument(random.pick(ROLES));
  const shape = random.pick(['LMT', 'LMT', 'MKT', 'SL-LMT', 'IOC'] as const);
  const away = random.between(990, 1_010) / 1_000;
  const limit = price(Math.max(1, Math.round((hours.last(of) * away) / of.tick)) * of.tick);
  hours.place(of, shape, shape === 'LMT' || shape === 'IOC' ? { price: limit } : {});
  assert.ok(world.account(user).orders.length > 0);
}

function lotOf(hours: ExchangeHours, { instrument }: Order): number {
  for (const role of ROLES) {
    const of = hours.instrument(role);
    if (of.id === instrument) return of.lot;
  }
  return 1;
}

for (const [index, dates] of STRETCHES.entries()) {
  const seed = SEED + index;
  test(`days of random orders from ${dates[0]} on keep every promise, twice the same and over restarts (seed ${seed})`, () => {
    const hours = live(seed, dates, false);
    const { world } = hours;
    const restarted = live(seed, dates, true);
    assert.equal(stateHash(restarted.world.state), stateHash(world.state), 'a restart changes nothing');
    const folded = emptyState();
    const seen = new Set<string>();
    for (const record of world.records) {
      applyRecord(folded, record);
      for (const event of record.events) seen.add(event.type === 'PhaseMet' ? event.phase : event.type);
      for (const [id, book] of folded.books) {
        const [bid, ask] = [book.bestPrice('B'), book.bestPrice('S')];
        const crossed = bid !== undefined && ask !== undefined && bid >= ask;
        assert.ok(!crossed || isGathering(book.phase), `the book of ${id} is crossed in ${book.phase}`);
      }
    }
    assert.equal(stateHash(folded), stateHash(world.state), 'the records give the whole state');
    for (const happened of ['AfterMarketTaken', 'AfterMarketReleased', 'PreOpen', 'Continuous', 'Closed', 'Traded']) {
      assert.ok(seen.has(happened), `${happened} has to happen`);
    }
  });
}
