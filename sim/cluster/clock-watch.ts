import { assert } from '../../src/base/assert.ts';
import { HOUR_MS } from '../../src/base/time.ts';
import { CLUSTER_LIMITS } from '../../src/cluster/cluster-limits.ts';
import type { ClusterMessage, EpochMessage } from '../../src/cluster/message.ts';
import type { VirtualLoop } from '../virtual-loop.ts';
import type { SimMember } from './sim-member.ts';

/** A clock that is this far off has jumped: no message takes that long. */
const FAR_MS = HOUR_MS / 2;
/** A member waits for this long for another one to lead when its clock seems wrong. */
const HOLD_MS = CLUSTER_LIMITS.clockHoldMs;
/**
 * A member that was up, with its clock as it is, for this long before the leader's last message and for this number of
 * its messages has compared them.
 */
const KNOWN_MS = 1_500;
const KNOWN_MESSAGES = 6;

/** The last leader, and its clock as it wrote its last message. */
interface LastLeader {
  readonly name: string;
  /** How far its clock was ahead. */
  readonly skew: number;
  readonly at: number;
  /** When its first message came that had been written by this clock: nobody has compared it with a clock before. */
  readonly since: number;
}

/**
 * The clocks of those who lead: a member whose wall clock is wrong does not take over from a leader whose clock is
 * right before every other member could. Source: scale-out A9.
 */
export class ClockWatch {
  private readonly loop: VirtualLoop;
  private readonly members: readonly SimMember[];
  private leader: LastLeader | undefined;
  /** When its last messages by this clock were written, the newest last. */
  private messages: readonly number[] = [];

  constructor(loop: VirtualLoop, members: readonly SimMember[]) {
    this.loop = loop;
    this.members = members;
  }

  /** A message of a leader was stored. */
  heard(message: ClusterMessage, name: string | undefined): void {
    if (name === undefined || (message.type !== 'Beat' && message.type !== 'Group')) return;
    const skew = message.wall - this.loop.now;
    const { leader } = this;
    const isSame = leader?.name === name && Math.abs(leader.skew - skew) < FAR_MS;
    this.messages = [...(isSame ? this.messages : []), this.loop.now].slice(-KNOWN_MESSAGES);
    this.leader = { name, skew, at: this.loop.now, since: isSame ? leader.since : this.loop.now };
  }

  /** An epoch begins in a lane. */
  began({ member: name, epoch }: EpochMessage): void {
    const { leader } = this;
    const member = this.members.find((one) => one.name === name);
    if (leader === undefined || leader.name === name || member?.life === undefined) return;
    const since = Math.max(member.life.startedAt, member.skewedAt, leader.since);
    if (since > leader.at - KNOWN_MS || this.loop.now - leader.at > HOLD_MS) return;
    const [first] = this.messages;
    if (this.messages.length < KNOWN_MESSAGES || first === undefined || first < since) return;
    // One that was cut off has compared nothing.
    const { newsAt } = member.life.process;
    if (newsAt.length < KNOWN_MESSAGES || (newsAt.at(-KNOWN_MESSAGES) ?? 0) < since) return;
    const isWrong = Math.abs(member.skew) > FAR_MS && Math.abs(leader.skew) < FAR_MS;
    assert(
      !isWrong,
      `epoch ${epoch} begins with ${name}, whose clock is ${member.skew} ms ahead of that of ${leader.name}`,
    );
  }
}
