import type { InstrumentId } from '../../src/base/ids.ts';
import { tickOf } from '../../src/base/tick.ts';
import type { IstDay } from '../../src/base/time.ts';
import { istInstant } from '../../src/base/time.ts';
import type { Equity } from '../../src/core/instrument.ts';
import type { Print } from '../../src/core/market.ts';
import { futuresOn } from './chains.ts';
import type { Figures } from './figures.ts';
import { autocorrelation, deviation, mean, median } from './samples.ts';
import type { Span } from './span.ts';
import { idOf, type Subject, tradingDays } from './subject.ts';

/**
 * Classes of shares by the turnover of the day in rupees, from the largest: the names of their rows, and how many
 * shares are counted.
 */
const CLASSES = [
  { name: '100cr', least: 1e9 },
  { name: '10cr', least: 1e8 },
  { name: '1cr', least: 1e7 },
  { name: '10L', least: 1e6 },
  { name: '1L', least: 1e5 },
] as const;
/** The stock futures of which ticks are known. */
export const TICK_FUTURES = ['RELIANCE', 'TCS', 'TRENT', 'MCX'] as const;
const HOUR = [43_620, 47_220] as const;

/** Rows of single trades. */
export function printRows(subject: Subject, { looks, sharesInClass }: Span): Figures {
  const days = tradingDays(subject, ...looks).filter((on) => subject.facts.calendar.isTradingDay('NSE', on));
  return { ...tradesByClass(subject, days[8] as IstDay, sharesInClass), ...futureTicks(subject, days.slice(0, 6)) };
}

/** The market's prints of a day from one second to another. */
function printsOf({ market }: Subject, id: InstrumentId, on: IstDay, from: number, to: number): Print[] {
  const prints: Print[] = [];
  for (let second = from; second < to; second += 1) {
    const print = market.print(id, tickOf(on, second));
    if (print) prints.push(print);
  }
  return prints;
}

interface ShareDay {
  readonly id: InstrumentId;
  readonly tick: number;
  /** In rupees. */
  readonly turnover: number;
}

function tradesByClass(subject: Subject, on: IstDay, sharesInClass: number): Figures {
  const { directory, market } = subject;
  const end = tickOf(on, 86_399);
  const listed = [...directory.list('NSE', istInstant(on, 36_000_000))].filter(
    (instrument): instrument is Equity => instrument.kind === 'equity' && instrument.series === 'EQ',
  );
  const shares: ShareDay[] = listed.flatMap(({ id, tick }) => {
    const [bar] = market.daily(id, on, on, end);
    return bar ? [{ id, tick, turnover: (bar.close / 100) * bar.volume }] : [];
  });
  const figures: Record<string, number> = {};
  const everyPrint: (Print & { readonly step: number })[] = [];
  CLASSES.forEach(({ name, least }, i) => {
    const most = CLASSES[i - 1]?.least ?? Number.POSITIVE_INFINITY;
    const own = shares.filter(({ turnover }) => turnover >= least && turnover < most);
    const counted = spreadOut(own, sharesInClass).map(({ id, tick }) => {
      const prints = printsOf(subject, id, on, ...wholeDay(subject));
      everyPrint.push(...prints.map((print) => ({ ...print, step: tick })));
      return { trades: prints.length, units: mean(prints.map(({ quantity }) => quantity)) };
    });
    figures[`trades.${name}`] = median(counted.map(({ trades }) => trades));
    figures[`units.${name}`] = median(counted.map(({ units }) => units));
  });
  return { ...figures, ...sizesAndSteps(everyPrint) };
}

function wholeDay({ regime }: Subject): [from: number, to: number] {
  return regime === 'always' ? [0, 86_400] : [33_300, 57_600];
}

/** Every n-th, so that about `count` are taken. */
function spreadOut<T>(values: readonly T[], count: number): T[] {
  const step = Math.max(1, Math.floor(values.length / count));
  return values.filter((_, i) => i % step === 0).slice(0, count);
}

function sizesAndSteps(prints: readonly (Print & { readonly step: number })[]): Figures {
  const large = prints.filter(({ quantity }) => quantity >= 10);
  return {
    'prints.round': large.filter(({ quantity }) => quantity % 10 === 0).length / large.length,
    'prints.offTick': prints.filter(({ price, step }) => price % step !== 0).length,
  };
}

/** The rhythm and the sides of the trades of stock futures, over an hour at noon. */
function futureTicks(subject: Subject, days: readonly IstDay[]): Figures {
  const gaps: number[] = [];
  const fanos: number[] = [];
  const sides: number[] = [];
  for (const name of TICK_FUTURES) {
    const share = idOf(subject, 'NSE', `${name}-EQ`);
    for (const on of days) {
      const [near] = futuresOn(subject, name, share, on);
      const prints = near ? printsOf(subject, near[1].id, on, ...HOUR) : [];
      if (prints.length < 30) continue;
      const times = prints.map(({ tick }) => tick);
      const waits = times.slice(1).map((tick, i) => tick - (times[i] as number));
      gaps.push(deviation(waits) / mean(waits));
      fanos.push(fano(times));
      sides.push(
        autocorrelation(
          prints.map(({ aggressor }) => (aggressor === 'B' ? 1 : -1)),
          1,
        ),
      );
    }
  }
  return { 'futures.gaps': median(gaps), 'futures.fano': median(fanos), 'futures.sides': mean(sides) };
}

/** The variance over the mean of the counts of minutes. */
function fano(ticks: readonly number[]): number {
  const first = ticks[0] as number;
  const counts = Array.from({ length: (HOUR[1] - HOUR[0]) / 60 }, () => 0);
  for (const tick of ticks) {
    const minute = Math.floor((tick - first) / 60);
    counts[minute] = (counts[minute] ?? 0) + 1;
  }
  return deviation(counts) ** 2 / mean(counts);
}
