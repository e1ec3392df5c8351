import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { InvariantError, must } from '../../../src/base/assert.ts';
import type { Random } from '../../../src/base/random.ts';
import { firstOrderNumber } from '../../../src/core/broker/orders/order-number.ts';
import type { Command } from '../../../src/core/command.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import type { Reply } from '../../../src/core/reply.ts';
import { LIVE, type Live } from '../../../src/engine/live.ts';
import { GENESIS } from '../../../src/journal/chain.ts';
import { REAL_DISK } from '../../../src/journal/disk/real-disk.ts';
import { readHistory } from '../../../src/journal/read-history.ts';
import type { JournalRecord } from '../../../src/journal/record.ts';
import { acknowledged, examine, journalPaths } from '../../../src/journal/upkeep/examine.ts';
import { clientCommand, type Memory } from '../../kit/journal/trading.ts';
import { Gone, NotTaken, type Victim } from './victim.ts';

/** A client that was refused waits a little. */
const REFUSED_WAIT_MS = 10;

/** One command that a client sent, and its outcome: a reply, that nothing was done, or nothing. */
export interface Entry {
  readonly command: Command;
  reply?: Reply;
  refused?: true;
}

/** Everything that is in the journal of a folder without a process; beside one, what was acknowledged. */
export function readRecords(folder: string, { beside = false, mark = '' } = {}): JournalRecord[] {
  const paths = journalPaths(folder, mark === '' ? undefined : mark);
  const stored = beside ? acknowledged(REAL_DISK, paths) : examine(REAL_DISK, paths).stored;
  const records: JournalRecord[] = [];
  readHistory(stored, { ...GENESIS, at: 0 }, (more) => records.push(...more));
  return records;
}

/** The state and the views that records fold into. */
export function replay(records: readonly JournalRecord[]): Live {
  const replica = LIVE.empty();
  for (const record of records) replica.fold(record);
  return replica;
}

/** A client sends one command after the other, each after the reply to the last, until the engine is gone. */
export async function trade(
  victim: Victim,
  random: Random,
  memory: Memory,
  ledger: Entry[],
  mayGoOn: () => boolean,
): Promise<void> {
  while (mayGoOn()) {
    const command = clientCommand(random, memory, `mark ${ledger.length}`);
    const entry: Entry = { command };
    ledger.push(entry);
    if (!(await send(victim, entry))) return;
    if (entry.reply?.type === 'OrderPlaced' && command.type === 'PlaceOrder') {
      memory.orders.push({ number: entry.reply.order, account: command.account });
    }
    if (entry.reply !== undefined && command.type === 'OpenSession') memory.sessions.push(command.tokenDigest);
  }
}

/** False when the engine is gone. */
async function send(victim: Victim, entry: Entry): Promise<boolean> {
  try {
    entry.reply = await victim.submit(entry.command);
  } catch (error) {
    if (error instanceof Gone) return false;
    if (!(error instanceof NotTaken)) throw error;
    entry.refused = true;
    await sleep(REFUSED_WAIT_MS);
  }
  return true;
}

/** A reply that says that something changed: its record must be in the journal. */
function isChange(reply: Reply | undefined): boolean {
  return (
    reply !== undefined && ['OrderPlaced', 'OrderModified', 'OrderCancelled', 'PositionConverted'].includes(reply.type)
  );
}

/** Looks for every acknowledged command in the journal: there with the effect that the reply named, and there once. */
export function checkLedger(ledger: readonly Entry[], records: readonly JournalRecord[], context: string): void {
  const recorded = new Map<string, JournalRecord[]>();
  for (const record of records) {
    const key = JSON.stringify(record.command);
    recorded.set(key, [...(recorded.get(key) ?? []), record]);
  }
  const sent = new Map<string, { acked: number; sent: number }>();
  for (const { command, reply, refused } of ledger) {
    const key = JSON.stringify(command);
    const count = sent.get(key) ?? { acked: 0, sent: 0 };
    const opened = command.type === 'OpenSession' && reply?.type === 'Done';
    const acked = count.acked + (isChange(reply) || opened ? 1 : 0);
    sent.set(key, { sent: count.sent + (refused ? 0 : 1), acked });
    if (reply?.type === 'OrderPlaced') {
      const events = recorded.get(key)?.flatMap((record) => record.events) ?? [];
      const received = events.filter((event) => event.type === 'OrderReceived');
      assert.deepEqual(
        received.map(({ order }) => order),
        [reply.order],
        `${context}: order ${reply.order} is lost or another: ${key}`,
      );
    }
  }
  for (const [key, { acked, sent: tries }] of sent) {
    const found = recorded.get(key)?.length ?? 0;
    assert.ok(found >= acked, `${context}: acknowledged ${acked} times, recorded ${found} times: ${key}`);
    assert.ok(found <= tries, `${context}: sent ${tries} times, recorded ${found} times: ${key}`);
  }
}

/**
 * An end that was acknowledged must have happened: a cancelled order is not live, a closed session is not known; and
 * the invariants hold. Orders of a day that has ended are in the journal only.
 */
export function checkEffects(ledger: readonly Entry[], { state }: Live, context: string): void {
  const firstOfDay = firstOrderNumber(state.day);
  for (const { command, reply } of ledger) {
    if (reply?.type === 'OrderPlaced' && reply.order >= firstOfDay) {
      const order = must(state.orders.get(reply.order), `${context}: order ${reply.order} is lost`);
      assert.equal(command.type === 'PlaceOrder' && command.remarks, order.remarks, context);
    }
    if (reply?.type === 'OrderCancelled' && reply.order >= firstOfDay) {
      assert.equal(state.orders.get(reply.order)?.status, 'Cancelled', `${context}: order ${reply.order}`);
    }
    if (command.type === 'CloseSession' && reply?.type === 'Done') {
      assert.ok(!state.sessions.has(command.tokenDigest), `${context}: a session came back`);
    }
  }
  try {
    checkInvariants(state);
  } catch (error) {
    if (!(error instanceof InvariantError)) throw error;
    assert.fail(`${context}: ${error.message}`);
  }
}

/** How many commands were answered with a reply. */
export function toldCount(ledger: readonly Entry[]): number {
  return ledger.filter(({ reply }) => reply !== undefined).length;
}
