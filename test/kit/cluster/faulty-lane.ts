import { AppendTurn } from '../../../src/cluster/lanes/append-turn.ts';
import {
  type AppendOutcome,
  LANE_PATIENCE_MS,
  type Lane,
  type LaneMessage,
  LaneUnreachable,
} from '../../../src/cluster/lanes/lane.ts';
import type { MemoryLog } from '../../../src/cluster/lanes/memory-lane.ts';
import type { VirtualTime } from './virtual-time.ts';

/** The chances of faults, each from 0 to 1. */
export interface LaneTrouble {
  /** An append is stored, and its answer is lost. */
  lostAnswer: number;
  /** An append never comes. */
  lostAppend: number;
  /** An append comes after its writer was answered that the outcome is unknown. */
  lateAppend: number;
  /** An append is stored and answered after a longer time than a writer waits. */
  slowAppend: number;
  /** A read is answered by a machine that lacks the last messages. */
  staleRead: number;
  /** A read is not answered. */
  lostRead: number;
}

export const NO_TROUBLE: LaneTrouble = {
  lostAnswer: 0,
  lostAppend: 0,
  lateAppend: 0,
  slowAppend: 0,
  staleRead: 0,
  lostRead: 0,
};

/** The longest delay of an append that comes late, in milliseconds. */
const LATEST_MS = 3_000;

export interface FaultyLaneParts {
  readonly log: MemoryLog;
  readonly time: VirtualTime;
  /** A number in [0, 1). */
  readonly chance: () => number;
  /** True while the member stands still: it gets no answer before it goes on. */
  readonly isFrozen: () => boolean;
}

/** The lane of one member on a shared log, in virtual time and with faults by chance. */
export class FaultyLane implements Lane {
  readonly name: string;
  trouble: LaneTrouble = NO_TROUBLE;
  /** Nothing passes to or from the log. */
  isCut = false;
  private readonly parts: FaultyLaneParts;
  private readonly turn: AppendTurn;

  constructor(parts: FaultyLaneParts) {
    this.parts = parts;
    this.name = parts.log.name;
    this.turn = new AppendTurn(this.name);
  }

  append(expectedLast: number, bytes: Uint8Array): Promise<AppendOutcome> {
    return this.turn.take(bytes, async () => {
      const outcome = await this.taken(expectedLast, bytes.slice());
      await this.going();
      return outcome;
    });
  }

  async read(after: number): Promise<readonly LaneMessage[]> {
    const { staleRead, lostRead } = this.trouble;
    if (this.isCut || this.happens(lostRead)) return this.unreachable();
    await this.wait(1 + this.parts.chance() * 3);
    const found = this.parts.log.behind(after);
    await this.going();
    return this.happens(staleRead) ? found.slice(0, Math.floor(found.length * this.parts.chance())) : found;
  }

  async last(): Promise<number> {
    if (this.isCut) return this.unreachable();
    await this.wait(1);
    await this.going();
    return this.parts.log.end();
  }

  close(): Promise<void> {
    this.isCut = true;
    return Promise.resolve();
  }

  protected store(expectedLast: number, bytes: Uint8Array): number | undefined {
    return this.parts.log.add(expectedLast, bytes);
  }

  private async taken(expectedLast: number, bytes: Uint8Array): Promise<AppendOutcome> {
    const { lostAnswer, lostAppend, lateAppend, slowAppend } = this.trouble;
    if (this.isCut || this.happens(lostAppend)) return this.unknown();
    if (this.happens(lateAppend)) {
      this.parts.time.after(this.parts.chance() * LATEST_MS, () => this.store(expectedLast, bytes));
      return this.unknown();
    }
    await this.wait(1 + this.parts.chance() * 2);
    if (this.happens(slowAppend)) await this.wait(LANE_PATIENCE_MS + this.parts.chance() * LANE_PATIENCE_MS);
    const position = this.store(expectedLast, bytes);
    if (this.isCut || this.happens(lostAnswer)) return this.unknown();
    await this.wait(1);
    return position === undefined ? { type: 'Conflict' } : { type: 'Stored', position };
  }

  private async unknown(): Promise<AppendOutcome> {
    await this.wait(LANE_PATIENCE_MS);
    return { type: 'Unknown' };
  }

  private async unreachable(): Promise<never> {
    await this.wait(LANE_PATIENCE_MS);
    await this.going();
    throw new LaneUnreachable(`lane ${this.name} is not reached`);
  }

  private async going(): Promise<void> {
    while (this.parts.isFrozen()) await this.wait(5);
  }

  private happens(chance: number): boolean {
    return chance > 0 && this.parts.chance() < chance;
  }

  private wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.parts.time.after(ms, resolve);
    });
  }
}
