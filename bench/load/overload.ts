import { must } from '../../src/base/assert.ts';
import { BOUND_MS } from './find.ts';
import type { Generator, Report, StageReport, Verification } from './generator-process.ts';

const CALM_SECONDS = 8;
const OVERLOAD_SECONDS = 30;
const AFTER_SECONDS = 15;
/** Half the rated load before and after. */
const CALM_SHARE = 0.5;
/** Source: reliability G8. */
const RECOVERY_SECONDS = 10;
/** A refusal of load comes within this time. In milliseconds. */
const REFUSAL_MS = 500;
const READS = ['ltp', 'quotes', 'orderBook', 'positions', 'history'] as const;

/** Calm, `times` the rated load, and calm again, without a pause between. */
export function overload(generator: Generator, rated: number, times: number): Promise<Report> {
  const calm = rated * CALM_SHARE;
  return generator.run({
    stages: [
      { rate: calm, seconds: CALM_SECONDS },
      { rate: rated * times, seconds: OVERLOAD_SECONDS },
      { rate: calm, seconds: AFTER_SECONDS },
    ],
  });
}

export interface OverloadVerdict {
  readonly isGood: boolean;
  readonly lines: readonly string[];
}

/**
 * The verdict on an overload run: requests were refused cleanly and at once, reads went on, nothing was lost, and it
 * was over soon after.
 */
export function overloadVerdict({ stages, seconds, faults }: Report, verified: Verification): OverloadVerdict {
  const [before, during, after] = stages;
  const asBefore = Math.max(BOUND_MS, ...seconds.slice(0, CALM_SECONDS).map(({ answered }) => answered.p99));
  const recovery = recoverySeconds(seconds.slice(CALM_SECONDS + OVERLOAD_SECONDS), asBefore);
  const bad = stages.reduce((sum, stage) => sum + stage.bad + stage.notSent, 0);
  const lost = verified.missing + verified.unwanted + verified.wrong + verified.unanswered;
  const refusal = must(during, 'the overload has its report').shed;
  const isGood = bad === 0 && lost === 0 && recovery <= RECOVERY_SECONDS && refusal.p99 <= REFUSAL_MS;
  return {
    isGood,
    lines: [
      ...[before, during, after].flatMap((stage, index) =>
        stage === undefined ? [] : [`${['before', 'during', 'after'][index]}: ${stageText(stage)}`],
      ),
      `reads during: ${readsText(must(during, 'the overload has its report'))}`,
      `recovered after ${recovery} s (p99 within ${asBefore.toFixed(0)} ms, as before, and no refusal from then on), at most ${RECOVERY_SECONDS}`,
      `ledger: ${verified.acknowledged} orders acknowledged, ${verified.missing} missing, ${verified.unwanted} refused and yet there, ` +
        `${verified.unanswered} never answered and there, ${verified.wrong} otherwise than acknowledged`,
      ...faults.map((fault) => `  ${fault}`),
      ...verified.examples.map((example) => `  ${example}`),
      `verdict: ${isGood ? 'good' : 'not good'}`,
    ],
  };
}

/** After how many seconds the answers were as before for good; infinite when they never were. */
function recoverySeconds(seconds: readonly StageReport[], asBefore: number): number {
  const last = seconds.findLastIndex(
    ({ answered, shed, bad, notSent }) => answered.p99 > asBefore || shed.count + bad + notSent > 0,
  );
  return last + 1 === seconds.length ? Number.POSITIVE_INFINITY : last + 1;
}

export function stageText({ answered, shed, bad, notSent }: StageReport): string {
  const ms = (time: number): string => time.toFixed(1);
  return (
    `${answered.count} answered (p50 ${ms(answered.p50)} ms, p99 ${ms(answered.p99)} ms, longest ${ms(answered.max)} ms), ` +
    `${shed.count} refused (p50 ${ms(shed.p50)} ms, p99 ${ms(shed.p99)} ms), ${bad} bad, ${notSent} not sent`
  );
}

function readsText({ answeredKinds, shedKinds }: StageReport): string {
  const texts = READS.map((kind) => {
    const answered = answeredKinds[kind];
    return `${kind} ${answered?.count ?? 0} answered (p99 ${(answered?.p99 ?? 0).toFixed(1)} ms), ${shedKinds[kind]?.count ?? 0} refused`;
  });
  return texts.join('; ');
}
