/**
 * The statistics of the synthetic market's paths and the cost of its candles, as tables. Run by hand:
 * `node bench/market-statistics.ts [seed] [always|exchange]`.
 */
import { fileURLToPath } from 'node:url';
import { must } from '../src/base/assert.ts';
import type { InstrumentId, Tick } from '../src/base/ids.ts';
import { type EpochMs, type IstDay, istInstant, parseIsoDay, SECOND_MS } from '../src/base/time.ts';
import type { Candle } from '../src/core/market.ts';
import { loadMarketData } from '../src/market/instruments/load.ts';
import type { HoursRegime } from '../src/market/synthetic/profile.ts';
import { calendarHours } from '../src/market/synthetic/sessions.ts';
import { SyntheticMarket } from '../src/market/synthetic/synthetic-market.ts';

const SYMBOLS = ['RELIANCE-EQ', 'HDFCBANK-EQ', 'TCS-EQ', 'SUNPHARMA-EQ', 'TATASTEEL-EQ', 'ITC-EQ', 'IDEA-EQ'];
const LAGS = [1, 5, 20];
const FIRST = day('2020-01-02');
const LAST = day('2026-11-20');
const YEAR_FROM = day('2025-11-21');
const UNTIL = tickOf(istInstant(LAST, 86_399_000));
const MINUTE_SHARE = { always: 0.55, exchange: 0.85 };
const SESSION_MINUTES = 375;

const seed = Number(process.argv[2] ?? 1);
const regime: HoursRegime = process.argv[3] === 'always' ? 'always' : 'exchange';
const data = loadMarketData(fileURLToPath(new URL('../data', import.meta.url)));
const directory = data.master();
const now = istInstant(LAST);

function freshMarket(): SyntheticMarket {
  return new SyntheticMarket({
    seed,
    regime,
    instruments: directory,
    facts: data.facts,
    calendar: calendarHours(data),
  });
}

function day(text: string): IstDay {
  return must(parseIsoDay(text), text);
}

function tickOf(at: EpochMs): Tick {
  return Math.floor(at / SECOND_MS) as Tick;
}

function find(symbol: string): InstrumentId {
  return must(directory.find('NSE', symbol, now), symbol).id;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function correlation(a: readonly number[], b: readonly number[]): number {
  const [meanA, meanB] = [mean(a), mean(b)];
  const covariance = mean(a.map((value, i) => (value - meanA) * ((b[i] ?? 0) - meanB)));
  return (
    covariance / Math.sqrt(mean(a.map((value) => (value - meanA) ** 2)) * mean(b.map((value) => (value - meanB) ** 2)))
  );
}

function autocorrelation(values: readonly number[], lag: number): number {
  return correlation(values.slice(lag), values.slice(0, -lag));
}

function returnsOf(candles: readonly Candle[]): number[] {
  return candles.slice(1).map((candle, i) => Math.log(candle.close / (candles[i]?.close ?? 1)));
}

/** Changes from minute to minute inside the session, and the minute of the day of each. */
function minuteReturns(candles: readonly Candle[]): { change: number; minute: number }[] {
  const found: { change: number; minute: number }[] = [];
  for (let i = 1; i < candles.length; i += 1) {
    const [before, after] = [candles[i - 1], candles[i]];
    if (!before || !after || after.start - before.start !== 60_000) continue;
    const minute = ((after.start + 19_800_000) % 86_400_000) / 60_000;
    if (minute > 555 && minute < 930) found.push({ change: Math.log(after.close / before.close), minute });
  }
  return found;
}

function deviation(values: readonly number[]): number {
  return Math.sqrt(mean(values.map((value) => value ** 2)));
}

function percent(value: number): string {
  return `${(100 * value).toFixed(3)} %`;
}

function statistics(): void {
  const market = freshMarket();
  const index = returnsOf(market.daily(find('NIFTY'), FIRST, LAST, UNTIL));
  const rows = ['NIFTY', 'BANKNIFTY', ...SYMBOLS].map((symbol) => {
    const id = find(symbol);
    const returns = returnsOf(market.daily(id, FIRST, LAST, UNTIL));
    const squares = returns.map((value) => value ** 2);
    const minutes = minuteReturns(market.intraday(id, 1, istInstant(YEAR_FROM), istInstant(LAST, 86_399_000), UNTIL));
    const within = (from: number, to: number) =>
      deviation(minutes.filter(({ minute }) => minute >= from && minute < to).map(({ change }) => change));
    const target = must(data.facts.factsOf(id), symbol).volatility / Math.sqrt(252);
    return {
      symbol,
      'daily, target': `${percent(deviation(returns))}, ${percent(target)}`,
      'minute, target': `${percent(deviation(minutes.map(({ change }) => change)))}, ${percent(
        target * Math.sqrt(MINUTE_SHARE[regime] / SESSION_MINUTES),
      )}`,
      'with NIFTY': correlation(returns, index).toFixed(2),
      returns: LAGS.map((lag) => autocorrelation(returns, lag).toFixed(2)).join(' '),
      squares: LAGS.map((lag) => autocorrelation(squares, lag).toFixed(2)).join(' '),
      'open, close to noon': `${(within(556, 576) / within(720, 780)).toFixed(2)}, ${(within(910, 930) / within(720, 780)).toFixed(2)}`,
    };
  });
  console.log(`seed ${seed}, ${regime} hours, ${index.length} days; autocorrelation at lags ${LAGS.join(', ')}`);
  print(rows);
}

/** Rows as aligned text, their keys as the head. */
function print(rows: readonly Readonly<Record<string, string>>[]): void {
  const head = Object.keys(must(rows[0], 'a row'));
  const lines = [head, ...rows.map((row) => head.map((key) => row[key] ?? ''))];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  for (const line of lines) console.log(line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  console.log('');
}

/** The bars as the wire shows them. */
function wireObjects(candles: readonly Candle[]): object[] {
  return candles.map(({ start, open, high, low, close, volume, openInterest }) => ({
    time: '2026-11-20T09:15:00',
    epochTime: start / SECOND_MS,
    open: open / 100,
    high: high / 100,
    low: low / 100,
    close: close / 100,
    volume,
    oi: openInterest,
  }));
}

function timed<T>(work: () => T): { readonly value: T; readonly ms: number } {
  const start = performance.now();
  const value = work();
  return { value, ms: performance.now() - start };
}

function median(values: readonly number[]): number {
  return must(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)], 'a value');
}

/** A year of minutes: the first time from a market that was asked nothing, the second time, and JSON.stringify of the bars. */
function cost(symbol: string): Record<string, string> {
  const id = find(symbol);
  const runs = Array.from({ length: 7 }, () => {
    const market = freshMarket();
    const ask = () => market.intraday(id, 1, istInstant(YEAR_FROM), istInstant(LAST, 86_399_000), UNTIL);
    const first = timed(ask);
    const again = timed(ask);
    const objects = wireObjects(first.value);
    const text = timed(() => JSON.stringify(objects));
    return { bars: objects.length, first: first.ms, again: again.ms, json: text.ms };
  });
  const first = median(runs.map((run) => run.first));
  const again = median(runs.map((run) => run.again));
  const json = median(runs.map((run) => run.json));
  return {
    symbol,
    bars: String(must(runs[0], 'a run').bars),
    'first ms': first.toFixed(0),
    'again ms': again.toFixed(0),
    'JSON.stringify ms': json.toFixed(0),
    'first/JSON': (first / json).toFixed(1),
    'again/JSON': (again / json).toFixed(1),
  };
}

statistics();
print(['RELIANCE-EQ', 'IDEA-EQ', 'NIFTY'].map(cost));
