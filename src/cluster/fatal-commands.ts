/**
 * The commands at which leaders of a cluster have failed. Such a command has no record, so a client that waits for its
 * answer sends it again, to the next leader, which would fail in its turn.
 */
import { sha256Hex } from '../os/digest.ts';

/** The newest are kept. */
const MOST = 64;

/** Names one command: the same fields under the same key give the same digest at every member. */
export function digestOf(command: object): string {
  return sha256Hex(JSON.stringify(command));
}

/** The digests that a member has read in the lanes since its start. */
export class FatalCommands {
  private readonly digests = new Set<string>();

  note(digest: string): void {
    this.digests.add(digest);
    const [oldest] = this.digests;
    if (this.digests.size > MOST && oldest !== undefined) this.digests.delete(oldest);
  }

  /** True for a command at which a leader has failed. Costs nothing while there is none. */
  has(command: object): boolean {
    return this.digests.size > 0 && this.digests.has(digestOf(command));
  }
}
