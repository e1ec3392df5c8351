import assert from 'node:assert/strict';
import test from 'node:test';
import type { AccountId, InstrumentId, Tick } from '../../src/base/ids.ts';
import { type Price, paise, price, quantity } from '../../src/base/money.ts';
import { type EpochMs, HOUR_MS, type IstDay, istDay, istInstant, SECOND_MS } from '../../src/base/time.ts';
import type { Command } from '../../src/core/command.ts';
import { stateHash } from '../../src/core/hash.ts';
import { checkInvariants } from '../../src/core/invariants.ts';
import type { Print } from '../../src/core/market.ts';
import type { Ports } from '../../src/core/ports.ts';
import { DAY_END_STEPS } from '../../src/core/settlement/day-end-steps.ts';
import { EVERY_DAY, type TradingDays } from '../../src/core/trading-days.ts';
import { Engine } from '../../src/engine/engine.ts';
import { LIVE, type Live } from '../../src/engine/live.ts';
import { decodeGroup } from '../../src/journal/codec.ts';
import { MemoryJournal } from '../../src/journal/memory-journal.ts';
import { recover } from '../../src/journal/recovery.ts';
import { CHARGES } from '../charge-table.ts';
import { FIRST_DAY, NIFTY, NIFTY_FUTURE, RELIANCE } from '../money/listed.ts';
import { StillMarket } from '../money/still-market.ts';
import { type OrderWords, placement } from '../money/world.ts';
import { listed, NIFTY_24000_CALL, NIFTY_NEAR, RELIANCE_1240_CALL } from './expiring.ts';

/** Monday trades, Tuesday is the expiry, Wednesday a holiday, Thursday and Friday trade, the weekend does not. */
const DAYS: TradingDays = {
  ...EVERY_DAY,
  isTradingDay: (day) => ![2, 5, 6].includes(day - FIRST_DAY),
};

/** Closes that climb a little every trading day: the quotes are those of the first one. */
class ClimbingMarket extends StillMarket {
  override previousClose(id: InstrumentId, tick?: Tick): Price {
    const today = tick === undefined ? FIRST_DAY : istDay((tick * SECOND_MS) as EpochMs);
    let trading = 0;
    for (let day: number = FIRST_DAY; day < today; day += 1) if (DAYS.isTradingDay(day as IstDay)) trading += 1;
    return price(super.previousClose(id) + trading * 10_00);
  }

  /** The last trade of a past day is its close. */
  override lastPrint(id: InstrumentId, tick: Tick): Print {
    const next = istInstant((istDay((tick * SECOND_MS) as EpochMs) + 1) as IstDay);
    return { ...super.lastPrint(id, tick), price: this.previousClose(id, this.tickAt(next)) };
  }
}

/** A service that can be stopped and begun again, with a clock that a test sets. */
class Service {
  readonly ports: Ports;
  readonly journal = new MemoryJournal();
  live: Live = LIVE.empty();
  now = istInstant(FIRST_DAY, 10 * HOUR_MS);
  private readonly market = new ClimbingMarket();
  private engine: Engine;

  constructor() {
    this.ports = { instruments: listed, market: this.market, days: DAYS, charges: CHARGES };
    for (const [id, rupees] of [
      [NIFTY.id, 24_100],
      [NIFTY_24000_CALL.id, 150],
      [NIFTY_NEAR.id, 24_110],
      [NIFTY_FUTURE.id, 24_300],
      [RELIANCE.id, 1_250],
      [RELIANCE_1240_CALL.id, 25],
    ] as const) {
      const at = rupees * 100;
      this.market.quotes.set(id, { bid: at, ask: at, last: at, close: at });
    }
    this.engine = this.begin();
  }

  private begin(): Engine {
    const failStop = (error: Error): never => {
      throw error;
    };
    const { live, journal, ports } = this;
    return new Engine({ live, journal, ports, clock: () => this.now, failStop });
  }

  /** The process ends, and another one begins later from the journal. */
  async restartAt(at: EpochMs): Promise<void> {
    await this.engine.drain();
    const before = stateHash(this.live.state);
    this.live = recover(this.journal, undefined, LIVE).replica;
    assert.equal(stateHash(this.live.state), before);
    this.now = at;
    this.engine = this.begin();
    this.pass(at);
  }

  pass(at: EpochMs): void {
    this.now = at;
    this.engine.passSecond();
    checkInvariants(this.live.state, this.ports);
  }

  async submit(command: Command): Promise<void> {
    const { type } = await this.engine.submit(command);
    assert.notEqual(type, 'Refused', JSON.stringify(command));
  }

  async trade(words: Omit<OrderWords, 'by'>): Promise<void> {
    await this.submit(placement({ ...words, by: 0 as AccountId }));
  }

  /** The turns of days that the journal has. */
  async turns(): Promise<string[]> {
    await this.engine.drain();
    const turns: string[] = [];
    for (const group of this.journal.groups(0)) {
      for (const { command, at } of decodeGroup(group)) {
        if (command.type !== 'EndDay' && command.type !== 'RollDay') continue;
        const offset = at - istInstant(FIRST_DAY);
        turns.push(`${command.type} ${command.day - FIRST_DAY} at ${offset / HOUR_MS}`);
      }
    }
    return turns;
  }
}

async function trading(): Promise<Service> {
  const service = new Service();
  service.pass(service.now);
  const words = { email: 'a@example.com', sealedCredentials: 'sealed', usesTotp: false, demo: true };
  await service.submit({ ...words, type: 'RegisterUser', userId: 'AB1234', name: 'A' });
  await service.submit({
    type: 'DepositCash',
    account: 0 as AccountId,
    amount: paise(1_000_000_000),
    opening: true,
  });
  await service.trade({ of: NIFTY_24000_CALL.id, side: 'B', units: 65, at: 150_00 });
  await service.trade({ of: NIFTY_NEAR.id, side: 'S', units: 65, at: 24_110_00 });
  await service.trade({ of: NIFTY_FUTURE.id, side: 'B', units: 65, at: 24_300_00 });
  await service.trade({ of: RELIANCE_1240_CALL.id, side: 'B', units: 500, at: 25_00 });
  await service.trade({ of: RELIANCE.id, side: 'B', units: quantity(20), at: 1_250_00, product: 'C' });
  return service;
}

/** What the account has, whatever way it came there. */
function worth({ live }: Service): unknown {
  const [account] = live.state.accounts;
  assert.ok(account);
  const { books, positions, holdings } = account;
  return {
    day: live.state.day,
    books: { ...books },
    positions: [...positions.values()],
    holdings: [...holdings.values()],
  };
}

const MIDNIGHT = (day: number): number => day * 24;

test('a service that was away goes through every day that it missed, in order, each at its own time', async () => {
  const service = await trading();
  await service.restartAt(istInstant((FIRST_DAY + 5) as IstDay, 12 * HOUR_MS));
  const end = (day: number): string[] =>
    DAY_END_STEPS.map(() => `EndDay ${day} at ${(MIDNIGHT(day + 1) * HOUR_MS - 1) / HOUR_MS}`);
  assert.deepEqual(await service.turns(), [
    'RollDay 0 at 0',
    ...end(0),
    `RollDay 1 at ${MIDNIGHT(1)}`,
    ...end(1),
    `RollDay 3 at ${MIDNIGHT(2)}`,
    ...end(3),
    `RollDay 4 at ${MIDNIGHT(4)}`,
    ...end(4),
    `RollDay 7 at ${MIDNIGHT(5)}`,
  ]);
  assert.equal(service.live.state.day, FIRST_DAY + 7, 'a Saturday belongs to the Monday after it');
});

test('it comes to what a service that ran all the time came to', async () => {
  const away = await trading();
  await away.restartAt(istInstant((FIRST_DAY + 5) as IstDay, 12 * HOUR_MS));
  const awake = await trading();
  for (let hour = 11; hour <= 5 * 24 + 12; hour += 1) awake.pass(istInstant(FIRST_DAY, hour * HOUR_MS));
  assert.deepEqual(worth(away), worth(awake));
});

test('what expired meanwhile was settled at the closes of its own day, and what is carried at those of each day', async () => {
  const service = await trading();
  await service.restartAt(istInstant((FIRST_DAY + 5) as IstDay, 12 * HOUR_MS));
  const [account] = service.live.state.accounts;
  assert.ok(account);
  assert.deepEqual(
    [...account.positions.values()].map((row) => [row.instrument, row.carriedBuyQuantity, row.carriedBuyAmount]),
    [[NIFTY_FUTURE.id, 65, 65 * (24_300_00 + 4 * 10_00)]],
  );
  const holding = account.holdings.get(RELIANCE.isin);
  assert.deepEqual([holding?.settled, holding?.cost], [520, 500 * 1_240_00 + 20 * 1_250_00]);
  const index = 24_100_00 + 2 * 10_00;
  const moved =
    65 * (index - 24_000_00 - 150_00) +
    65 * (24_110_00 - index) +
    65 * 4 * 10_00 -
    500 * (25_00 + 1_240_00) -
    20 * 1_250_00;
  const { brokerage, levies } = service.live.state.house;
  assert.equal(account.books.cash, 1_000_000_000 + moved - brokerage - levies);
});

test('a clock that goes back does not begin a day again', async () => {
  const service = await trading();
  service.pass(istInstant((FIRST_DAY + 1) as IstDay, HOUR_MS));
  const before = await service.turns();
  const begun = service.live.state.day;
  await service.restartAt(istInstant(FIRST_DAY, 11 * HOUR_MS));
  assert.equal(service.live.state.day, begun);
  assert.deepEqual(await service.turns(), before);
});
