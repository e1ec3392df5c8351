import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { must } from '../../../src/base/assert.ts';
import type { AccountId, InstrumentId, OrderNumber } from '../../../src/base/ids.ts';
import { floorToTick, type Paise, type Price, type Quantity, ZERO_PRICE } from '../../../src/base/money.ts';
import { Random } from '../../../src/base/random.ts';
import { type EpochMs, istInstant, parseIsoDay, SECOND_MS } from '../../../src/base/time.ts';
import type { Command } from '../../../src/core/command.ts';
import { type Instrument, isDerivative, slidesBand } from '../../../src/core/instrument.ts';
import type { Market, Reach } from '../../../src/core/market.ts';
import { Engine } from '../../../src/engine/engine.ts';
import { LIVE } from '../../../src/engine/live.ts';
import { decodeGroup } from '../../../src/journal/codec.ts';
import { MemoryJournal } from '../../../src/journal/memory-journal.ts';
import { unasked } from '../../kit/unasked.ts';
import { ExchangeMonth } from '../month/exchange-month.ts';

/**
 * A book that the market's prices do not come to is passed over. Beside it runs a twin that asks every book at every
 * tick.
 */

const DAY = must(parseIsoDay('2026-11-20'), 'a Friday');
const month = new ExchangeMonth(20_261_120);
const NOON = at('12:00');
const SEEDS = [1, 2, 3];
/** Stretches of a day that are lived second by second: the open, quiet trade, bands that slide, and the close. */
const STRETCHES = [
  ['09:14:30', 120],
  ['11:00:20', 500],
  ['15:13:00', 240],
  ['15:29:00', 150],
] as const;

function at(clock: string): EpochMs {
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number);
  return istInstant(DAY, ((hours * 60 + minutes) * 60 + seconds) * SECOND_MS);
}

/** Shares whose band stands, those whose band slides, and contracts near the money and far from it. */
function drawn(random: Random): Instrument[] {
  const shares = [...month.listed('NSE', NOON), ...month.listed('BSE', NOON)].filter(({ kind }) => kind === 'equity');
  const standing = shares.filter((share) => !slidesBand(share));
  const pick = (from: readonly Instrument[], count: number) => Array.from({ length: count }, () => random.pick(from));
  return [
    ...pick(standing, 6),
    ...pick(month.contracts(NOON), 8),
    ...pick(month.listed('NFO', NOON), 4),
    ...month.shares(NOON).slice(0, 2),
  ];
}

/** The market of the month with another answer to how far it goes. */
function withReach(reach: (id: InstrumentId, tick: Parameters<Market['depth']>[1]) => Reach | undefined): Market {
  const { market } = month;
  return new Proxy(market, {
    get: (_, name) => {
      if (name === 'reach') return reach;
      const member: unknown = Reflect.get(market, name);
      return typeof member === 'function' ? member.bind(market) : member;
    },
  });
}

interface Lived {
  /**
   * The records without their times: a move that is made up for is recorded at its tick, or behind what was decided
   * meanwhile.
   */
  readonly records: readonly string[];
  /** How many moves of the market were decided. */
  readonly moves: number;
  readonly events: ReadonlySet<string>;
}

/** Lives through a day of one seed on a market. */
async function live(seed: number, market: Market): Promise<Lived> {
  const random = new Random(seed);
  const traded = drawn(random);
  const apart = new Random(seed + 1_000);
  const replica = LIVE.empty();
  const events = new Set<string>();
  let moves = 0;
  const step = replica.step.bind(replica);
  replica.step = (ports, sequenced) => {
    const done = step(ports, sequenced);
    if (sequenced.command.type === 'MoveMarket') {
      moves += 1;
      for (const { type } of done.events) events.add(type);
    }
    return done;
  };
  const journal = new MemoryJournal();
  const failStop = (error: Error): never => {
    throw error;
  };
  let now = at('09:00');
  const ports = { ...month.ports, market };
  const engine = new Engine({ live: replica, journal, ports, clock: () => now, elapsed: () => 0, failStop });
  for (const account of [0, 1] as AccountId[]) {
    const names = { userId: `USER${account}`, name: 'A', email: 'a@example.org', sealedCredentials: 'sealed' };
    await engine.submit(unasked({ ...names, type: 'RegisterUser', usesTotp: false, demo: false }));
    await engine.submit(unasked({ type: 'DepositCash', account, amount: 1_000_000_000_00 as Paise, opening: true }));
  }
  for (const [clock, seconds] of STRETCHES) {
    const from = at(clock);
    for (let second = 0; second < seconds; second += 1) {
      now = (from + second * SECOND_MS) as EpochMs;
      engine.passSecond();
      if (apart.chance(5)) await engine.submit(unasked(gtt(apart, apart.pick(traded), market, now)));
      if (!random.chance(30)) continue;
      now = (now + random.below(900)) as EpochMs;
      await engine.submit(unasked(wish(random, random.pick(traded), market, now, replica.state.lastOrder)));
    }
  }
  await engine.drain();
  const records = [...journal.groups(0)]
    .flatMap(decodeGroup)
    .map(({ seq, command, events }) => JSON.stringify({ seq, command, events }));
  return { records, moves, events };
}

/** A GTT whose triggers lie some thousandths around the price. */
function gtt(random: Random, { id, tick, lot, ...rest }: Instrument, market: Market, now: EpochMs): Command {
  const { price: last } = market.lastPrint(id, market.tickAt(now));
  const legAt = (thousandths: number) => ({
    side: random.pick(['B', 'S'] as const),
    product: rest.kind === 'equity' ? ('I' as const) : ('M' as const),
    terms: {
      priceType: 'MKT' as const,
      retention: 'DAY' as const,
      quantity: lot,
      price: ZERO_PRICE,
      trigger: ZERO_PRICE,
    },
    remarks: '',
    trigger: Math.max(floorToTick(last * (1 + thousandths / 1_000), tick), tick) as Price,
  });
  const [above, below] = [legAt(random.between(3, 9)), legAt(-random.between(3, 9))];
  const legs = random.pick([[above], [below], [below, above]] as const);
  return { type: 'PlaceGtt', account: random.below(2) as AccountId, instrument: id, legs, remarks: '' };
}

/** An order around the price or a stop, now and then a cancellation or a switch. */
function wish(random: Random, instrument: Instrument, market: Market, now: EpochMs, lastOrder: number): Command {
  const { id, tick, lot } = instrument;
  const draw = random.below(100);
  if (draw < 10) return { type: 'CancelOrder', account: random.below(2) as AccountId, order: lastOrder as OrderNumber };
  if (draw < 14) {
    const target = { kind: 'Suspension', instrument: id } as const;
    return { type: 'SetSwitch', target, on: draw < 12, by: 'asha', why: 'a test' };
  }
  const { price: last } = market.lastPrint(id, market.tickAt(now));
  const side = random.pick(['B', 'S'] as const);
  const away = (side === 'B' ? -1 : 1) * random.pick([0, 1, 2, 4, 10, 40]);
  const limit = Math.max(floorToTick(last * (1 + away / 2_000), tick), tick) as Price;
  const isStop = random.chance(35);
  const beyond = (side === 'B' ? 1 : -1) * random.pick([1, 2, 6]) * tick;
  return {
    type: 'PlaceOrder',
    account: random.below(2) as AccountId,
    instrument: id,
    side,
    product: isDerivative(instrument) ? 'M' : 'I',
    terms: isStop
      ? {
          priceType: 'SL-MKT',
          retention: 'DAY',
          quantity: lot as Quantity,
          price: ZERO_PRICE,
          trigger: Math.max(last + beyond, tick) as Price,
        }
      : {
          priceType: 'LMT',
          retention: 'DAY',
          quantity: (lot * random.between(1, 9)) as Quantity,
          price: limit,
          trigger: ZERO_PRICE,
        },
    remarks: '',
  };
}

/** The same work done when it is asked for first, and never again. */
function once<T>(work: () => T): () => T {
  let done: { readonly value: T } | undefined;
  return () => {
    done ??= { value: work() };
    return done.value;
  };
}

describe('a book that the market does not reach', () => {
  const asking = withReach((id, tick) => month.market.reach(id, tick));
  const naive = withReach(() => undefined);
  const naiveLives = new Map(SEEDS.map((seed) => [seed, once(() => live(seed, naive))]));
  const liveNaively = (seed: number): Promise<Lived> => must(naiveLives.get(seed), 'a seed of the test')();

  for (const seed of SEEDS) {
    it(`is passed over, and the records are those of a twin that asks every book at every tick: seed ${seed}`, async () => {
      const [one, other] = [await live(seed, asking), await liveNaively(seed)];
      const differs = other.records.findIndex((record, place) => record !== one.records[place]);
      assert.equal(one.records[differs], other.records[differs], `seed ${seed}`);
      assert.equal(one.records.length, other.records.length);
      assert.ok(one.moves < other.moves * 0.9, `${one.moves} moves of ${other.moves}`);
      for (const type of ['Traded', 'QueueAdvanced', 'StopTriggered', 'GttTriggered'])
        assert.ok(one.events.has(type), type);
    });
  }

  it('is seen by the same comparison when the bounds are too narrow', async () => {
    const narrow = withReach((id, tick) => {
      const reach = month.market.reach(id, tick);
      if (reach === undefined) return undefined;
      const middle = (reach.lowest + reach.highest) / 2;
      return { ...reach, lowest: middle, highest: middle };
    });
    const found = await Promise.all(SEEDS.map(async (seed) => (await live(seed, narrow)).records));
    const right = await Promise.all(SEEDS.map(async (seed) => (await liveNaively(seed)).records));
    assert.notDeepEqual(found, right);
  });

  it('is bounded by prices that the market does not leave: depth, prints and the last print of every tick', () => {
    const { market } = month;
    const random = new Random(77);
    const listed = (['NSE', 'BSE', 'NFO', 'BFO'] as const).flatMap((exchange) => month.listed(exchange, NOON));
    let bounded = 0;
    for (let round = 0; round < 1_500; round += 1) {
      const picked = random.pick(listed);
      const { id } = picked;
      const from = market.tickAt((at('09:00') + random.below(450 * 60) * SECOND_MS) as EpochMs);
      const reach = market.reach(id, from);
      if (reach === undefined) continue;
      bounded += 1;
      const isSliding = !reach.isClosed && slidesBand(picked);
      assert.deepEqual(reach.band, isSliding ? market.band(id, from) : undefined);
      for (let tick = from; tick <= reach.until; tick = (tick + 1) as typeof tick) {
        assert.equal(market.phase(id, tick), reach.isClosed ? 'Closed' : 'Continuous');
        if (!reach.isClosed) assert.deepEqual(market.band(id, tick), market.band(id, from));
        const { bids, asks } = market.depth(id, tick);
        const prices = [bids[0], market.print(id, tick), market.lastPrint(id, tick)].map((one) => one?.price);
        const highest = Math.max(...prices.map((price) => price ?? 0));
        const lowest = Math.min(...[...prices.slice(1), asks[0]?.price].map((price) => price ?? reach.lowest));
        assert.ok(highest <= reach.highest && lowest >= reach.lowest, `instrument ${id} at ${tick}`);
      }
    }
    assert.ok(bounded > 700, `${bounded} bounds`);
  });
});
