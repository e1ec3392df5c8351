/**
 * A leader looks where the lanes are led, and has them moved to good places (`lanes/lane-leaders.ts`): soon after it
 * has begun, since the leader before it was on another machine, and again afterwards, since elections move them.
 */
import type { ClusterTime } from '../cluster-time.ts';
import type { LaneMove } from '../lanes/lane-leaders.ts';

/** The clients that waited for the leader come first. In milliseconds. */
const FIRST_MS = 500;
/** After a step, whose effect it looks at. */
const STEP_MS = 500;
/** While a server is away, or the log does not answer: a loss that comes soon after its return is the worst. */
const LATER_MS = 500;
/** Where nothing is to be moved. */
const AGAIN_MS = 2_000;
/** Steps one after the other. Both lanes are placed in four; more show that something else moves them too. */
const MOST_STEPS = 4;
const REST_MS = 10_000;
/** The part by which a wait is longer, at most, so that no beat of other work falls together with it for ever. */
const JITTER = 0.25;

export interface LanePlacementParts {
  readonly time: Pick<ClusterTime, 'after'>;
  /** A number from 0 to 1 by chance. */
  readonly random: () => number;
  /** Takes the next step for the lane that is used. May reject. */
  readonly place: (used: string) => Promise<LaneMove>;
  readonly journal: { readonly lane: string; leaveLane(): void };
  /** Receives a sentence on each lane that was moved. */
  readonly moved: (words: string) => void;
}

/** Looks again and again, one look at a time, until the process ends. */
export class LanePlacement {
  private readonly parts: LanePlacementParts;
  private steps = 0;

  constructor(parts: LanePlacementParts) {
    this.parts = parts;
  }

  start(): void {
    this.lookAfter(FIRST_MS);
  }

  private lookAfter(ms: number): void {
    const { time, random } = this.parts;
    time.after(ms * (1 + JITTER * random()), () => void this.look().then((next) => this.lookAfter(next)));
  }

  /** Takes a step, and gives the wait until the next one. */
  private async look(): Promise<number> {
    const { place, journal, moved } = this.parts;
    const move = await place(journal.lane).catch((): LaneMove => ({ type: 'Later' }));
    if (move.type === 'Later') return LATER_MS;
    if (move.type === 'None') {
      this.steps = 0;
      return AGAIN_MS;
    }
    if (move.type === 'Leave') journal.leaveLane();
    else moved(`lane ${move.lane} is to be led by the log server ${move.server}`);
    this.steps += 1;
    if (this.steps < MOST_STEPS) return STEP_MS;
    this.steps = 0;
    return REST_MS;
  }
}
