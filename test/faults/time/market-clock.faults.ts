/**
 * 2,000 resting orders over 500 instruments of the exchange's own hours: the same commands at the same market instants
 * make the same records at every speed and by steps, and no book leaves a second out. A short run compares 20 seconds
 * of the market; one with SAUDA_FAULT_TRIALS, which `npm run faults -- --release` sets, a session hour.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must } from '../../../src/base/assert.ts';
import type { AccountId } from '../../../src/base/ids.ts';
import { floorToTick, type Paise, type Price } from '../../../src/base/money.ts';
import { Random } from '../../../src/base/random.ts';
import { type ClockSpeed, type EpochMs, HOUR_MS, istInstant, parseIsoDay, SECOND_MS } from '../../../src/base/time.ts';
import type { Command } from '../../../src/core/command.ts';
import type { Ports } from '../../../src/core/ports.ts';
import { placement } from '../../kit/money/world.ts';
import { marketRecords, PacedService } from '../../kit/paced-service.ts';
import { ExchangeMonth } from '../../property/month/exchange-month.ts';

const ORDERS = 2_000;
const INSTRUMENTS = 500;
const SECONDS = process.env.SAUDA_FAULT_TRIALS === undefined ? 20 : 3_600;
const START = istInstant(must(parseIsoDay('2026-11-20'), 'a Friday'), 10 * HOUR_MS);
const END = (START + SECONDS * SECOND_MS) as EpochMs;

const month = new ExchangeMonth(20_261_120);
// Without ranges of prices each book is asked at each tick, so that the moves can be counted.
const everyTick = new Proxy(month.market, {
  get: (market, name) => {
    if (name === 'reach') return undefined;
    const member: unknown = Reflect.get(market, name);
    return typeof member === 'function' ? member.bind(market) : member;
  },
});

/** Orders around the market, in the first two seconds. */
function script(): readonly (readonly [at: EpochMs, command: Command])[] {
  const random = new Random(21);
  const shares = month.listed('NSE', START).filter(({ kind }) => kind === 'equity');
  const chosen = shares.slice(0, INSTRUMENTS);
  const account = {
    userId: 'A',
    name: 'A',
    email: 'a@example.org',
    sealedCredentials: 's',
    usesTotp: false,
    demo: false,
  };
  const commands: (readonly [EpochMs, Command])[] = [
    [(START + 1) as EpochMs, { type: 'RegisterUser', ...account }],
    [(START + 1) as EpochMs, { type: 'DepositCash', account: 0 as AccountId, amount: 1e13 as Paise, opening: true }],
  ];
  for (let number = 0; number < ORDERS; number += 1) {
    const { id, tick } = must(chosen[number % INSTRUMENTS], 'a share');
    const { price } = month.market.lastPrint(id, month.market.tickAt(START));
    // One order of four stands near the market; the others rest for an hour, most of them.
    const below = random.between(0, number % 4 === 0 ? 12 : 40);
    const away = floorToTick(Math.floor((price * (1_000 - below)) / 1_000) as Price, tick);
    const order = { by: 0 as AccountId, of: id, side: 'B', units: 1, at: away, product: 'C' } as const;
    commands.push([(START + 2 + number) as EpochMs, placement(order)]);
  }
  return commands;
}

interface Life {
  readonly speed: ClockSpeed;
  readonly seed: number;
  /** Asks books for the prices that they can meet, as a service does; their moves then say nothing of ticks. */
  readonly market?: Ports['market'];
}

async function lived({ speed, seed, market = everyTick }: Life): Promise<PacedService> {
  const service = new PacedService({ ports: { ...month.ports, market }, start: START, seed });
  for (const [at, command] of script()) service.submitAt(at, command);
  if (speed === 0) {
    for (let at = START; at < END; at = (at + 1_700) as EpochMs)
      await service.stepTo(Math.min(END, at + 1_700) as EpochMs);
    return service;
  }
  await service.setSpeed(speed);
  await service.passUntil(END);
  await service.setSpeed(0);
  return service;
}

function upToEnd(service: PacedService): readonly string[] {
  return marketRecords(service).filter((record) => (JSON.parse(record) as { at: number }).at <= END);
}

test('2,000 orders make the same records at x1, x60, x1000, at max and by steps', async (t) => {
  const expected = upToEnd(await lived({ speed: 0, seed: 1 }));
  assert.ok(expected.length > ORDERS);
  for (const [speed, seed] of [
    [1, 2],
    [60, 3],
    [1_000, 4],
    ['max', 5],
  ] as const) {
    const service = await lived({ speed, seed });
    assert.deepEqual(upToEnd(service), expected, `at ${speed}`);
    assert.equal(service.engine.status().ticksLeftOut, 0);
    const books = [...service.live.state.books.values()].filter((book) => book.hasInterest()).length;
    assert.ok(books > INSTRUMENTS / 2, `${books} books`);
    assert.ok(service.moves >= books * (SECONDS - 3), `${service.moves} moves of ${books} books and more`);
    t.diagnostic(
      `${SECONDS} s at ${speed}: ${expected.length} records, ${service.moves} moves, ${books} books at the end`,
    );
  }
  const asServed = await lived({ speed: 'max', seed: 6, market: month.market });
  assert.deepEqual(upToEnd(asServed), expected, 'books that are asked only where a price can come to an order');
});
