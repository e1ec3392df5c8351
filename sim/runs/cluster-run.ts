import type { ClusterEpisodeResult } from '../cluster/cluster-episode.ts';
import { ClusterSituations } from '../cluster/cluster-situations.ts';
import { reportFailed } from './failed-episode.ts';
import { outcomes } from './outcomes.ts';
import { playCluster } from './play-seed.ts';
import type { Wanted } from './run-options.ts';

/** A run of this many episodes must have come through every situation. */
const ENOUGH = 1_000;
/** After this many episodes a run says how far it came. */
const PROGRESS = 100;

/** Plays episodes of a cluster, and prints how they went. Sets the exit code of the process when one fails. */
export async function playClusters(run: Wanted): Promise<void> {
  const { seconds, seed: from, steps, failures, without } = run;
  const options = `--cluster --steps ${steps}${without === undefined ? '' : ` --without ${without}`}`;
  const began = performance.now();
  const met = new ClusterSituations();
  const sums = { done: 0, failed: 0, steps: 0, sent: 0, acknowledged: 0, records: 0, epochs: 0, healedMs: 0 };
  const elapsed = (): number => (performance.now() - began) / 1_000;
  const soFar = (): string =>
    `${sums.done} episodes from seed ${from} on: ${sums.steps} cluster steps, ${sums.sent} asks sent, ${sums.acknowledged} acknowledged, ${sums.records} records, ${sums.epochs} epochs, at most ${sums.healedMs} ms from the end of all faults to an answer; ${sums.failed} violations`;
  const add = (seed: number, result: ClusterEpisodeResult): void => {
    met.add(result.met);
    for (const name of ['steps', 'sent', 'acknowledged', 'records', 'epochs'] as const) sums[name] += result[name];
    sums.healedMs = Math.max(sums.healedMs, result.healedMs);
    sums.done += 1;
    if (sums.done % PROGRESS === 0) console.error(`${elapsed().toFixed(0)} s, seed ${seed}: ${soFar()}`);
  };
  for await (const outcome of outcomes(run, playCluster)) {
    if ('result' in outcome) add(outcome.seed, outcome.result);
    else {
      reportFailed(outcome.seed, outcome.failure, options);
      sums.failed += 1;
    }
    if (elapsed() >= seconds || sums.failed >= failures) break;
  }
  console.log(met.text());
  console.log(soFar());
  console.log(`${elapsed().toFixed(1)} s, ${(sums.steps / elapsed()).toFixed(0)} cluster steps a second`);
  const missed = met.missed();
  if (sums.done > 0 && missed.length > 0) console.log(`not met: ${missed.join('; ')}`);
  if (sums.done >= ENOUGH && missed.length > 0) process.exitCode = 1;
}
