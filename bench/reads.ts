import { fileURLToPath } from 'node:url';
import { must } from '../src/base/assert.ts';
import type { InstrumentId, Tick } from '../src/base/ids.ts';
import { type EpochMs, type IstDay, istInstant, parseIsoDay, SECOND_MS } from '../src/base/time.ts';
import type { Candle } from '../src/core/market.ts';
import { LIVE } from '../src/engine/live.ts';
import { CandleTexts } from '../src/gateway/endpoints/market/candle-texts.ts';
import { QuoteTexts } from '../src/gateway/endpoints/market/quote-texts.ts';
import { calendarHours } from '../src/market/session/sessions.ts';
import { SyntheticMarket } from '../src/market/synthetic/synthetic-market.ts';
import { loadReferenceData } from '../src/reference/instruments/load.ts';
import { cpuTimedAlone } from './process/heap.ts';
import { keepFirst } from './process/living.ts';
import { type BenchRow, cpuTimed, median, ratios, spreadOf, timed } from './rows.ts';

/*
 * B8: searches over the whole master. B9: a year of one-minute candles of a share, in exchange hours, the first time
 * and again: as objects of the market, beside JSON.stringify of them, and as the bytes of an answer, beside
 * JSON.stringify of the same rows into bytes. B22: 1,000 full quotes of a fresh second, and again.
 */

const LAST_DAY = must(parseIsoDay('2026-11-20'), 'a day');
const YEAR_AGO = must(parseIsoDay('2025-11-21'), 'a day');
const NOW = istInstant(LAST_DAY, 50_000_000);
const ROUNDS = 7;
const MOST_RESULTS = 100;
const QUERIES = [
  'R',
  'NI',
  'ITC',
  'RELIANCE',
  'RELIANCE FUT',
  'NIFTY 24000 CE',
  'BANKNIFTY DEC',
  'BANK',
  'TATA MOTORS',
  'INDUSTRIES LTD',
  'SENSEX 80000 PE',
  'ZZZZ',
  '29DEC26',
  'HDFC',
  'NIFTY BANK',
  'IDEA-EQ',
];
const SEARCH_ROUNDS = 40;
const SEARCH_GOAL_MS = 3;

const data = loadReferenceData(fileURLToPath(new URL('../data', import.meta.url)));
const directory = data.master();

function freshMarket(): SyntheticMarket {
  const calendar = calendarHours(data);
  return new SyntheticMarket({ seed: 1, regime: 'exchange', instruments: directory, facts: data.facts, calendar });
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Milliseconds of CPU time. */
function cpuMs(work: () => void): number {
  return cpuTimed(work) / 1_000;
}

/** The same, without the garbage of the work before. */
function cpuMsAlone(work: () => void): number {
  return cpuTimedAlone(work) / 1_000;
}

/** B8 as a row. */
export function searchRows(): BenchRow[] {
  const search = (text: string): number => timed(() => void directory.search(text, MOST_RESULTS, NOW));
  for (const query of QUERIES) search(query);
  const times: number[] = [];
  for (let round = 0; round < SEARCH_ROUNDS; round += 1) times.push(...QUERIES.map(search));
  const p99 = percentile(times, 0.99);
  return [
    {
      id: 'B8',
      what: `searches over ${directory.count(NOW)} instruments, ${QUERIES.length} queries`,
      ours: `p50 ${median(times).toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`,
      reference: 'none',
      ratio: 'none',
      spread: `${spreadOf(times)} ms`,
      goal: `p99 at most ${SEARCH_GOAL_MS} ms`,
      reached: p99 <= SEARCH_GOAL_MS,
    },
  ];
}

/** B9 as rows. CPU time. The garbage of the part before is collected first. */
export function candleRows(): BenchRow[] {
  const id = must(directory.find('NSE', 'RELIANCE-EQ', NOW), 'a share').id;
  const first: number[] = [];
  const again: number[] = [];
  const writing: number[] = [];
  let bars = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const market = freshMarket();
    keepFirst('market', market);
    first.push(cpuMsAlone(() => void JSON.stringify(year(market, id))));
    again.push(cpuMsAlone(() => void JSON.stringify(year(market, id))));
    const candles = year(market, id);
    writing.push(cpuMsAlone(() => void JSON.stringify(candles)));
    bars = candles.length;
  }
  return [
    candleRow(`a year of candles (${bars}) as objects, first time`, first, writing, 3),
    candleRow('the same objects again', again, writing, 1.1),
  ];
}

function year(market: SyntheticMarket, id: InstrumentId): Candle[] {
  const until = (istInstant((LAST_DAY + 1) as IstDay) / SECOND_MS - 1) as Tick;
  return market.intraday(id, 1, istInstant(YEAR_AGO), (istInstant(LAST_DAY) + 86_399_999) as EpochMs, until);
}

function candleRow(what: string, ours: number[], reference: number[], goal: number): BenchRow {
  const all = ratios(ours, reference);
  return {
    id: 'B9',
    what,
    ours: `${median(ours).toFixed(0)} ms`,
    reference: `JSON.stringify of them, ${median(reference).toFixed(0)} ms`,
    ratio: median(all).toFixed(2),
    spread: spreadOf(all),
    goal: `at most ${goal} times`,
    reached: median(all) <= goal,
  };
}

/**
 * B9 of an answer as rows: the same candles as the endpoint writes them, in bytes. CPU time. The garbage of
 * the part before is collected first, so that each pays for its own alone.
 */
export function candleAnswerRows(): BenchRow[] {
  const id = must(directory.find('NSE', 'RELIANCE-EQ', NOW), 'a share').id;
  const first: number[] = [];
  const again: number[] = [];
  const writing: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const texts = new CandleTexts(freshMarket());
    keepFirst('texts', texts);
    first.push(cpuMsAlone(() => void yearAsBytes(texts, id)));
    again.push(cpuMs(() => void yearAsBytes(texts, id)));
    const rows: unknown = JSON.parse(`[${Buffer.concat(yearAsBytes(texts, id)).subarray(1).toString()}]`);
    writing.push(cpuMsAlone(() => void Buffer.from(JSON.stringify(rows))));
  }
  return [
    candleRow('a year of candles as an answer, first time', first, writing, 3),
    candleRow('the same answer again', again, writing, 1.1),
  ];
}

function yearAsBytes(texts: CandleTexts, id: InstrumentId): Buffer[] {
  const { state, views } = LIVE.empty();
  const until = (istInstant((LAST_DAY + 1) as IstDay) / SECOND_MS - 1) as Tick;
  const pieces: Buffer[] = [];
  for (let day = YEAR_AGO; day <= LAST_DAY; day = (day + 1) as IstDay) {
    const range = { from: istInstant(day), to: (istInstant((day + 1) as IstDay) - 1) as EpochMs };
    pieces.push(texts.minutesOf(state, views, id, 1, range, until).bytes);
  }
  return pieces;
}

const QUOTED = 1_000;
const QUOTED_SECONDS = 40;

/** B22 as rows: the first shares of NSE by name. CPU time. */
export function quoteRows(): BenchRow[] {
  const market = freshMarket();
  const texts = new QuoteTexts(market);
  const { state, views } = LIVE.empty();
  const shares = [...directory.list('NSE', NOW)].filter(({ kind }) => kind === 'equity').slice(0, QUOTED);
  const named = shares.map((instrument) => ({ instrument, answeredSymbol: instrument.tradingSymbol }));
  const ask = (second: number): number =>
    cpuMs(() => {
      for (const one of named) texts.textOf(state, views, one, (NOW + second * SECOND_MS) as EpochMs);
    });
  for (let second = 0; second < QUOTED_SECONDS; second += 1) ask(second);
  const fresh: number[] = [];
  const again: number[] = [];
  for (let second = QUOTED_SECONDS; second < 2 * QUOTED_SECONDS; second += 1) {
    fresh.push(ask(second));
    again.push(ask(second));
  }
  return [
    quoteRow(`a fresh second of ${QUOTED} shares as full quotes`, fresh, 8),
    quoteRow('the same again', again, 0.5),
  ];
}

function quoteRow(what: string, times: number[], goal: number): BenchRow {
  return {
    id: 'B22',
    what,
    ours: `${median(times).toFixed(2)} ms of CPU`,
    reference: 'none',
    ratio: 'none',
    spread: `${spreadOf(times)} ms`,
    goal: `at most ${goal} ms`,
    reached: median(times) <= goal,
  };
}

if (import.meta.main) console.table([...searchRows(), ...candleRows(), ...candleAnswerRows(), ...quoteRows()]);
