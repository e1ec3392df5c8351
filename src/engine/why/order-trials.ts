/**
 * Answers `sauda why`: replays the journal up to an order and judges the order once more, on the state of its moment.
 * It only reads, also beside a running service.
 */

import { join } from 'node:path';
import { Undecodable } from '../../base/codec.ts';
import type { OrderNumber } from '../../base/ids.ts';
import { TableLines } from '../../base/stored-tables.ts';
import { applyRecord } from '../../core/apply.ts';
import { type OrderTrial, type TrialPorts, trialOf } from '../../core/broker/trials/order-trial.ts';
import { type OutcomeNote, outcomeNotes } from '../../core/scenarios/outcome-notes.ts';
import { stateHash } from '../../core/snapshot/hash.ts';
import { stateReaders } from '../../core/snapshot/snapshot.ts';
import { accountOf, emptyState, type State } from '../../core/state.ts';
import { GENESIS } from '../../journal/chain.ts';
import { REAL_DISK } from '../../journal/disk/real-disk.ts';
import type { StoredGroup } from '../../journal/journal.ts';
import { readHistory } from '../../journal/read-history.ts';
import type { JournalRecord } from '../../journal/record.ts';
import type { StoredJournal } from '../../journal/segments/stored-journal.ts';
import { SnapshotFolder, SnapshotUnusable } from '../../journal/snapshot-file.ts';
import { acknowledged, journalPaths } from '../../journal/upkeep/examine.ts';

/** The user of an order, and how its placement and each of its modifications were judged, oldest first. */
export interface OrderTrials {
  readonly userId: string;
  readonly trials: readonly OrderTrial[];
  /** The things that happened to it on demand; empty for nearly all orders. */
  readonly outcomes: readonly OutcomeNote[];
}

/** Where a replay begins. */
interface Start {
  readonly state: State;
  /** The journal's chain hash there. */
  readonly chain: string;
}

/**
 * Replays the journal of a data folder up to the end of an order's day and judges its wishes once more, each on the
 * state of its moment. Everything is opened read-only, beside a running service too. `portsOf` gives the ports of the
 * decisions, by the state as it is being replayed. `undefined` when the journal has no such order. Throws
 * `JournalDamaged`.
 */
export function orderTrials(
  folder: string,
  order: OrderNumber,
  portsOf: (state: State) => TrialPorts,
): OrderTrials | undefined {
  const stored = acknowledged(REAL_DISK, journalPaths(folder));
  const { state, chain } = stateBefore(stored, join(folder, 'snapshots'), order);
  return new Replay(state, portsOf(state), order).run(stored, chain);
}

/** The state of the newest snapshot in which the order has no number yet; the empty one when there is none. */
function stateBefore(stored: StoredJournal, path: string, order: OrderNumber): Start {
  const snapshots = new SnapshotFolder(path);
  for (const name of snapshots.list()) {
    const start = loaded(stored, snapshots, name);
    if (start !== undefined && start.state.lastOrder < order) return start;
  }
  return { state: emptyState(), chain: GENESIS.hash };
}

/**
 * `undefined` for a snapshot that cannot be trusted, or that the running service has just removed: the journal has all
 * the records.
 */
function loaded(stored: StoredJournal, snapshots: SnapshotFolder, name: string): Start | undefined {
  try {
    const { seq, chain, stateHash: expected } = snapshots.check(name);
    if (stored.hashAt(seq) !== chain) return undefined;
    const state = emptyState();
    snapshots.read(name, (lines) => new TableLines(lines).read(stateReaders(state)));
    return stateHash(state) === expected ? { state, chain } : undefined;
  } catch (error) {
    if (error instanceof SnapshotUnusable || error instanceof Undecodable) return undefined;
    throw error;
  }
}

/** One pass over the journal. */
class Replay {
  private readonly state: State;
  private readonly ports: TrialPorts;
  private readonly order: OrderNumber;
  private readonly trials: OrderTrial[] = [];
  private readonly outcomes: OutcomeNote[] = [];
  private over = false;

  constructor(state: State, ports: TrialPorts, order: OrderNumber) {
    this.state = state;
    this.ports = ports;
    this.order = order;
  }

  run(stored: StoredJournal, chain: string): OrderTrials | undefined {
    const { state, trials, outcomes } = this;
    const source = { name: stored.name, groups: (after: number) => this.untilOver(stored.groups(after)) };
    readHistory(source, { seq: state.seq, hash: chain, at: state.at }, (records) => {
      for (const record of records) this.take(record);
    });
    const [first] = trials;
    return first === undefined ? undefined : { userId: accountOf(state, first.account).userId, trials, outcomes };
  }

  private *untilOver(groups: Iterable<StoredGroup>): Iterable<StoredGroup> {
    for (const group of groups) {
      if (this.over) return;
      yield group;
    }
  }

  /** An order does not outlive its day unless it waits for one, so the replay ends when the next day has begun. */
  private take(record: JournalRecord): void {
    if (this.over) return;
    const trial = trialOf(this.state, this.ports, record, this.order);
    if (trial !== undefined) this.trials.push(trial);
    this.outcomes.push(...outcomeNotes(this.state, record, this.order));
    applyRecord(this.state, record);
    const hasRolled = this.trials.length > 0 && record.command.type === 'RollDay';
    this.over = hasRolled && this.state.orders.get(this.order)?.afterMarket === undefined;
  }
}
