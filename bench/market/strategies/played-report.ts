import { digits, printTable } from '../report.ts';
import { deviation, mean, tStatistic } from '../samples.ts';
import type { Played } from './trading.ts';

/** A t above this after charges is a fault of the market. */
const FAULT_T = 2;
/** The part of tests without an edge whose t is above that by chance. */
const BY_CHANCE = 0.023;
/** Fewer trades than this prove nothing by themselves. */
const FEWEST = 10;
/**
 * A trader who keeps quoting an illiquid book may earn up to this many rupees a day there; that is not a fault of the
 * market.
 */
const SMALL_RUPEES = 300;
/** The strategy that earns in reality too. */
const APART = /^H /;
/** Of strategies with many tests the best are shown. */
const MANY = /^B /;
const SHOWN = 6;

export interface Outcome {
  readonly name: string;
  readonly trades: number;
  /** Rupees a unit after charges. */
  readonly net: number;
  readonly t: number;
  readonly wins: number;
  readonly rupeesADay: number | undefined;
  readonly mark: '' | 'FAULT' | 'small' | 'apart';
}

/** The result of the seeds together, a name a line. */
export function outcomesOf(played: readonly Played[]): Outcome[] {
  const names = [...new Set(played.flatMap(({ trades }) => Object.keys(trades)))];
  return names.map((name) => {
    const nets = played.flatMap(({ trades }) => trades[name] ?? []);
    const days = played.flatMap(({ rupeesADay }) => (rupeesADay?.[name] === undefined ? [] : [rupeesADay[name]]));
    const rupeesADay = days.length > 0 ? mean(days) : undefined;
    const t = nets.length > 1 && deviation(nets) > 0 ? tStatistic(nets) : 0;
    const wins = nets.filter((net) => net > 0).length / nets.length;
    return {
      name,
      trades: nets.length,
      net: mean(nets),
      t,
      wins,
      rupeesADay,
      mark: markOf(name, nets.length, t, rupeesADay),
    };
  });
}

function markOf(name: string, trades: number, t: number, rupeesADay: number | undefined): Outcome['mark'] {
  if (APART.test(name)) return 'apart';
  if (trades < FEWEST || t <= FAULT_T) return '';
  return rupeesADay !== undefined && rupeesADay < SMALL_RUPEES ? 'small' : 'FAULT';
}

export function printOutcomes(title: string, outcomes: readonly Outcome[]): void {
  const chance = (outcomes.length * BY_CHANCE).toFixed(1);
  console.log(
    `\n${title}: ${outcomes.length} tests; without any edge, costs apart, ${chance} of them would have t > ${FAULT_T}`,
  );
  const many = outcomes.filter(({ name }) => MANY.test(name)).sort((a, b) => b.t - a.t);
  const shown = [...outcomes.filter(({ name }) => !MANY.test(name)), ...many.slice(0, SHOWN)];
  printTable(
    ['', 'strategy', 'trades', 'net a unit', 't', 'wins %', 'INR a day'],
    shown.map(({ name, trades, net, t, wins, rupeesADay, mark }) => [
      mark,
      name,
      String(trades),
      digits(net),
      t.toFixed(1),
      trades > 0 ? (100 * wins).toFixed(0) : '-',
      rupeesADay === undefined ? '' : digits(rupeesADay),
    ]),
  );
  if (many.length > SHOWN) console.log(`B: the best ${SHOWN} of ${many.length} tests are shown`);
  const faults = outcomes.filter(({ mark }) => mark === 'FAULT').map(({ name }) => name);
  console.log(`faults: ${faults.join(', ') || 'none'}`);
}
