import type { StageReport, Verification } from './generator-process.ts';

/** The service after one minute of load. */
export interface Sample {
  readonly minute: number;
  readonly day: number;
  /** The last sample of its day; every day has as many orders by then. */
  readonly isDayEnd: boolean;
  /** Bytes of the heap in use after a forced collection. */
  readonly heap: number;
  readonly resident: number;
  /** Open descriptors that are not connections of clients. */
  readonly descriptors: number;
  readonly orders: number;
  readonly records: number;
  /** Bytes of the data folder. */
  readonly stored: number;
  readonly report: StageReport;
  readonly verified: Verification;
}

export interface Verdict {
  readonly isGood: boolean;
  readonly lines: readonly string[];
}

/** Source: reliability G9. */
const MOST_GROWTH = 0.02;
/** The histories of seven past days are kept: from then on every day that begins drops one. */
const FIRST_DAY = 8;

/**
 * The verdict on the service after a soak: the heap at the ends of days, when each has as many orders, may not grow by
 * more than 2 % from the eighth day to the last; descriptors may not grow; nothing was lost, and no answer was bad.
 */
export function verdictOf(samples: readonly Sample[]): Verdict {
  const ends = samples.filter(({ isDayEnd, day }) => isDayEnd && day >= FIRST_DAY);
  const [first] = ends;
  const last = ends.at(-1);
  if (first === undefined || last === undefined || first === last) {
    return { isGood: false, lines: [`verdict: none before the end of day ${FIRST_DAY + 1}`] };
  }
  const growth = last.heap / first.heap - 1;
  const descriptors = last.descriptors - first.descriptors;
  const bad = samples.reduce((sum, { report }) => sum + report.bad, 0);
  const notSent = samples.reduce((sum, { report }) => sum + report.notSent, 0);
  const lost = samples.reduce((sum, { verified: { missing, unwanted, wrong } }) => sum + missing + unwanted + wrong, 0);
  const isGood = growth <= MOST_GROWTH && descriptors <= 0 && bad === 0 && lost === 0;
  const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;
  return {
    isGood,
    lines: [
      `heap at the ends of days ${first.day} to ${last.day}: ${percent(growth)}, at most ${percent(MOST_GROWTH)}`,
      `bytes of heap for each order of a day: ${bytesPerOrder(samples).toFixed(0)}`,
      `resident memory: ${percent(last.resident / first.resident - 1)}; descriptors: ${descriptors}`,
      `bad answers: ${bad}; requests not sent for want of a free connection: ${notSent}; orders lost, unwanted or wrong: ${lost}`,
      `verdict: ${isGood ? 'good' : 'not good'}`,
    ],
  };
}

/**
 * The slope of the heap over the orders of a day, over all days but the first: each day's samples against its own mean.
 */
function bytesPerOrder(samples: readonly Sample[]): number {
  let products = 0;
  let squares = 0;
  for (const day of new Set(samples.map((sample) => sample.day))) {
    const own = samples.filter((sample) => sample.day === day && day >= FIRST_DAY);
    const orders = own.reduce((sum, sample) => sum + sample.orders, 0) / own.length;
    const heap = own.reduce((sum, sample) => sum + sample.heap, 0) / own.length;
    for (const sample of own) {
      products += (sample.orders - orders) * (sample.heap - heap);
      squares += (sample.orders - orders) ** 2;
    }
  }
  return squares === 0 ? 0 : products / squares;
}
