/**
 * The engine of a leader as its clients and operators ask it: it answers from its state only while no other member can
 * lead, and takes no command at which a leader has failed.
 */
import type { FatalCommands } from '../../cluster/fatal-commands.ts';
import type { DecisionPorts } from '../../core/ports.ts';
import type { Reply } from '../../core/reply.ts';
import type { State } from '../../core/state.ts';
import { type EnginePort, type Submission, Unavailable } from '../../engine/port.ts';
import type { Views } from '../../views/views.ts';

/**
 * An engine under a lease. A leader that was deposed without its knowledge appends nothing more, so a reply to a
 * command with a record stays true; questions, and commands for which no record is made, would be answered from a state
 * that others have left behind. They are refused with `Unavailable` once the lease has run out, also when it runs out
 * while an answer waits. While a leader gives its place away, its refusals wait until it has: then they can name who
 * leads next, and a client finds it there.
 */
export class LeasedEngine implements EnginePort {
  private readonly engine: EnginePort;
  private readonly holds: () => boolean;
  private readonly fatal: FatalCommands;
  private readonly handing: () => Promise<void> | undefined;
  private hasFailed = false;

  /**
   * `holds`: whether the lease is held. `fatal`: the commands at which leaders before this one have failed. `handing`:
   * settles when the place of the leader is given away; `undefined` while this member keeps it.
   */
  constructor(
    engine: EnginePort,
    holds: () => boolean,
    fatal: FatalCommands,
    handing: () => Promise<void> | undefined = () => undefined,
  ) {
    this.engine = engine;
    this.holds = holds;
    this.fatal = fatal;
    this.handing = handing;
  }

  /** The engine has failed: the command at which it did gets no answer, and nothing is taken or read any more. */
  fail(): void {
    this.hasFailed = true;
  }

  now(): ReturnType<EnginePort['now']> {
    return this.engine.now();
  }

  submit(submission: Submission): Promise<Reply> {
    const handing = this.handing();
    if (handing !== undefined) return this.refusedAfter(handing);
    if (this.fatal.has(submission.command)) return Promise.reject(new Error('a leader has failed at this command'));
    return this.engine.submit({ ...submission, unrecorded: this.underLease }).catch((error: unknown) => {
      // The process ends before it would be answered.
      if (this.hasFailed) return new Promise<never>(() => undefined);
      throw error;
    });
  }

  read<T>(query: (state: State, views: Views, ports: DecisionPorts) => T): T | Promise<T> {
    const value = this.engine.read(query);
    return value instanceof Promise ? value.then((late) => this.underLease(late)) : this.underLease(value);
  }

  glance<T>(query: (state: State, ports: DecisionPorts, views: Views) => T): T {
    return this.engine.glance(query);
  }

  private readonly underLease = <T>(value: T): T | Promise<T> => {
    if (this.holds() && !this.hasFailed) return value;
    const handing = this.handing();
    if (handing !== undefined) return this.refusedAfter(handing);
    throw new Unavailable('this member may not lead any more');
  };

  private async refusedAfter(handing: Promise<void>): Promise<never> {
    await handing;
    throw new Unavailable('this member has given its place away');
  }
}
