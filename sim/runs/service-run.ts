import type { EpisodeResult } from '../episode.ts';
import { Situations } from '../situations.ts';
import { reportFailed } from './failed-episode.ts';
import { outcomes as played } from './outcomes.ts';
import { playService } from './play-seed.ts';
import type { Wanted } from './run-options.ts';

/** A run of this many commands must have come through every situation. */
const ENOUGH = 300_000;
/** After this many episodes a run says how far it came: also one that is ended before its end has said it then. */
const PROGRESS = 100;

/** Plays episodes of one service, and prints how they went. Sets the exit code of the process when one fails. */
export async function playServices(run: Wanted): Promise<void> {
  const { seconds, seed: from, commands, decided, failures, outcomes } = run;
  const began = performance.now();
  const met = new Situations();
  const sums = { sent: 0, outcomes: 0, decided: 0, compared: 0, starts: 0, done: 0, failed: 0 };

  function elapsed(): number {
    return (performance.now() - began) / 1_000;
  }

  function soFar(): string {
    const { sent, outcomes: asked, decided, compared, starts, done, failed } = sums;
    return `${done} episodes from seed ${from} on: ${sent} commands sent, ${asked} with an outcome on demand, ${decided} decided, ${compared} compared with the naive books, ${starts} starts, ${failed} failed`;
  }

  function add(seed: number, result: EpisodeResult): void {
    met.add(result.met);
    sums.sent += result.sent;
    sums.outcomes += result.outcomes;
    sums.decided += result.decided;
    sums.compared += result.compared;
    sums.starts += result.starts;
    sums.done += 1;
    if (sums.done % PROGRESS === 0) console.error(`${elapsed().toFixed(0)} s, seed ${seed}: ${soFar()}`);
  }

  for await (const outcome of played(run, playService)) {
    if ('result' in outcome) add(outcome.seed, outcome.result);
    else {
      reportFailed(outcome.seed, outcome.failure, `--commands ${commands} --outcomes ${outcomes}`);
      sums.failed += 1;
    }
    if (elapsed() >= seconds || sums.decided >= decided || sums.failed >= failures) break;
  }
  console.log(met.text());
  const took = elapsed();
  const { user, system } = process.cpuUsage();
  const cpu = (user + system) / 1_000_000;
  console.log(soFar());
  console.log(
    `${took.toFixed(1)} s, ${(sums.sent / took).toFixed(0)} commands sent a second; ${(sums.sent / cpu).toFixed(0)} sent and ${(sums.decided / cpu).toFixed(0)} decided a second of the processor`,
  );
  const missed = met.missed();
  if (sums.done > 0 && missed.length > 0) console.log(`not met: ${missed.join('; ')}`);
  if (sums.sent >= ENOUGH && missed.length > 0) process.exitCode = 1;
}
