import type { EpochMs } from '../../../base/time.ts';
import type { Member } from '../../../cluster/member.ts';
import type { EngineSurroundings, OpenReplica } from '../../../engine/start-engine.ts';
import { wallClock } from '../../../os/wall-clock.ts';
import type { OpenedFolder } from '../../serving/open-folder.ts';
import type { FollowedLive } from '../followed-live.ts';
import type { Rehearsal } from '../rehearsal.ts';

interface WarmUpParts {
  readonly world: OpenedFolder['world'];
  readonly replica: OpenReplica;
  readonly member: Member<FollowedLive>;
  /** Of the engine of this member, once it leads. */
  readonly around: EngineSurroundings;
  readonly rehearsal: Rehearsal;
  /** True once this member leads: there is nothing left to make. */
  readonly leads: () => boolean;
}

/**
 * Makes what a leader of this day needs and what takes long: the time of a takeover is the time in which nobody is
 * answered.
 */
export class WarmUp {
  private readonly parts: WarmUpParts;
  private isMade = false;

  constructor(parts: WarmUpParts) {
    this.parts = parts;
  }

  /** True once this follower has made what a leader needs. */
  get isWarm(): boolean {
    return this.isMade;
  }

  /** Takes snapshots, and makes what a leader needs. */
  passSecond(): void {
    if (this.parts.leads()) return;
    const { snapshots, archived } = this.parts.replica;
    snapshots.passSecond(archived(), performance.now());
    this.rehearse();
  }

  /** Makes what a leader needs. */
  rehearse(): void {
    const { replica, world, around, rehearsal, member, leads } = this.parts;
    if (leads()) return;
    const { live } = replica;
    const follows = live.state.clock === undefined;
    const at = (follows ? Math.max(live.at, wallClock()) : live.at) as EpochMs;
    world.instruments.prepare(at);
    const { role, isCaughtUp } = member.status();
    if (role !== 'Follower' || !isCaughtUp) return;
    rehearsal.run(live.state, around.ports, at);
    this.isMade = true;
  }
}
