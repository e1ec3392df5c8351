/**
 * The end of a member's process: its exit codes, the note of a command at which the engine failed, and the order in
 * which its parts close.
 */

import { digestOf } from '../../../cluster/fatal-commands.ts';
import { Fenced } from '../../../cluster/fenced.ts';
import { ClusterOver } from '../../../cluster/lifetime/cluster-over.ts';
import type { Member } from '../../../cluster/member.ts';
import { withPatience } from '../../../cluster/patience.ts';
import type { Command } from '../../../core/command.ts';
import { CommandFailed, EXIT_CONFIG } from '../../../os/command-failed.ts';
import { endAtOnce } from '../../exit-codes.ts';
import { type Ending, endInOrder, endOnSignals } from '../../shutdown.ts';
import type { FollowedLive } from '../followed-live.ts';
import type { LeasedEngine } from '../leased-engine.ts';
import { PROCESS_TIME } from './process-time.ts';

/** The exit code of a leader that another member has followed. */
const EXIT_FENCED = 70;
/** The most time for a note of a leader that failed: a lane that does not answer, and the other one. */
const NOTE_MS = 500;

/** The parts that end with the process; others once the member leads. */
export type MemberStage = Pick<Ending, 'announce' | 'listeners' | 'stop'>;

interface MemberEndParts {
  readonly member: () => Member<FollowedLive> | undefined;
  /** The engine as clients and operators ask it, once this member leads. */
  readonly asked: () => LeasedEngine | undefined;
  readonly stage: () => MemberStage;
  readonly endsAtHangUp: boolean;
}

/** The end of a member's process: in order, or at once for a failure. */
export class MemberEnd {
  private readonly parts: MemberEndParts;
  private ends = false;
  private isFailing = false;

  constructor(parts: MemberEndParts) {
    this.parts = parts;
  }

  /** True once the process ends in order. */
  get hasBegun(): boolean {
    return this.ends;
  }

  /** Lets signals end the member in order. */
  onSignals(): void {
    endOnSignals(this.ending());
  }

  /**
   * The member is over: after a handover in order, since another one leads, or for a failure, which `command` brought
   * about when it is there.
   */
  end(error: Error | undefined, command?: Command): void {
    if (error instanceof Fenced) {
      console.error(`sauda: another member leads, so this one ends: ${error.message}`);
      process.exit(EXIT_FENCED);
    }
    if (error instanceof ClusterOver) endAtOnce(new CommandFailed(error.message, EXIT_CONFIG));
    if (error !== undefined) this.endFailed(error, command);
    else if (!this.ends) void endInOrder(this.ending());
  }

  /**
   * Ends at once, but for a command at which the engine failed: it is noted in a lane first, so that the next leader
   * does not take it.
   */
  private endFailed(error: Error, command: Command | undefined): void {
    const member = this.parts.member();
    this.parts.asked()?.fail();
    if (this.isFailing) return;
    if (command === undefined || member === undefined) endAtOnce(error);
    this.isFailing = true;
    const noted = member.noteFatal(digestOf(command)).catch(() => undefined);
    void withPatience(PROCESS_TIME, NOTE_MS, noted, undefined).then(() => endAtOnce(error));
  }

  /** The end of the process as it stands when it comes: its getter must not be copied. */
  private ending(): Ending {
    const { stage, endsAtHangUp } = this.parts;
    return {
      announce: () => {
        this.ends = true;
        return stage().announce();
      },
      get listeners() {
        return stage().listeners;
      },
      stop: () => stage().stop(),
      exit: () => process.exit(0),
      endsAtHangUp,
    };
  }
}
