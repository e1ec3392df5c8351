/** The parts of the whole campaign of real processes against a cluster. Source: docs/reliability.md. */
import { type Line, trialsOf } from './trial-log.ts';

/** The seed of the first trial of each part. The others have the numbers behind it. */
export const FIRST_SEED = 20_261_121;

/** Tests that are run together: those of a file whose name matches. */
export interface Part {
  /** The file, without its ending. */
  readonly file: string;
  /** A regular expression for the names of its tests. */
  readonly pattern: string;
  /** The faults that a run tries, each as often, as the lines of a log name them. */
  readonly faults: readonly string[];
  readonly trials: number;
}

export const PARTS: readonly Part[] = [
  { file: 'members', pattern: '\\(C03\\)', faults: ['C03 rolling restart'], trials: 100 },
  { file: 'members', pattern: '\\(C01\\)', faults: ['C01 leader killed'], trials: 500 },
  { file: 'members', pattern: '\\(C10\\)', faults: ['C10 leader stopped for 5 to 30 s and back'], trials: 500 },
  { file: 'members', pattern: '\\(C04\\)', faults: ['C04 leader and log server lost'], trials: 100 },
  {
    file: 'partitions',
    pattern: '\\(C05, C07\\)',
    faults: [
      'C05 leader cut off from the log',
      'C05 follower cut off from the log',
      'C05 log servers cut off from each other',
    ],
    trials: 75,
  },
  {
    file: 'partitions',
    pattern: 'with its log server \\(C05\\)',
    faults: ['C05 machine of the leader cut off from the others'],
    trials: 75,
  },
  {
    file: 'power-cuts',
    pattern: 'with all servers of the log at once',
    faults: ['C06 power cut of all log servers, every other time of all members too'],
    trials: 100,
  },
];

/** The source of the tests of a part. */
export function fileOf({ file }: Part): string {
  return `${import.meta.dirname}/${file}.faults.ts`;
}

/**
 * The seeds of the next run of a part, one after the other: from the first one on that some fault of the part is not
 * tried with yet, and that is not among those `begun`, until one that is.
 */
export function seedsLeft(
  { faults, trials }: Part,
  lines: readonly Line[],
  begun: ReadonlySet<number>,
): readonly number[] {
  const tried = faults.map((fault) => new Set(trialsOf(lines, fault).map(({ seed }) => seed)));
  const isLeft = (seed: number): boolean => !begun.has(seed) && !tried.every((seeds) => seeds.has(seed));
  const seeds = Array.from({ length: trials }, (_, number) => FIRST_SEED + number);
  const first = seeds.findIndex(isLeft);
  if (first === -1) return [];
  const behind = seeds.findIndex((seed, index) => index > first && !isLeft(seed));
  return seeds.slice(first, behind === -1 ? trials : behind);
}
