import type { State } from '../core/state.ts';
import { killedOrders } from '../core/switches/cancel-killed.ts';
import type { Sequencer } from './sequencer.ts';
import { finish, type Pieces, type Slice } from './slice.ts';

/**
 * The cancellations of kill switches, a record a piece. They come before all other work and any command, so nothing
 * trades between a switch and the last of them.
 */
export class Kills {
  private readonly state: State;
  private readonly sequencer: Sequencer;
  /** The cancellations that are not done: those that a former process left, at first. */
  private left: Pieces | undefined;

  constructor(state: State, sequencer: Sequencer) {
    this.state = state;
    this.sequencer = sequencer;
    this.left = this.cancel();
  }

  /** A switch may have been set. */
  begin(): void {
    this.left = this.cancel();
  }

  /** True while orders that a switch stops may be open. */
  get isOn(): boolean {
    return this.left !== undefined;
  }

  /** False when the slice is over before the last of them. */
  goOn(slice: Slice): boolean {
    if (this.left !== undefined && !slice.run(this.left)) return false;
    this.left = undefined;
    return true;
  }

  /** All that are left, with those of a switch that is set between two pieces. */
  *pieces(): Pieces {
    for (let { left } = this; left !== undefined; left = this.left) {
      if (left.next().done === true) this.left = undefined;
      else yield;
    }
  }

  finish(): void {
    finish(this.pieces());
  }

  /** At the instant of the last record: nothing comes in between. */
  private *cancel(): Pieces {
    const { state } = this;
    for (const cancel of killedOrders(state)) {
      if (cancel !== undefined) this.sequencer.record(cancel, state.at);
      yield;
    }
  }
}
