import { assert } from '../../src/base/assert.ts';
import type { Random } from '../../src/base/random.ts';
import { errorOf } from '../../src/base/system-fault.ts';
import type { Command } from '../../src/core/command.ts';
import type { VirtualLoop } from '../virtual-loop.ts';
import { ORDER_WISHES, type Scene } from '../wishes.ts';
import type { ClusterSituations } from './cluster-situations.ts';
import type { CommandLedger } from './command-ledger.ts';
import { type Answer, type Ask, Gateway, type SendTo } from './gateway.ts';
import type { LaneWatch } from './lane-watch.ts';

/** A client gives up on an answer after one of these, in milliseconds. */
const PATIENCE_MS = [400, 1_200, 4_000];
const MOST_TIMES = 3;
/** Of the bursts of clients who mostly read. */
const FEW_PERCENT = 15;
/** The last one has clients that only read: a leader without a lease would answer them for long. */
const GATEWAYS = 3;

export interface ClusterCrowdTerms {
  readonly random: Random;
  readonly loop: VirtualLoop;
  readonly met: ClusterSituations;
  readonly watch: LaneWatch;
  readonly ledger: CommandLedger;
  readonly members: readonly string[];
  /** Hands an ask to a member, and hears its answers as they leave it. */
  readonly serve: (member: string, ask: Ask, answer: (answer: Answer) => void) => void;
  /** True for a member whose steady clock counted all the time that it has led. */
  readonly hasSteadyClock: (member: string) => boolean;
}

/**
 * The clients of a cluster and the gateways between: they trade at whoever says that he leads. Each answer is checked
 * as it leaves a member: the lanes have the record that it names, and a read shows all that any leader had acknowledged
 * before it was sent.
 */
export class ClusterCrowd {
  sent = 0;
  /** Answers that acknowledged a record. */
  acknowledged = 0;
  readonly gateways: readonly Gateway[];
  /** The first answer that was not as it must be. */
  problem: Error | undefined;
  private readonly terms: ClusterCrowdTerms;
  /** The last record that any leader acknowledged. */
  private lastSeq = 0;
  private names = 0;
  /** In a quiet market a leader has often nothing to append, so a read waits for nothing. */
  private readonly mostlyReads: boolean;

  constructor(terms: ClusterCrowdTerms) {
    this.terms = terms;
    this.mostlyReads = terms.random.chance(33);
    const sendTo: SendTo = (member, ask, answer) => this.carry(member, ask, answer);
    this.gateways = Array.from({ length: GATEWAYS }, () => new Gateway(terms.members, sendTo));
  }

  /** Sends the wish of some client, and reads beside it. */
  burst(scene: Scene): void {
    const { random } = this.terms;
    if (random.chance(45)) this.send({ type: 'Read' });
    if (this.mostlyReads && !random.chance(FEW_PERCENT)) return;
    if (scene.state.accounts.length === 0) return;
    const account = random.pick([...scene.state.accounts]);
    for (const command of random.pick(ORDER_WISHES)(scene, account)) this.sendCommand(this.named(command));
  }

  /** Sends a command; a placement with a key is sent again when no answer comes. */
  sendCommand(command: Command, done: (answer: Answer) => void = () => undefined, times = 1): void {
    const { ledger, met } = this.terms;
    if (command.type === 'PlaceOrder') ledger.sent(command);
    this.send({ type: 'Command', command }, done, () => {
      met.metIf(command.type === 'PlaceOrder', 'a placement gets no answer');
      if (command.type !== 'PlaceOrder' || command.idempotency === undefined || times >= MOST_TIMES) return;
      met.met('the same placement is sent again to another leader');
      this.sendCommand(command, done, times + 1);
    });
  }

  private send(ask: Ask, done: (answer: Answer) => void = () => undefined, gaveUp: () => void = () => undefined): void {
    const { random, loop } = this.terms;
    const gateway = random.pick(ask.type === 'Read' ? this.gateways : this.gateways.slice(0, -1));
    let isAnswered = false;
    this.sent += 1;
    gateway.send(ask, (answer) => {
      if (isAnswered) return;
      isAnswered = true;
      done(answer);
    });
    loop.after(random.pick(PATIENCE_MS), () => {
      if (isAnswered) return;
      isAnswered = true;
      gateway.lookElsewhere();
      gaveUp();
    });
  }

  /** The network between gateways and members; it loses nothing but what a dead process had. */
  private carry(member: string, ask: Ask, answer: (answer: Answer) => void): void {
    const { random, loop, serve } = this.terms;
    const acknowledged = this.lastSeq;
    loop.after(random.between(0, 2), () =>
      serve(member, ask, (given) => {
        this.guarded(() => this.leaves(member, ask, given, acknowledged));
        loop.after(random.between(0, 2), () => answer(given));
      }),
    );
  }

  /** An answer leaves a member. `acknowledged` is the last record that any leader had acknowledged before the ask. */
  private leaves(member: string, ask: Ask, answer: Answer, acknowledged: number): void {
    const { met, ledger } = this.terms;
    if (answer.type === 'NotNow') {
      met.metIf(ask.type === 'Read' && answer.leader === undefined, 'a read is refused for want of a lease');
      if (ask.type === 'Command' && ask.command.type === 'PlaceOrder') ledger.refused(ask.command);
      return;
    }
    if (answer.type === 'Seen') {
      this.checkRead(member, answer.seq, acknowledged);
      return;
    }
    if (ask.type !== 'Command') return;
    if (answer.reply.type !== 'Refused') this.checkRecord(ask.command, answer.seq);
    if (ask.command.type === 'PlaceOrder') ledger.answered(ask.command, answer.reply);
  }

  private checkRead(member: string, seq: number, acknowledged: number): void {
    assert(
      seq <= this.terms.watch.seq,
      `a read at ${member} shows record ${seq}, the lanes hold ${this.terms.watch.seq}`,
    );
    if (!this.terms.hasSteadyClock(member)) return;
    assert(
      seq >= acknowledged,
      `a stale read: ${member} shows record ${seq}, a leader had acknowledged ${acknowledged}`,
    );
  }

  /** The lanes have the record that an answer is about, and it is of that command. */
  private checkRecord(command: Command, seq: number | undefined): void {
    const { watch } = this.terms;
    if (seq === undefined) return;
    assert(seq <= watch.seq, `an answer names record ${seq}, the lanes hold ${watch.seq}`);
    this.lastSeq = Math.max(this.lastSeq, seq);
    this.acknowledged += 1;
    const record = watch.records[seq - 1];
    const isAgain = command.type === 'PlaceOrder' && command.idempotency !== undefined;
    if (isAgain && record?.command.type !== 'PlaceOrder') return;
    const [is, asked] = [record && nameOf(record.command), nameOf(command)];
    assert(isAgain || is === asked, `record ${seq} was acknowledged as ${asked} and is ${is}`);
  }

  private guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.problem ??= errorOf(error);
    }
  }

  /** The same command with a remark that no other one has, and a key for some. */
  named(command: Command): Command {
    if (command.type !== 'PlaceOrder') return command;
    this.names += 1;
    const remarks = `n${this.names}`;
    const key = { key: remarks, bodyDigest: remarks };
    return { ...command, remarks, ...(this.terms.random.chance(50) ? { idempotency: key } : {}) };
  }
}

/** A command in a few words that distinguish it from others. */
function nameOf(command: Command): string {
  const { type } = command;
  const order = 'order' in command ? ` of order ${command.order}` : '';
  const remarks = 'remarks' in command ? ` ${command.remarks}` : '';
  return `${type}${order}${remarks}`;
}
