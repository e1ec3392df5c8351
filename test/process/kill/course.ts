import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import type { Random } from '../../../src/base/random.ts';
import { journalPaths } from '../../../src/journal/upkeep/examine.ts';
import { verifyJournal } from '../../../src/journal/upkeep/verify.ts';
import { type Memory, opening } from '../../kit/journal/trading.ts';
import { checkEffects, checkLedger, type Entry, readRecords, replay, trade } from './told.ts';
import { Gone, Victim, type VictimOptions } from './victim.ts';

/** Clients that trade at the same time. */
const CLIENTS = 8;

/** The lives of an engine on one data folder, one after the other, and every reply that its clients got in them. */
export class Course {
  readonly folder: string;
  readonly random: Random;
  /** Kept by the clients, outside the process that is hurt. */
  readonly ledger: Entry[] = [];
  /** How many starts went on from a snapshot. */
  fromSnapshots = 0;
  private readonly memory: Memory = { orders: [], sessions: [] };
  private readonly mark: string | undefined;

  constructor(folder: string, random: Random, mark?: string) {
    this.folder = folder;
    this.random = random;
    this.mark = mark;
  }

  /** A life without a fault, in which the users get their money and shares. */
  async open(how: VictimOptions = {}): Promise<void> {
    const victim = await this.start('opening', how);
    for (const command of opening()) await victim.submit(command);
    assert.equal(await victim.end('SIGTERM'), 0, victim.log);
  }

  /**
   * Starts the engine and compares what it recovered with a replay of what lies in the folder. Throws `Gone` when the
   * start is refused.
   */
  async start(context: string, how: VictimOptions = {}): Promise<Victim> {
    const records = existsSync(journalPaths(this.folder).journal) ? this.records() : [];
    const victim = await Victim.start(this.folder, { ...(this.mark && { mark: this.mark }), ...how });
    assert.equal(victim.ready.seq, records.length, `${context}: recovered up to the last record`);
    assert.equal(victim.ready.hash, replay(records).hash(), `${context}: recovered to the replay of every record`);
    if (victim.ready.fromSnapshot > 0) this.fromSnapshots += 1;
    return victim;
  }

  /** As `start`; resolves with `Gone` when the engine ended before it was ready. */
  async startOrGone(context: string, how: VictimOptions): Promise<Victim | Gone> {
    try {
      return await this.start(context, how);
    } catch (error) {
      if (error instanceof Gone) return error;
      throw error;
    }
  }

  /** Clients trade until the fault is over, in which the engine ended; resolves with how it ended. */
  async trade(victim: Victim, fault: () => Promise<unknown>): Promise<number | string> {
    let goOn = true;
    const clients = Array.from({ length: CLIENTS }, () => {
      return trade(victim, this.random, this.memory, this.ledger, () => goOn);
    });
    await fault();
    goOn = false;
    const code = await victim.ended;
    await Promise.all(clients);
    return code;
  }

  /** One more client sends one command. Resolves when it got its reply, or when the engine is gone. */
  async send(victim: Victim): Promise<void> {
    let first = true;
    await trade(victim, this.random, this.memory, this.ledger, () => {
      const goOn = first;
      first = false;
      return goOn;
    });
  }

  /** Every reply that clients got must lie in the folder, once, and all that lies there must be whole. */
  check(context: string): void {
    const verification = verifyJournal(this.folder, this.mark === undefined ? {} : { mark: this.mark });
    assert.equal(verification.damage, undefined, `${context}: ${JSON.stringify(verification.damage)}`);
    const records = this.records();
    checkLedger(this.ledger, records, context);
    checkEffects(this.ledger, replay(records), context);
  }

  private records() {
    return readRecords(this.folder, this.mark === undefined ? {} : { mark: this.mark });
  }
}
