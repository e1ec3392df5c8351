import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { must } from '../../base/assert.ts';
import type { InstrumentId, Tick } from '../../base/ids.ts';
import { Random } from '../../base/random.ts';
import { instantOf, tickOf } from '../../base/tick.ts';
import { type IstDay, istInstant } from '../../base/time.ts';
import { equilibrium } from '../../core/exchange/auction/equilibrium.ts';
import { printsWithin } from '../../core/exchange/guards/prints-within.ts';
import type { Instrument } from '../../core/instrument.ts';
import type { Candle, Print } from '../../core/market.ts';
import { loadReferenceData } from '../../reference/instruments/load.ts';
import { civil } from '../synthetic/fixture.ts';
import { KNOWN_DAYS } from '../synthetic/paths/span-of-days.ts';
import { SyntheticMarket } from '../synthetic/synthetic-market.ts';
import { calendarHours, Sessions } from './sessions.ts';

const data = loadReferenceData(join(import.meta.dirname, '../../../data'));
const instruments = data.master();
const calendar = calendarHours(data);
const REGIME = 'exchange';
/**
 * The first day with closing auctions is 2026-08-03; some weeks later shares get a limit-only phase before the open.
 */
const FIRST = civil(2026, 8, 3);
const DAYS = 50;
const SEEDS = [1, 20_260_821];
const CONTINUOUS_END = (15 * 60 + 15) * 60;
/** Shares without contracts trade on for as long. */
const SHARES_END = (15 * 60 + 30) * 60;
const EVENING = 20 * 3_600;

function marketOf(seed: number): SyntheticMarket {
  return new SyntheticMarket({ seed, regime: REGIME, instruments, facts: data.facts, calendar });
}

function named(exchange: 'NSE' | 'BSE', symbol: string): Instrument {
  return must(instruments.find(exchange, symbol, istInstant(FIRST)), symbol);
}

const RELIANCE = named('NSE', 'RELIANCE-EQ');
const RELIANCE_BSE = named('BSE', 'RELIANCE');
const NIFTY = named('NSE', 'NIFTY');
const SENSEX = named('BSE', 'SENSEX');
const INDICES = [
  NIFTY,
  SENSEX,
  ...['BANKNIFTY', 'FINNIFTY', 'MIDCPNIFTY', 'NIFTYNXT50', 'NIFTYMEDIA'].map((symbol) => named('NSE', symbol)),
  ...['BANKEX', 'SENSEX50'].map((symbol) => named('BSE', symbol)),
];

/** Some shares of both exchanges, drawn, half of them with contracts. */
function someShares(seed: number): Instrument[] {
  const random = new Random(seed);
  const all = [...instruments.list('NSE', istInstant(FIRST)), ...instruments.list('BSE', istInstant(FIRST))];
  const shares = all.filter((instrument) => instrument.kind === 'equity');
  const withContracts = shares.filter((share) => share.kind === 'equity' && share.hasDerivatives);
  return Array.from({ length: 16 }, (_, i) => random.pick(i % 2 === 0 ? shares : withContracts));
}

function isTradingDay(market: SyntheticMarket, day: IstDay): boolean {
  return market.tradingDay(istInstant(day)) === day;
}

function tradingDays(market: SyntheticMarket): IstDay[] {
  return Array.from({ length: DAYS }, (_, i) => (FIRST + i) as IstDay).filter((day) => isTradingDay(market, day));
}

/** A time on the trading day after a day. */
function nextMorning(market: SyntheticMarket, day: IstDay): Tick {
  let next = (day + 1) as IstDay;
  while (!isTradingDay(market, next)) next = (next + 1) as IstDay;
  return tickOf(next, 8 * 3_600);
}

/** The second of a day in which the closing auction of an exchange's shares is matched. */
function matchedAt(seed: number, share: Instrument, day: IstDay): number | undefined {
  const phases = new Sessions(REGIME, calendar, seed, KNOWN_DAYS).phases(share, day);
  return phases.find(({ phase }) => phase === 'ClosingMatching')?.start;
}

function dayCandle(market: SyntheticMarket, id: InstrumentId, day: IstDay, until: Tick): Candle {
  return must(market.daily(id, day, day, until)[0], `a candle of ${id} on day ${day}`);
}

test('a close is inside the day of its candle, and the candle of a day with a closing auction closes at it', () => {
  for (const seed of SEEDS) {
    const market = marketOf(seed);
    for (const instrument of [...INDICES, ...someShares(seed), RELIANCE, RELIANCE_BSE]) {
      const { id, tradingSymbol } = instrument;
      for (const day of tradingDays(market)) {
        const morning = nextMorning(market, day);
        const { high, low, close } = dayCandle(market, id, day, morning);
        const official = market.previousClose(id, morning, true);
        const about = `seed ${seed}: ${tradingSymbol} of day ${day}: ${official} in ${low}..${high}`;
        assert.ok(low <= official && official <= high, about);
        const inAuction = instrument.kind === 'index' || matchedAt(seed, instrument, day) !== undefined;
        if (inAuction) assert.equal(close, official, about);
        if (inAuction) assert.equal(market.lastPrint(id, tickOf(day, EVENING)).price, official, about);
      }
    }
  }
});

test('the print of a closing auction is its result without users, in the second of its matching and not before', () => {
  for (const seed of SEEDS) {
    const market = marketOf(seed);
    for (const share of [RELIANCE, RELIANCE_BSE, ...someShares(seed)]) {
      for (const day of tradingDays(market).slice(20, 30)) {
        const second = matchedAt(seed, share, day);
        if (second === undefined) continue;
        const { id, tradingSymbol } = share;
        const about = `seed ${seed}: ${tradingSymbol} of day ${day}`;
        const at = tickOf(day, second);
        const continuous = market.lastPrint(id, tickOf(day, CONTINUOUS_END - 1));
        assert.deepEqual(market.lastPrint(id, (at - 1) as Tick), continuous, about);
        const found = withoutUsers(market, id, at);
        const print = must(market.print(id, at), about);
        assert.deepEqual([print.tick, print.price, print.quantity], [at, found.price, found.quantity], about);
        assert.deepEqual(market.lastPrint(id, at), print, about);
        assert.deepEqual(market.lastPrint(id, tickOf(day, EVENING)), print, about);
      }
    }
  }
});

/** The result of an auction with the market's own orders alone. */
function withoutUsers(market: SyntheticMarket, id: InstrumentId, tick: Tick) {
  const { bids, asks, marketBuys, marketSells, reference, step } = market.auction(id, tick);
  const band = market.band(id, tick);
  const buys = [...bids, { price: band.upper, quantity: marketBuys }];
  const sells = [...asks, { price: band.lower, quantity: marketSells }];
  return must(equilibrium(buys, sells, { reference, tick: step, band }), 'an auction finds a price');
}

test('an index has a last level as the last of its members has closed, and settles by it', () => {
  for (const seed of SEEDS) {
    const market = marketOf(seed);
    for (const index of INDICES) {
      const members = data.facts.constituentsOf(index.id).map(({ id }) => must(instruments.get(id), 'a member'));
      for (const day of tradingDays(market).slice(0, 10)) {
        const about = `seed ${seed}: ${index.tradingSymbol} of day ${day}`;
        const closed = Math.max(...members.map((member) => matchedAt(seed, member, day) ?? SHARES_END));
        const at = tickOf(day, closed);
        const before = market.lastPrint(index.id, (at - 1) as Tick);
        assert.equal(before.tick, tickOf(day, CONTINUOUS_END - 1), about);
        const level = market.lastPrint(index.id, at);
        assert.deepEqual([level.tick, level.quantity], [at, 0], about);
        assert.deepEqual(market.print(index.id, at), level, about);
        assert.equal(market.settlementPrice(index.id, tickOf(day, 15 * 3_600 + 2_400)), level.price, about);
        assert.equal(market.previousClose(index.id, nextMorning(market, day)), level.price, about);
        assert.equal(market.risk(index.id, at).spot, level.price, about);
      }
    }
  }
});

test('candles and figures hold the print of the auction from its second on: minutes, longer bars and the day', () => {
  for (const seed of SEEDS) {
    const market = marketOf(seed);
    const [day] = tradingDays(market).slice(30);
    const traded = must(day, 'a day');
    const [nse, bse] = [matchedAt(seed, RELIANCE, traded), matchedAt(seed, RELIANCE_BSE, traded)];
    for (const [instrument, closed] of [
      [RELIANCE, nse],
      [RELIANCE_BSE, bse],
      [NIFTY, nse],
      [SENSEX, bse],
      [named('NSE', 'NIFTYMEDIA'), SHARES_END],
    ] as const) {
      const matched = must(closed, 'an auction');
      for (const second of [CONTINUOUS_END, matched - 1, matched, matched + 1, matched + 200, EVENING]) {
        const about = `seed ${seed}: ${instrument.tradingSymbol} of day ${traded} at ${second}`;
        agree(market, instrument.id, traded, second, about);
        const minutes = barsOf(market, instrument.id, traded, 1, tickOf(traded, second));
        assert.equal(minutes.length, second < matched ? 360 : 361, about);
      }
    }
  }
});

/** Bars of all lengths, the day's candle and its figures are the fold of the prints up to a second. */
function agree(market: SyntheticMarket, id: InstrumentId, day: IstDay, second: number, about: string): void {
  const until = tickOf(day, second);
  const prints: Print[] = [];
  for (let tick = tickOf(day, 0); tick <= until; tick = (tick + 1) as Tick) {
    const print = market.print(id, tick);
    if (print !== undefined) prints.push(print);
  }
  for (const length of [1, 3, 5, 15, 60, 240]) {
    const bars = barsOf(market, id, day, length, until);
    const start = (tick: Tick) => {
      const minute = Math.floor((tick - tickOf(day, 0)) / 60) - 555;
      return istInstant(day, (555 + minute - (minute % length)) * 60_000);
    };
    const folds = Map.groupBy(prints, (print) => start(print.tick));
    assert.deepEqual(
      bars,
      Array.from(folds, ([from, ofBar]) => foldOf(ofBar, from)),
      `${about} in bars of ${length}`,
    );
  }
  const whole = foldOf(prints, istInstant(day));
  assert.deepEqual(market.daily(id, day, day, until), [whole], about);
  const figures = must(market.dayFigures(id, until), about);
  const { open, high, low, last: close, volume, openInterest } = figures;
  assert.deepEqual({ start: whole.start, open, high, low, close, volume, openInterest }, whole, about);
  const value = prints.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  assert.equal(figures.turnover, value, about);
  const { quantity, value: within } = market.turnover(id, until, 60);
  assert.deepEqual({ quantity, value: within }, printsWithin(market, id, until, 60), about);
}

function barsOf(market: SyntheticMarket, id: InstrumentId, day: IstDay, minutes: number, until: Tick): Candle[] {
  return market.intraday(id, minutes, istInstant(day), istInstant(day, 86_399_000), until);
}

function foldOf(prints: readonly Print[], start: Candle['start']): Candle {
  const prices = prints.map(({ price }) => price);
  return {
    start,
    open: must(prices[0], 'a print'),
    high: Math.max(...prices) as Candle['high'],
    low: Math.min(...prices) as Candle['low'],
    close: must(prices.at(-1), 'a print'),
    volume: prints.reduce((sum, { quantity }) => sum + quantity, 0),
    openInterest: 0,
  };
}

test('earlier questions change no answer about an auction, and later ones no answer about the time before it', () => {
  for (const seed of SEEDS) {
    const day = civil(2026, 9, 15);
    const random = new Random(seed);
    const questions = Array.from({ length: 300 }, () => {
      const { id } = random.pick([RELIANCE, RELIANCE_BSE, NIFTY, SENSEX]);
      const tick = tickOf((day - random.below(20)) as IstDay, random.between(54_000, 56_400));
      const [from, to] = [instantOf((tick - 3_600) as Tick), instantOf(tick)];
      return random.pick<(market: SyntheticMarket) => unknown>([
        (market) => market.lastPrint(id, tick),
        (market) => market.print(id, tick),
        (market) => market.dayFigures(id, tick),
        (market) => market.intraday(id, 1, from, to, tick),
        (market) => market.daily(id, (day - 20) as IstDay, day, tick),
        (market) => market.previousClose(id, tick),
      ]);
    });
    const first = marketOf(seed);
    const answers = questions.map((question) => question(first));
    const second = marketOf(seed);
    const backwards = questions.toReversed().map((question) => question(second));
    assert.deepEqual(backwards.toReversed(), answers, `seed ${seed}`);
  }
});

test('before closing auctions came, where every hour trades, and in contracts, no print follows continuous trading', () => {
  const market = marketOf(7);
  const old = civil(2026, 7, 31);
  for (const { id } of [RELIANCE, NIFTY, SENSEX]) {
    assert.equal(market.lastPrint(id, tickOf(old, EVENING)).tick, tickOf(old, SHARES_END - 1));
    assert.equal(barsOf(market, id, old, 1, tickOf(old, EVENING)).length, 375);
  }
  const always = new SyntheticMarket({ seed: 7, regime: 'always', instruments, facts: data.facts, calendar });
  const day = civil(2026, 9, 15);
  for (const { id } of [RELIANCE, NIFTY]) assert.equal(barsOf(always, id, day, 1, tickOf(day, 86_399)).length, 1_440);
});
