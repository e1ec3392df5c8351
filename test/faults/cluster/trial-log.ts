/**
 * The log of a campaign: a file to which each trial of a fault adds one line, so that a campaign of many hours goes on
 * where it stopped. A line is written when the checks after the trial have found nothing lost, twice or foreign.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** One trial. */
export interface Trial {
  readonly fault: string;
  /** The seed of the trial, as `SAUDA_FAULT_SEED` takes it. */
  readonly seed: number;
  /** Orders that were acknowledged in it. */
  readonly acknowledged: number;
  /** The longest time without an acknowledgement to any client, in milliseconds. */
  readonly gap: number;
  /** The same of each handover of the trial, where it has some. */
  readonly pauses?: readonly number[];
}

/** Trials of which one failed, or the checks after them: how many of them were good is not known. */
export interface Failed {
  /** The name of the part of the campaign. */
  readonly failed: string;
  /** The seed of the first trial since the last good ones. */
  readonly seed: number;
}

/** The trials after this line ran the code of this commit, until the next such line. */
export interface Commit {
  readonly commit: string;
}

export type Line = Trial | Failed | Commit;

/** The goal for the pause of a handover, in milliseconds. */
export const MOST_PAUSE_MS = 250;

export function addLines(file: string, lines: readonly Line[]): void {
  appendFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** The lines of a log; none when there is no file yet. The last line is left out when its writer was cut off in it. */
export function readLines(file: string): readonly Line[] {
  if (!existsSync(file)) return [];
  const whole = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return whole.filter((line) => line !== '').map((line) => JSON.parse(line) as Line);
}

/** The trials of one fault. */
export function trialsOf(lines: readonly Line[], fault: string): readonly Trial[] {
  return lines.filter((line): line is Trial => 'fault' in line && line.fault === fault);
}

/** The commits whose code ran trials, in their order. */
export function commitsOf(lines: readonly Line[]): readonly string[] {
  return lines.filter((line): line is Commit => 'commit' in line).map(({ commit }) => commit);
}

/** The spread of times in milliseconds, in words. */
export function spreadOf(times: readonly number[]): string {
  const sorted = times.map(Math.round).sort((one, other) => one - other);
  const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${sorted.at(-1) ?? 0}`;
}

/** One fault of a campaign in words: how many trials of it are done, and the spread of their gaps and pauses. */
export function summaryOf(lines: readonly Line[], fault: string, wanted: number): string {
  const trials = trialsOf(lines, fault);
  if (trials.length === 0) return `${fault}: none of ${wanted} trials`;
  const acknowledged = trials.reduce((sum, trial) => sum + trial.acknowledged, 0);
  const pauses = trials.flatMap((trial) => trial.pauses ?? []);
  const long = pauses.filter((pause) => pause > MOST_PAUSE_MS).length;
  const handovers =
    pauses.length === 0
      ? ''
      : `; pauses of ${pauses.length} handovers: ${spreadOf(pauses)}, ${long} above ${MOST_PAUSE_MS}`;
  return (
    `${fault}: ${trials.length} of ${wanted} trials, ${acknowledged} acknowledged, 0 lost, 0 twice, 0 foreign; ` +
    `gaps in ms: ${spreadOf(trials.map(({ gap }) => gap))}${handovers}`
  );
}
