/** The engine of a leader as its clients ask it: it answers questions only while no other member can lead. */
import type { DecisionPorts } from '../../core/ports.ts';
import type { Reply } from '../../core/reply.ts';
import type { State } from '../../core/state.ts';
import { type EnginePort, type Submission, Unavailable } from '../../engine/port.ts';
import type { Views } from '../../views/views.ts';

/**
 * An engine under a lease. A leader that was deposed without its knowledge appends nothing more, so the replies to its
 * commands stay true; its questions would be answered from a state that others have left behind. They are refused with
 * `Unavailable` once the lease has run out, also when it runs out while an answer waits.
 */
export class LeasedEngine implements EnginePort {
  private readonly engine: EnginePort;
  private readonly holds: () => boolean;

  constructor(engine: EnginePort, holds: () => boolean) {
    this.engine = engine;
    this.holds = holds;
  }

  now(): ReturnType<EnginePort['now']> {
    return this.engine.now();
  }

  submit(submission: Submission): Promise<Reply> {
    return this.engine.submit(submission);
  }

  read<T>(query: (state: State, views: Views, ports: DecisionPorts) => T): T | Promise<T> {
    const value = this.engine.read(query);
    return value instanceof Promise ? value.then((late) => this.underLease(late)) : this.underLease(value);
  }

  glance<T>(query: (state: State, ports: DecisionPorts, views: Views) => T): T {
    return this.engine.glance(query);
  }

  private underLease<T>(value: T): T {
    if (this.holds()) return value;
    throw new Unavailable('this member may not lead any more');
  }
}
