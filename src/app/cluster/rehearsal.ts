/**
 * The decisions that a follower makes in vain, so that it need not make them for the first time when clients wait for
 * it: the placements that it read last are decided again at the present, and the decisions are dropped. Prices, bands
 * and figures for margins that the next orders need are then there, and the code has run. So is a review of bans, of
 * which a new leader makes one each second.
 */
import type { InstrumentId } from '../../base/ids.ts';
import type { EpochMs, IstDay } from '../../base/time.ts';
import type { Command, PlaceOrder } from '../../core/command.ts';
import { decide, portsFor } from '../../core/decide.ts';
import { decideBreaker } from '../../core/exchange/guards/market-breaker.ts';
import { type Ports, portsAt } from '../../core/ports.ts';
import type { State } from '../../core/state.ts';

/** The instruments whose last placements are kept. */
const MOST_KEPT = 8;

export class Rehearsal {
  /** The last placement in each instrument, the latest one last. */
  private readonly kept = new Map<InstrumentId, PlaceOrder>();
  private readonly limitedShares: () => readonly InstrumentId[];
  /** The shares whose bans were not reviewed yet on the day of the state, the next one last. */
  private toReview: InstrumentId[] = [];
  private reviewedDay: IstDay | undefined;

  /** `limitedShares`: the shares with contracts, whose open interest has a limit. */
  constructor(limitedShares: () => readonly InstrumentId[] = () => []) {
    this.limitedShares = limitedShares;
  }

  /** Takes note of a command that the leader recorded. */
  note(command: Command): void {
    if (command.type !== 'PlaceOrder') return;
    const { instrument, idempotency: _answeredAlready, ...order } = command;
    this.kept.delete(instrument);
    this.kept.set(instrument, { ...order, instrument });
    const [first] = this.kept.keys();
    if (this.kept.size > MOST_KEPT && first !== undefined) this.kept.delete(first);
  }

  /** Decides at an instant that is not before that of the state. It changes nothing, and throws nothing. */
  run(state: State, ports: Ports, at: EpochMs): void {
    decideBreaker(state, portsAt(ports, state, at));
    const underlying = this.nextReview(state.day);
    if (underlying !== undefined) tryOut({ type: 'ReviewBan', underlying }, { state, ports, at });
    for (const command of this.kept.values()) {
      // Nobody asked for it: a leader that is asked for such an order reports the failure.
      if (!tryOut(command, { state, ports, at })) this.kept.delete(command.instrument);
    }
  }

  private nextReview(day: State['day']): InstrumentId | undefined {
    if (this.reviewedDay !== day) {
      this.reviewedDay = day;
      this.toReview = [...this.limitedShares()].reverse();
    }
    return this.toReview.pop();
  }
}

/** Decides a command in vain. False when that throws. */
function tryOut(command: Command, { state, ports, at }: { state: State; ports: Ports; at: EpochMs }): boolean {
  const sequenced = { seq: state.seq + 1, at, command };
  try {
    decide(state, portsFor(state, ports, sequenced), sequenced);
    return true;
  } catch {
    return false;
  }
}
