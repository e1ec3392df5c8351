/** The handover of a leader: it finishes what it took, names a successor and lets requests wait a bounded time. */

import type { ClusterFile } from '../../../cluster/cluster-file.ts';
import type { Member } from '../../../cluster/member.ts';
import { withPatience } from '../../../cluster/patience.ts';
import type { FollowedLive } from '../followed-live.ts';
import { addressOfMember } from '../member-place.ts';
import { PROCESS_TIME } from './process-time.ts';

/** Requests wait no longer for the end of a handover, which a log that does not answer puts off. */
const LONGEST_LEAVING_MS = 1_000;

interface HandoverParts {
  readonly file: ClusterFile;
  readonly member: () => Member<FollowedLive> | undefined;
  /** Finishes what a leader took. */
  readonly drain: () => Promise<void> | undefined;
  /** Notes a step of the takeover. */
  readonly passed: (step: string) => void;
}

/** The way of a leader that gives its place away while it is well. */
export class Handover {
  private readonly parts: HandoverParts;
  private handing: Promise<void> | undefined;
  private bounded: Promise<void> | undefined;
  private next: string | undefined;

  constructor(parts: HandoverParts) {
    this.parts = parts;
  }

  /** The handover, once it has begun. */
  get begun(): Promise<void> | undefined {
    return this.handing;
  }

  /** As `begun`, for those who wait no longer than a bounded time. */
  get leaving(): Promise<void> | undefined {
    return this.bounded;
  }

  /** The address of the member that leads next, once this one has given its place away. */
  get successor(): string | undefined {
    return this.next;
  }

  /** Finishes what was taken, gives the place of the leader away and ends this process in order. Only of a leader. */
  begin(to: string): Promise<void> {
    this.handing ??= this.handOver(to);
    const ended = this.handing.catch(() => undefined);
    this.bounded ??= withPatience(PROCESS_TIME, LONGEST_LEAVING_MS, ended, undefined);
    return this.handing;
  }

  private async handOver(to: string): Promise<void> {
    const { file, drain, passed } = this.parts;
    passed('handover begun');
    const member = this.parts.member();
    member?.beforeHandOver();
    await drain();
    passed('drained');
    await member?.handOver(to);
    passed('successor named');
    this.next = addressOfMember(file, to);
    // Until it stands it would send clients back here.
    const stands = await member?.followedBy(LONGEST_LEAVING_MS).catch(() => undefined);
    if (stands !== undefined) this.next = addressOfMember(file, stands);
    passed('successor stands');
  }
}
