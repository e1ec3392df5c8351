/**
 * A day that is recorded from a running market and played as a tape: the same prints, books, auctions and bands, and
 * the same fills of the same orders. The market that plays has another seed, so that everything comes from the tape;
 * bands and margins of options are the model's, and need the same one.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { must } from '../../../src/base/assert.ts';
import type { AccountId, OrderNumber, Tick } from '../../../src/base/ids.ts';
import { floorToTick, type Paise, type Price, type Quantity, ZERO_PRICE } from '../../../src/base/money.ts';
import { Random } from '../../../src/base/random.ts';
import { tickOf } from '../../../src/base/tick.ts';
import { type EpochMs, istInstant, parseIsoDay, SECOND_MS } from '../../../src/base/time.ts';
import type { Command } from '../../../src/core/command.ts';
import { type Instrument, isDerivative } from '../../../src/core/instrument.ts';
import type { Market } from '../../../src/core/market.ts';
import { Engine } from '../../../src/engine/engine.ts';
import { LIVE } from '../../../src/engine/live.ts';
import { dayBytes, dayOfBytes } from '../../../src/folder/tapes/day-bytes.ts';
import { decodeGroup } from '../../../src/journal/codec.ts';
import { MemoryJournal } from '../../../src/journal/memory-journal.ts';
import { recordDay } from '../../../src/market/recorded/record-day.ts';
import type { RecordedDay, RecordedDays, RecordedName } from '../../../src/market/recorded/recorded-days.ts';
import { RecordedMarket } from '../../../src/market/recorded/recorded-market.ts';
import { calendarHours } from '../../../src/market/session/sessions.ts';
import { SyntheticMarket } from '../../../src/market/synthetic/synthetic-market.ts';
import { loadReferenceData } from '../../../src/reference/instruments/load.ts';
import { InstrumentNames } from '../../../src/tapes/instrument-names.ts';
import { readTape } from '../../../src/tapes/read-tape.ts';
import { futuresOn } from '../../kit/futures-on.ts';
import { testPorts } from '../../kit/ports.ts';
import { unasked } from '../../kit/unasked.ts';

const DAY = must(parseIsoDay('2026-11-20'), 'a Friday');
const MORNING = istInstant(DAY, 10 * 3_600 * SECOND_MS);
const LAST_SECOND = 86_399;
const SEED = 20_261_120;

const data = loadReferenceData(join(import.meta.dirname, '../../../data'));
const instruments = data.master();
const common = { regime: 'exchange', instruments, facts: data.facts, calendar: calendarHours(data) } as const;
const running = new SyntheticMarket({ ...common, seed: SEED });

const nifty = must(instruments.find('NSE', 'Nifty 50', MORNING), 'the index');
const reliance = must(instruments.find('NSE', 'RELIANCE-EQ', MORNING), 'a share');
const future = must(futuresOn(instruments, 'NFO', reliance.symbol, MORNING)[0], 'a future of a share');
const option = must(optionNearTheMoney(), 'an option of a share');
const recordedOnes = [nifty, reliance, future, option];

let replaying: RecordedMarket;
/** With the seed of the running market, of which margins and bands of options are made. */
let alike: RecordedMarket;
const folder = mkdtempSync(join(tmpdir(), 'sauda-recording-'));
const days = new Map<string, RecordedDay>();

before(async () => {
  for (const instrument of recordedOnes) await record(instrument);
  replaying = new RecordedMarket({ ...common, seed: 5, recorded: tapes(), drawsTheRest: false });
  alike = new RecordedMarket({ ...common, seed: SEED, recorded: tapes(), drawsTheRest: false });
});
after(() => rmSync(folder, { recursive: true }));

function optionNearTheMoney(): Instrument | undefined {
  const { price } = running.lastPrint(reliance.id, running.tickAt(MORNING));
  const [expiry] = instruments.expiries(reliance.id, MORNING);
  const chain = expiry === undefined ? [] : [...instruments.chain(reliance.id, expiry, MORNING)];
  return chain.sort((one, other) => Math.abs(one.strike - price) - Math.abs(other.strike - price))[0];
}

/** Records a day, imports the file, and stores the day and reads it back, as the commands do. */
async function record(instrument: Instrument): Promise<void> {
  const lines = [...recordDay(running.modelOf(instrument.id), DAY, LAST_SECOND)].map((line) => JSON.stringify(line));
  const path = join(folder, `${instrument.token}.jsonl.zst`);
  writeFileSync(path, zstdCompressSync(`${lines.join('\n')}\n`));
  const names = new InstrumentNames(instruments, data.expiries);
  const read = await readTape(path, {
    names,
    given: {},
    take: ({ exchange, symbol }, day) => {
      days.set(`${exchange} ${symbol}`, dayOfBytes(dayBytes(day), day.day, 1));
    },
    progress: () => {},
  });
  assert.deepEqual(read.titles, ['our own recording']);
}

function tapes(): RecordedDays {
  const dayOf = ({ exchange, symbol }: RecordedName) => days.get(`${exchange} ${symbol}`);
  return {
    instruments: () =>
      [...days].map(([name, { day }]) => {
        const [exchange = '', symbol = ''] = name.split(/ (.*)/);
        return { exchange: exchange as 'NSE', symbol, kind: 'ticks', from: day, to: day, digest: name };
      }),
    days: (name) => (dayOf(name) === undefined ? [] : [DAY]),
    day: (name) => dayOf(name),
  };
}

/** The records of a day's trading of the same orders, without the times of moves. */
async function live(market: Market, traded: readonly Instrument[] = [reliance, future]): Promise<string[]> {
  const random = new Random(SEED);
  const live = LIVE.empty();
  const journal = new MemoryJournal();
  let now = istInstant(DAY, 9 * 3_600 * SECOND_MS);
  const ports = testPorts({ instruments, market, charges: data.rules.charges, days: data.days });
  const failStop = (error: Error): never => {
    throw error;
  };
  const engine = new Engine({ live, journal, ports, clock: () => now, elapsed: () => 0, failStop });
  for (const account of [0, 1] as AccountId[]) {
    const names = { userId: `USER${account}`, name: 'A', email: 'a@example.org', sealedCredentials: 'sealed' };
    await engine.submit(unasked({ ...names, type: 'RegisterUser', usesTotp: false, demo: false }));
    await engine.submit(unasked({ type: 'DepositCash', account, amount: 1_000_000_000_00 as Paise, opening: true }));
  }
  // The opening auction, quiet trade, the end of continuous trading with the closing auction.
  for (const [clock, seconds] of [
    [9 * 3_600, 960],
    [11 * 3_600, 120],
    [15 * 3_600 + 13 * 60, 1_500],
  ] as const) {
    for (let second = 0; second < seconds; second += 1) {
      now = istInstant(DAY, (clock + second) * SECOND_MS);
      engine.passSecond();
      if (!random.chance(20)) continue;
      await engine.submit(unasked(wish({ random, market, now, traded }, live.state.lastOrder)));
    }
  }
  await engine.drain();
  return [...journal.groups(0)].flatMap(decodeGroup).map(({ command, events }) => JSON.stringify({ command, events }));
}

interface Wishing {
  readonly random: Random;
  readonly market: Market;
  readonly now: EpochMs;
  readonly traded: readonly Instrument[];
}

/** An order around the price, or a cancellation. */
function wish({ random, market, now, traded }: Wishing, lastOrder: number): Command {
  const account = random.below(2) as AccountId;
  if (random.chance(10)) return { type: 'CancelOrder', account, order: lastOrder as OrderNumber };
  const instrument = random.pick(traded);
  const { id, tick, lot } = instrument;
  const { price: last } = market.lastPrint(id, market.tickAt(now));
  const side = random.pick(['B', 'S'] as const);
  const away = (side === 'B' ? -1 : 1) * random.pick([-2, 0, 1, 2, 4]);
  const price = Math.max(floorToTick(last * (1 + away / 4_000), tick), tick) as Price;
  return {
    type: 'PlaceOrder',
    account,
    instrument: id,
    side,
    product: isDerivative(instrument) ? 'M' : 'I',
    terms: {
      priceType: 'LMT',
      retention: 'DAY',
      quantity: (lot * random.between(1, 30)) as Quantity,
      price,
      trigger: ZERO_PRICE,
    },
    remarks: '',
  };
}

describe('a day that is recorded and played as a tape', () => {
  it('has the same prints, phases and last prices at every second', () => {
    for (const { id, tradingSymbol } of recordedOnes) {
      let prints = 0;
      for (let second = 32_400; second < 58_000; second += 1) {
        const tick = tickOf(DAY, second);
        const expected = running.print(id, tick);
        assert.deepEqual(replaying.print(id, tick), expected, `${tradingSymbol} at ${second}`);
        assert.equal(replaying.phase(id, tick), running.phase(id, tick));
        if (expected !== undefined) prints += 1;
      }
      assert.ok(prints > 500, `${prints} prints of ${tradingSymbol}`);
    }
  });

  it('has the same books, bands, auctions, figures and candles', () => {
    const random = new Random(SEED);
    for (const instrument of recordedOnes) {
      const { id, tradingSymbol } = instrument;
      const isOption = instrument === option;
      const played = isOption ? alike : replaying;
      for (let draw = 0; draw < 90; draw += 1) {
        const second = draw < 30 ? 32_400 + 30 * draw : random.between(33_300, 57_600);
        const tick = tickOf(DAY, second);
        const where = `${tradingSymbol} at ${second}`;
        const depth = running.depth(id, tick);
        assert.deepEqual(played.depth(id, tick), depth, where);
        assertSameBand(played, id, tick, isOption);
        assert.deepEqual(played.auction(id, tick), running.auction(id, tick), where);
        assert.deepEqual(played.dayFigures(id, tick), running.dayFigures(id, tick), where);
        assert.deepEqual(played.turnover(id, tick, 30), running.turnover(id, tick, 30), where);
        const [bid, ask] = [depth.bids.at(-1)?.price ?? 1_000, depth.asks.at(-1)?.price ?? 1_000];
        for (const [side, price] of [
          ['B', bid - 50],
          ['B', bid],
          ['S', ask],
          ['S', ask + 50],
        ] as const) {
          const expected = running.quantityAt(id, tick, side, price as Price);
          assert.equal(played.quantityAt(id, tick, side, price as Price), expected, where);
        }
      }
      const range = [istInstant(DAY), istInstant(DAY, LAST_SECOND * SECOND_MS), tickOf(DAY, LAST_SECOND)] as const;
      assert.deepEqual(played.intraday(id, 1, ...range), running.intraday(id, 1, ...range));
      assert.deepEqual(played.daily(id, DAY, DAY, range[2]), running.daily(id, DAY, DAY, range[2]));
      const [close, own] = [played, running].map((market) => market.modelOf(id).closeOf(DAY));
      assert.equal(close, own, `the official close of ${tradingSymbol}`);
    }
  });

  it('fills the same orders at the same instants as the running market did', async () => {
    const records = await sameRecords(running, replaying, [reliance, future]);
    assert.ok(records.some((record) => record.includes('"auction":true')));
  });

  it('fills orders of options the same with the same seed, and with another one has other bands of them', async () => {
    await sameRecords(running, alike, [reliance, option]);
    const tick = running.tickAt(MORNING);
    const [own, other] = [running, replaying].map((market) => market.band(option.id, tick).upper);
    assert.ok(Math.abs(must(own, 'a band') - must(other, 'a band')) > must(own, 'a band') / 100);
  });
});

/** The band of an option asks the fair values of the day before, of which the tape has the close alone. */
function assertSameBand(played: Market, id: Instrument['id'], tick: Tick, isOption: boolean): void {
  const [found, expected] = [played.band(id, tick), running.band(id, tick)];
  if (!isOption) assert.deepEqual(found, expected);
  for (const edge of ['lower', 'upper'] as const) {
    assert.ok(Math.abs(found[edge] - expected[edge]) <= expected[edge] / 1_000, `${found[edge]} for ${expected[edge]}`);
  }
}

/** The records of both markets, which must be the same. */
async function sameRecords(one: Market, other: Market, traded: readonly Instrument[]): Promise<readonly string[]> {
  const [expected, found] = [await live(one, traded), await live(other, traded)];
  const differs = expected.findIndex((record, place) => record !== found[place]);
  assert.equal(found[differs], expected[differs], `record ${differs} of ${expected.length}`);
  assert.equal(found.length, expected.length);
  for (const { id, tradingSymbol } of traded) {
    const trades = expected.filter((record) => record.includes('"Traded"') && record.includes(`"instrument":${id},`));
    assert.ok(trades.length > 20, `${trades.length} records with trades of ${tradingSymbol}`);
  }
  return expected;
}
