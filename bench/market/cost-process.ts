/**
 * One round of `cost.ts` in a process of its own: prints what each piece of work took of CPU time, in microseconds, as
 * JSON. Takes a checkout.
 */
import { must } from '../../src/base/assert.ts';
import type { InstrumentId } from '../../src/base/ids.ts';
import { tickOf } from '../../src/base/tick.ts';
import { istInstant } from '../../src/base/time.ts';
import { cpuTimed } from '../rows.ts';
import { expiriesOn, nearestPair, pairsOf } from './chains.ts';
import { day, endOf, idOf, REGIMES, type Subject, subjectsOf } from './subject.ts';

const SECONDS = 20_000;
const OPEN = 33_600;
const ON = day('2026-11-18');
const YEAR = [day('2025-11-21'), day('2026-11-20')] as const;

const open = await subjectsOf(must(process.argv[2], 'a checkout'));
const SEED = 1;

/**
 * Microseconds for each second of a day: the book and the last print, of an index the level. The first tenth warms up.
 */
function seconds(
  subject: Subject,
  id: InstrumentId,
  ask: (subject: Subject, id: InstrumentId, second: number) => void,
): number {
  const go = (from: number, to: number) => {
    for (let second = from; second < to; second += 1) ask(subject, id, second);
  };
  go(OPEN, OPEN + SECONDS / 10);
  return cpuTimed(() => go(OPEN + SECONDS / 10, OPEN + SECONDS)) / (SECONDS * 0.9);
}

function level({ market }: Subject, id: InstrumentId, second: number): void {
  market.lastPrint(id, tickOf(ON, second));
}

function book(subject: Subject, id: InstrumentId, second: number): void {
  subject.market.depth(id, tickOf(ON, second));
  level(subject, id, second);
}

/** A year of one-minute bars, by months, of a market with nothing in its memory. */
function year(regime: (typeof REGIMES)[number], symbol: string): number {
  const subject = open(SEED, regime);
  const id = idOf(subject, 'NSE', symbol);
  return cpuTimed(() => {
    const [from, to] = YEAR;
    subject.market.intraday(id, 1, istInstant(from), istInstant(to, 86_399_000), endOf(to));
  });
}

const costs: Record<string, number> = {};
for (const regime of REGIMES) {
  const subject = open(SEED, regime);
  const [share, index] = ['RELIANCE-EQ', 'NIFTY'].map((symbol) => idOf(subject, 'NSE', symbol)) as [
    InstrumentId,
    InstrumentId,
  ];
  const expiry = must(expiriesOn(subject, index, ON)[0], 'an expiry');
  const spot = subject.market.lastPrint(index, tickOf(ON, OPEN)).price;
  const option = nearestPair(pairsOf(subject, index, expiry, ON), spot).call.id;
  costs[`second of a share, ${regime}`] = seconds(subject, share, book);
  costs[`second of an option, ${regime}`] = seconds(subject, option, book);
  costs[`second of an index, ${regime}`] = seconds(subject, index, level);
  costs[`year of minutes of a share, ${regime}`] = year(regime, 'RELIANCE-EQ');
  costs[`year of minutes of a quiet share, ${regime}`] = year(regime, 'KEI-EQ');
  costs[`year of minutes of an index, ${regime}`] = year(regime, 'NIFTY');
}
console.log(JSON.stringify(costs));
