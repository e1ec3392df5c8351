import { must } from '../../src/base/assert.ts';
import type { Generator, Run, Stage, StageReport } from './generator-process.ts';

/**
 * A rate is held when 99 % of its requests are answered within this time of the moment they were due. In milliseconds.
 */
export const BOUND_MS = 25;
/** This number of connections never makes a queue that is refused. */
const CEILING_LINES = 64;
/** More requests a second than anything here answers. */
const FLOOD = 40_000;
const FLOOD_SECONDS = 3;
const WARM_UP_SECONDS = 1;
const PROBE_SECONDS = 5;
const LINES = 256;
const LEAST_SHARE = 0.2;
const STEPS = 4;

/** The service under load, and its users. */
export interface Target {
  readonly generator: Generator;
  /** Makes the generator and the target ready for a probe, with that many connections. */
  readonly prepare: (lines: number) => Promise<void>;
  readonly echo?: string;
}

export interface Found {
  /** The highest rate that was held, requests a second; 0 when none was. */
  readonly rate: number;
  /** The most that comes back, whatever it takes, over 64 connections. */
  readonly ceiling: number;
  readonly report: StageReport | undefined;
}

/**
 * Bisects between a fifth of the ceiling and the ceiling. A rate that fails is tried once more, since the machine has
 * noise of its own.
 */
export async function findRate(target: Target, tell: (line: string) => void): Promise<Found> {
  const ceiling = await ceilingOf(target);
  tell(`ceiling ${ceiling.toFixed(0)} a second`);
  let low = LEAST_SHARE * ceiling;
  let high = ceiling;
  let best: StageReport | undefined;
  let rate = 0;
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2;
    const report = (await probe(target, middle, tell)) ?? (await probe(target, middle, tell));
    if (report === undefined) high = middle;
    else {
      low = middle;
      rate = middle;
      best = report;
    }
  }
  return { rate, ceiling, report: best };
}

async function ceilingOf({ generator, prepare, echo }: Target): Promise<number> {
  await prepare(CEILING_LINES);
  const stages = [{ rate: FLOOD, seconds: FLOOD_SECONDS }];
  const { stages: reports, elapsedSeconds } = await generator.run(planOf(stages, echo));
  return (reports[0]?.answered.count ?? 0) / elapsedSeconds;
}

/** The report of a rate that was held; `undefined` for one that was not. */
async function probe(
  { generator, prepare, echo }: Target,
  rate: number,
  tell: (line: string) => void,
): Promise<StageReport | undefined> {
  await prepare(LINES);
  const stages = [
    { rate, seconds: WARM_UP_SECONDS },
    { rate, seconds: PROBE_SECONDS },
  ];
  const { stages: reports, faults } = await generator.run(planOf(stages, echo));
  const report = must(reports[1], 'every stage has its report');
  const { answered, shed, bad, notSent } = report;
  const isHeld = answered.p99 <= BOUND_MS && shed.count + bad + notSent === 0;
  tell(
    `${rate.toFixed(0)} a second: p50 ${answered.p50.toFixed(1)} ms, p99 ${answered.p99.toFixed(1)} ms, ` +
      `${shed.count} refused, ${bad} bad, ${notSent} not sent: ${isHeld ? 'held' : 'not held'}`,
  );
  for (const fault of faults) tell(`  ${fault}`);
  return isHeld ? report : undefined;
}

function planOf(stages: readonly Stage[], echo: string | undefined): Run {
  return { stages, ...(echo === undefined ? {} : { echo }) };
}
