/** Where the time of a handover goes: the steps that members note in their logs at the level `debug`. */
import { MEMBERS, type MemberName, type MemberProcesses } from './member-processes.ts';

const STEP = /^sauda: takeover: (.*) at ([\d.]+)$/gm;

/** The settings of members that note their steps. */
export const NOTES_STEPS = { SAUDA_LOG: 'debug' };

/** Now, in milliseconds of the clock by which members note their steps. */
export function stepClock(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** The steps of all members from an instant on, in order, each with the milliseconds since then. */
export function stepsSince(members: MemberProcesses, since: number): string {
  const steps = MEMBERS.flatMap((name) => stepsOf(name, members.output(name))).filter(({ at }) => at >= since);
  return steps
    .sort((one, other) => one.at - other.at)
    .map(({ words, at }) => `${Math.round(at - since)} ${words}`)
    .join(', ');
}

function stepsOf(name: MemberName, output: string): { readonly words: string; readonly at: number }[] {
  return [...output.matchAll(STEP)].map(([, step, at]) => ({ words: `${name}: ${step}`, at: Number(at) }));
}
