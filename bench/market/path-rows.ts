import type { InstrumentId } from '../../src/base/ids.ts';
import type { IstDay } from '../../src/base/time.ts';
import type { Bar } from './daily-figures.ts';
import { dailyFigures, overnightShare, returnsOf } from './daily-figures.ts';
import { type Figures, named } from './figures.ts';
import { minuteFigures, minuteReturns, rollSpread, stepCorrelation, withinDays, zeroShare } from './minute-figures.ts';
import { autocorrelation, correlation, deviation, finite, kurtosis, mean, median, skewness } from './samples.ts';
import { secondFigures } from './second-figures.ts';
import type { Span } from './span.ts';
import { dailyBars, idOf, type Subject, secondPrices, sessionBars, tradingDays } from './subject.ts';

/** The shares whose volumes and nights are known. */
export const LARGE_SHARES = [
  ...['ACC', 'ADANIENT', 'AXISBANK', 'BAJFINANCE', 'BHARTIARTL', 'ETERNAL', 'HDFCBANK', 'HINDUNILVR'],
  ...['ICICIBANK', 'IDEA', 'INFY', 'ITC', 'KOTAKBANK', 'LT', 'MARUTI', 'ONGC'],
  ...['RELIANCE', 'SBIN', 'SUNPHARMA', 'TATASTEEL', 'TCS', 'TITAN', 'WIPRO', 'YESBANK'],
] as const;
const WITH_NIFTY = ['RELIANCE', 'HDFCBANK', 'TCS', 'SUNPHARMA', 'IDEA'] as const;
const BANKS = ['HDFCBANK', 'ICICIBANK', 'AXISBANK', 'KOTAKBANK', 'SBIN'] as const;
const MONTH_DAYS = 21;

/** Rows of days: NIFTY, INDIA VIX, shares. */
export function dayRows(subject: Subject, { days }: Span): Figures {
  const bars = (id: InstrumentId) => dailyBars(subject, id, ...days);
  const share = (name: string) => bars(idOf(subject, 'NSE', `${name}-EQ`));
  const nifty = bars(idOf(subject, 'NSE', 'NIFTY'));
  const bank = bars(idOf(subject, 'NSE', 'BANKNIFTY'));
  const figures: Record<string, number> = {
    ...named('nifty', dailyFigures(nifty)),
    'day.BANKNIFTY': together(nifty, bank),
  };
  for (const name of WITH_NIFTY) figures[`day.${name}`] = together(nifty, share(name));
  figures['shares.overnight'] = median(LARGE_SHARES.map((name) => overnightShare(share(name))));
  return { ...figures, ...named('vix', vixFigures(nifty, bars(idOf(subject, 'NSE', 'INDIAVIX')))) };
}

function together(a: readonly Bar[], b: readonly Bar[]): number {
  return correlation(returnsOf(a), returnsOf(b));
}

/** INDIA VIX beside the index that it is of. */
function vixFigures(nifty: readonly Bar[], vix: readonly Bar[]): Figures {
  const levels = vix.map((bar) => bar.close / 100);
  const logs = levels.map(Math.log);
  const [changes, returns] = [returnsOf(vix), returnsOf(nifty)];
  const perYear = Math.sqrt((365 * (nifty.length - 1)) / spanOf(nifty));
  const next = returns.map((_, i) =>
    i + MONTH_DAYS < returns.length ? 100 * perYear * deviation(returns.slice(i, i + MONTH_DAYS)) : Number.NaN,
  );
  const held = finite(next.map((after, i) => Math.log((levels[i] as number) / after)));
  return {
    mean: mean(levels),
    logDeviation: deviation(logs),
    ac20: autocorrelation(logs, 20),
    change: 100 * deviation(changes),
    kurtosis: kurtosis(changes),
    skew: skewness(changes),
    withNifty: correlation(changes, returns),
    onRise: mean(changes.filter((_, i) => (returns[i] as number) > 0.01)),
    onFall: mean(changes.filter((_, i) => (returns[i] as number) < -0.01)),
    overNext: Math.exp(median(held)),
    withNext: correlation(logs.slice(0, held.length), next.slice(0, held.length).map(Math.log)),
  };
}

/** Calendar days from the first bar to the last. */
function spanOf(bars: readonly Bar[]): number {
  const start = (bar: Bar | undefined) => (bar as Bar & { readonly start: number }).start;
  return (start(bars.at(-1)) - start(bars[0])) / 86_400_000;
}

/** Rows of minutes. */
export function minuteRows(subject: Subject, { minutes }: Span): Figures {
  const bars = (name: string) => sessionBars(subject, idOf(subject, 'NSE', name), ...minutes);
  const nifty = bars('NIFTY');
  const bank = minuteReturns(bars('BANKNIFTY'));
  const banks = BANKS.map((name) => minuteReturns(bars(`${name}-EQ`)));
  const [reliance, penny, au] = ['RELIANCE-EQ', 'IDEA-EQ', 'AUBANK-EQ'].map((name) => minuteReturns(bars(name)));
  const inner = (days: readonly (readonly number[])[] = []) => days.map((returns) => returns.slice(1));
  const index = minuteReturns(nifty);
  return {
    ...named('nifty', minuteFigures(nifty)),
    'reliance.zero': zeroShare(inner(reliance)),
    'penny.zero': zeroShare(inner(penny)),
    'shares.ac1': median(banks.map((days) => withinDays(inner(days), 1))),
    'shares.roll': median(banks.map((days) => rollSpread(days))),
    'penny.roll': rollSpread(penny ?? []),
    'minute.RELIANCE': stepCorrelation(index, reliance ?? [], 1),
    'minute.BANKNIFTY': stepCorrelation(index, bank, 1),
    ...bankPairs(banks),
    'au.1': stepCorrelation(bank, au ?? [], 1),
    'au.60': stepCorrelation(bank, au ?? [], 60),
  };
}

function bankPairs(banks: readonly (readonly (readonly number[])[])[]): Figures {
  const pairs = banks.flatMap((a, i) => banks.slice(i + 1).map((b) => [a, b] as const));
  const at = (count: number) => mean(pairs.map(([a, b]) => stepCorrelation(a, b, count)));
  return { 'banks.1': at(1), 'banks.5': at(5), 'banks.15': at(15), 'banks.60': at(60) };
}

/** Rows of seconds. */
export function secondRows(subject: Subject, { seconds }: Span): Figures {
  const nifty = idOf(subject, 'NSE', 'NIFTY');
  const days = tradingDays(subject, ...seconds).filter((on) => subject.facts.calendar.isTradingDay('NSE', on));
  return named('nifty', secondFigures(days.map((on: IstDay) => secondPrices(subject, nifty, on, 33_300, 55_800))));
}
