import { assert } from '../../src/base/assert.ts';
import type { Epoch } from '../../src/cluster/message.ts';
import type { Command } from '../../src/core/command.ts';
import type { Reply } from '../../src/core/reply.ts';

/** A request of a client. */
export type Ask = { readonly type: 'Command'; readonly command: Command } | { readonly type: 'Read' };

/** The answer of a member, with the epoch in which it gave it. */
export type Answer =
  /** `seq` is the record of the command, where it is known. */
  | { readonly type: 'Done'; readonly epoch: Epoch; readonly reply: Reply; readonly seq: number | undefined }
  | { readonly type: 'Seen'; readonly epoch: Epoch; readonly seq: number }
  /** Nothing was done, and nothing will be. `leader` is the member that leads, as far as this one knows. */
  | { readonly type: 'NotNow'; readonly leader: string | undefined };

/** The way of a gateway to a member by name. The answer may never come. */
export type SendTo = (member: string, ask: Ask, answer: (answer: Answer) => void) => void;

/**
 * Stands between clients and members: it sends to whoever it takes for the leader, and drops what comes of an epoch
 * below the newest that it has seen. Source: scale-out A4.
 */
export class Gateway {
  /** Answers of an earlier epoch that it dropped. */
  dropped = 0;
  private newest = 0 as Epoch;
  /** The last record that an answer named, of those it passed on. */
  private seen = 0;
  private target = 0;
  private readonly members: readonly string[];
  private readonly sendTo: SendTo;

  constructor(members: readonly string[], sendTo: SendTo) {
    this.members = members;
    this.sendTo = sendTo;
  }

  /** Sends an ask to the leader. `answer` hears what comes back, if anything does. */
  send(ask: Ask, answer: (answer: Answer) => void): void {
    const { target, seen } = this;
    this.sendTo(this.members[target] ?? '', ask, (given) => {
      if (given.type === 'NotNow') {
        if (this.target === target) this.turnTo(given.leader, target);
        answer(given);
        return;
      }
      if (given.epoch < this.newest) {
        this.dropped += 1;
        return;
      }
      this.newest = given.epoch;
      if (given.type === 'Seen') {
        assert(
          given.seq >= seen,
          `a read shows record ${given.seq}, its gateway had seen an answer of ${seen} before it`,
        );
      }
      this.seen = Math.max(this.seen, given.seq ?? 0);
      answer(given);
    });
  }

  /** No answer came for long: another member may lead. */
  lookElsewhere(): void {
    this.target = (this.target + 1) % this.members.length;
  }

  private turnTo(leader: string | undefined, target: number): void {
    const at = this.members.indexOf(leader ?? '');
    this.target = at >= 0 && at !== target ? at : (target + 1) % this.members.length;
  }
}
