import type { Command } from '../core/command.ts';
import type { Reply } from '../core/reply.ts';
import type { State } from '../core/state.ts';
import type { Views } from '../views/views.ts';
import type { DurableFeed } from './durable-feed.ts';
import { Duties, type DutiesParts } from './duties.ts';
import type { EnginePort, Origin, Submission } from './port.ts';
import { type EngineStatus, Sequencer, type SequencerParts } from './sequencer.ts';

export interface EngineParts extends SequencerParts, Omit<DutiesParts, 'state'> {}

/** The sequencer with the duties that time brings: a command is given its place when what the present brings is done. */
export class Engine implements EnginePort {
  private readonly parts: EngineParts;
  private readonly sequencer: Sequencer;
  private readonly duties: Duties;

  constructor(parts: EngineParts) {
    this.parts = parts;
    this.sequencer = new Sequencer(parts);
    this.duties = new Duties(this.sequencer, { ...parts, state: parts.live.state });
  }

  /** Hands out what was recorded, when it is durable. */
  get feed(): DurableFeed {
    return this.sequencer.feed;
  }

  submit({ command, origin }: Submission): Promise<Reply> {
    // A switch is taken however full the queues are: it may be the one that stops what fills them.
    return this.sequencer.take(() => this.meet(command, origin), command.type === 'SetSwitch');
  }

  read<T>(query: (state: State, views: Views) => T): T | Promise<T> {
    return this.sequencer.read(query);
  }

  glance<T>(query: (state: State) => T): T {
    return query(this.parts.live.state);
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
  private meet(command: Command, origin: Origin): Reply {
    const { sequencer, duties } = this;
    const now = this.parts.clock();
    duties.meetTime(now);
    duties.meetBook(command, now);
    const { reply } = sequencer.record(command, now, origin);
    if (command.type === 'SetSwitch') duties.cancelKilled(now);
    return reply;
  }
}
