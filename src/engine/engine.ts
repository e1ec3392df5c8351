import type { EpochMs } from '../base/time.ts';
import type { Command } from '../core/command.ts';
import { type DecisionPorts, portsAt } from '../core/ports.ts';
import type { Reply } from '../core/reply.ts';
import type { State } from '../core/state.ts';
import type { Views } from '../views/views.ts';
import { Duties, type DutiesParts } from './duties.ts';
import type { EnginePort } from './port.ts';
import { type EngineStatus, Sequencer, type SequencerParts } from './sequencer.ts';

export interface EngineParts extends SequencerParts, Omit<DutiesParts, 'state'> {
  /** The market's clock. */
  readonly clock: () => EpochMs;
}

/** The sequencer with the duties that time brings: a command is given its place when what the present brings is done. */
export class Engine implements EnginePort {
  private readonly parts: EngineParts;
  private readonly sequencer: Sequencer;
  private readonly duties: Duties;
  /** The ports that queries were handed last. */
  private shown: DecisionPorts | undefined;

  constructor(parts: EngineParts) {
    this.parts = parts;
    this.sequencer = new Sequencer(parts);
    this.duties = new Duties(this.sequencer, { ...parts, state: parts.live.state });
  }

  now(): EpochMs {
    return this.sequencer.stamp(this.parts.clock());
  }

  submit(command: Command): Promise<Reply> {
    // A switch is taken however full the queues are: it may be the one that stops what fills them.
    return this.sequencer.take(() => this.meet(command), command.type === 'SetSwitch');
  }

  read<T>(query: (state: State, views: Views, ports: DecisionPorts) => T): T | Promise<T> {
    return this.sequencer.read((state, views) => query(state, views, this.portsNow()));
  }

  glance<T>(query: (state: State, ports: DecisionPorts) => T): T {
    return query(this.parts.live.state, this.portsNow());
  }

  /** The ports of a decision at this moment; the same ones while a second and the figures for margins last. */
  private portsNow(): DecisionPorts {
    const { live, ports } = this.parts;
    const { riskTick, riskFiles } = live.state;
    const at = this.now();
    const { shown } = this;
    const isCurrent = shown?.tick === ports.market.tickAt(at) && shown.riskTick === riskTick;
    if (isCurrent && shown.riskFiles === riskFiles) return shown;
    this.shown = portsAt(ports, live.state, at);
    return this.shown;
  }

  /** What the passing of a second brings: the turn of days, cut-offs, the market's moves, the end of sessions. Called by a timer. */
  passSecond(): void {
    const { sequencer, duties } = this;
    if (sequencer.obstacle() !== undefined) return;
    sequencer.guarded(() => duties.passSecond(this.parts.clock()));
  }

  /** Refuses new commands and resolves when everything that was taken is durable and answered. */
  drain(): Promise<void> {
    return this.sequencer.drain();
  }

  status(): EngineStatus {
    return this.sequencer.status();
  }

  /** A command meets the present first, and an order command its book as the market has it now. */
  private meet(command: Command): Reply {
    const { sequencer, duties } = this;
    const now = this.parts.clock();
    duties.meetTime(now);
    duties.meetBook(command, now);
    const { reply } = sequencer.record(command, now);
    if (command.type === 'SetSwitch') duties.cancelKilled(now);
    return reply;
  }
}
