import { must } from '../../src/base/assert.ts';
import { TAKEN_AWAY, type TakenAway } from '../cluster/cluster-controls.ts';

const OPTIONS = [
  '--seconds',
  '--seed',
  '--episodes',
  '--commands',
  '--decided',
  '--steps',
  '--failures',
  '--outcomes',
  '--threads',
] as const;
type Option = (typeof OPTIONS)[number];
/** Plays clusters, not single services. */
const CLUSTER = '--cluster';
/** Plays clusters without one of their protections. */
const WITHOUT = '--without';
const NAMES = [...TAKEN_AWAY.keys()].join('|');
const USAGE = `node sim/run.ts [${CLUSTER} [${WITHOUT} ${NAMES}]] ${OPTIONS.map((option) => `[${option} N]`).join(' ')}`;
const SECONDS = 60;
/** Commands of one episode of a service: some trading days. */
const COMMANDS = 3_000;
/** Steps of one episode of a cluster: some seconds to a minute. */
const STEPS = 120;

/** The task of one run of the simulator. */
export interface Wanted {
  readonly cluster: boolean;
  /** The name of the protection that clusters are played without. */
  readonly without: string | undefined;
  readonly seconds: number;
  readonly seed: number;
  readonly episodes: number;
  /** Of one episode of a service. */
  readonly commands: number;
  /** Of a run of services. */
  readonly decided: number;
  /** Of a hundred placements those that ask for an outcome, beyond the usual ones. */
  readonly outcomes: number;
  /** Of one episode of a cluster. */
  readonly steps: number;
  /** The run ends with this many. */
  readonly failures: number;
  /** Episodes that are played at the same time, each in a thread of its own. */
  readonly threads: number;
}

/** Reads the words of the command line. Throws for one that it does not know. */
export function wanted(given: readonly string[]): Wanted {
  const cluster = given.includes(CLUSTER);
  const at = given.indexOf(WITHOUT);
  const without = at < 0 ? undefined : given[at + 1];
  if (at >= 0 && !(cluster && TAKEN_AWAY.has(without ?? ''))) throw new Error(`${WITHOUT} ${without}? ${USAGE}`);
  const words = given.filter((word, index) => word !== CLUSTER && (at < 0 || (index !== at && index !== at + 1)));
  const found = new Map<string, number>();
  for (let at = 0; at < words.length; at += 2) {
    const [name = '', value = ''] = [words[at], words[at + 1]];
    if (!OPTIONS.includes(name as Option) || !/^\d+$/.test(value)) throw new Error(`${name} ${value}? ${USAGE}`);
    found.set(name, Number(value));
  }
  const of = (option: Option, otherwise: number) => found.get(option) ?? otherwise;
  const ends = found.has('--episodes') || found.has('--decided');
  return {
    cluster,
    without,
    seconds: of('--seconds', ends ? Number.POSITIVE_INFINITY : SECONDS),
    seed: of('--seed', 1),
    episodes: of('--episodes', Number.POSITIVE_INFINITY),
    commands: of('--commands', COMMANDS),
    decided: of('--decided', Number.POSITIVE_INFINITY),
    steps: of('--steps', STEPS),
    failures: of('--failures', 1),
    outcomes: of('--outcomes', 0),
    threads: of('--threads', 1),
  };
}

/** The protection that a run takes away; `undefined` when none. */
export function takenAway({ without }: Wanted): TakenAway | undefined {
  return without === undefined ? undefined : must(TAKEN_AWAY.get(without), 'a protection by its name');
}
