/**
 * The lists of a date's contracts: who searches them or loads a symbol file waits until they are there, and nobody else
 * does. A start makes them after its first answers.
 */

import { type EpochMs, type IstDay, istDay } from '../../base/time.ts';
import type { InstrumentDirectory } from '../../core/instrument.ts';
import type { Turns } from '../turns.ts';

/** The client in whose turns lists are made: they are made for all clients. */
const LISTS = 'lists of contracts';

interface RunningWork {
  readonly day: IstDay;
  readonly done: Promise<void>;
}

export class ContractLists {
  private readonly instruments: InstrumentDirectory;
  private readonly turns: Turns;
  private running: RunningWork | undefined;

  constructor(instruments: InstrumentDirectory, turns: Turns) {
    this.instruments = instruments;
    this.turns = turns;
  }

  /**
   * Makes the lists of the date of `at`, once for all who ask. `undefined` when they are there. Rejects with the error
   * that the market throws.
   */
  ready(at: EpochMs): Promise<void> | undefined {
    const day = istDay(at);
    if (this.running?.day === day) return this.running.done;
    const work = this.instruments.listing(at);
    if (work === undefined) return undefined;
    const running = { day, done: this.turns.runPieces(LISTS, work) };
    this.running = running;
    const forget = (): void => {
      if (this.running === running) this.running = undefined;
    };
    running.done.then(forget, forget);
    return running.done;
  }
}
