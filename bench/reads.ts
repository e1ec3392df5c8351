import { fileURLToPath } from 'node:url';
import { must } from '../src/base/assert.ts';
import type { InstrumentId, Tick } from '../src/base/ids.ts';
import { type EpochMs, type IstDay, istInstant, parseIsoDay, SECOND_MS } from '../src/base/time.ts';
import type { Candle } from '../src/core/market.ts';
import { calendarHours } from '../src/market/session/sessions.ts';
import { SyntheticMarket } from '../src/market/synthetic/synthetic-market.ts';
import { loadReferenceData } from '../src/reference/instruments/load.ts';
import { type BenchRow, median, ratios, spreadOf, timed } from './rows.ts';

/*
 * B8: searches over the whole master. B9: a year of one-minute candles of a share, in exchange hours, the first time
 * and again, beside JSON.stringify of the same objects in the same run.
 */

const LAST_DAY = must(parseIsoDay('2026-11-20'), 'a day');
const YEAR_AGO = must(parseIsoDay('2025-11-21'), 'a day');
const NOW = istInstant(LAST_DAY, 50_000_000);
const ROUNDS = 5;
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

/** B9 as rows. */
export function candleRows(): BenchRow[] {
  const id = must(directory.find('NSE', 'RELIANCE-EQ', NOW), 'a share').id;
  const first: number[] = [];
  const again: number[] = [];
  const writing: number[] = [];
  let bars = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const market = freshMarket();
    first.push(timed(() => void JSON.stringify(year(market, id))));
    again.push(timed(() => void JSON.stringify(year(market, id))));
    const candles = year(market, id);
    writing.push(timed(() => void JSON.stringify(candles)));
    bars = candles.length;
  }
  return [
    candleRow(`a year of one-minute candles (${bars}), first time`, first, writing, 4),
    candleRow('the same again', again, writing, 1.2),
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

if (import.meta.main) console.table([...searchRows(), ...candleRows()]);
