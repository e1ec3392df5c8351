/**
 * The live state: the core's state and the views that fold from it, kept at the same record. The engine runs on it, and
 * recovery rebuilds it from the journal. It does no input or output.
 */

import { inMemory, type MakeStore } from '../base/logs/byte-log.ts';
import { linesOf, TableLines } from '../base/stored-tables.ts';
import type { EpochMs } from '../base/time.ts';
import { applyRecord } from '../core/apply.ts';
import type { Sequenced } from '../core/command.ts';
import type { Event } from '../core/event.ts';
import type { Ports } from '../core/ports.ts';
import { stateHash } from '../core/snapshot/hash.ts';
import { stateReaders, stateTables } from '../core/snapshot/snapshot.ts';
import { emptyState, type State } from '../core/state.ts';
import { type Step, step } from '../core/step.ts';
import type { JournalRecord } from '../journal/record.ts';
import type { Replica, ReplicaSource } from '../journal/replica.ts';
import { applyToViews, emptyViews, type Views, viewsReaders, viewsTables } from '../views/views.ts';

/** The state and the views at the same record. */
export class Live implements Replica {
  readonly state: State;
  readonly views: Views;

  constructor(state: State, views: Views) {
    this.state = state;
    this.views = views;
  }

  get seq(): number {
    return this.state.seq;
  }

  get at(): EpochMs {
    return this.state.at;
  }

  /** Decides and applies a command. The views follow when the whole record is applied, here as in `fold`. */
  step(ports: Ports, sequenced: Sequenced): Step {
    const result = step(this.state, ports, sequenced);
    this.show(sequenced.at, result.events);
    return result;
  }

  fold(record: JournalRecord): void {
    applyRecord(this.state, record);
    this.show(record.at, record.events);
  }

  /** The tables of the state, then those of the views. */
  *lines(): Generator<string> {
    yield* linesOf(stateTables(this.state));
    yield* linesOf(viewsTables(this.views));
  }

  hash(): string {
    return stateHash(this.state);
  }

  private show(at: EpochMs, events: readonly Event[]): void {
    applyToViews(this.views, this.state, at, events);
  }
}

/** Makes live states whose ended orders are in stores of this kind. */
export function liveSource(makeStore: MakeStore): ReplicaSource<Live> {
  const empty = (): Live => new Live(emptyState(), emptyViews(makeStore));
  return {
    empty,
    load: (lines) => {
      const live = empty();
      const tables = new TableLines(lines);
      tables.read(stateReaders(live.state));
      tables.read(viewsReaders(live.views, live.state));
      tables.end();
      markMoved(live);
      return live;
    },
  };
}

/**
 * Counts an account that has entries of the day among the active ones, as it was when they came: the turn of the day
 * closes them with the portion of the account.
 */
function markMoved({ state, views }: Live): void {
  for (const account of views.ledger.movedAccounts()) state.active.add(account);
}

/** Makes live states that are in memory as a whole. */
export const LIVE: ReplicaSource<Live> = liveSource(inMemory);
