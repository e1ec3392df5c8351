import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AccountId } from '../src/base/ids.ts';
import { type Paise, price, quantity } from '../src/base/money.ts';
import type { Command } from '../src/core/command.ts';
import { type Live, liveSource } from '../src/engine/live.ts';
import { chunkFiles } from '../src/os/chunk-file.ts';
import { collect } from './process/heap.ts';
import type { BenchRow } from './rows.ts';
import { AT, DAY, stillShares } from './still-market.ts';

/*
 * B11: memory that an order keeps once it has traded and ended, in the state and all views together, with rows in files
 * as a running service has them: on the heap, which the collector walks over, and in buffers outside of it.
 */

const ORDERS = 150_000;
/** Orders before those that are measured: every account and every table is in use then. */
const WARM = 30_000;
const ACCOUNTS = 1_000;
const { shares: SHARES, ports: PORTS } = stillShares(200);

function* opening(): Iterable<Command> {
  yield { type: 'RollDay', day: DAY };
  for (let user = 0; user < ACCOUNTS; user += 1) {
    const names = { userId: `U${user}`, name: `Name ${user}`, email: `u${user}@example.com` };
    yield { type: 'RegisterUser', ...names, sealedCredentials: 'x', usesTotp: true, demo: false };
    yield { type: 'DepositCash', account: user as AccountId, amount: 1_00_00_000_00 as Paise, opening: true };
  }
}

/** A purchase that trades at once, half of them for delivery. */
function purchase(number: number): Command {
  return {
    type: 'PlaceOrder',
    account: (number % ACCOUNTS) as AccountId,
    instrument: (SHARES[number % SHARES.length] as (typeof SHARES)[number]).id,
    side: 'B',
    product: number % 2 === 0 ? 'C' : 'I',
    terms: { priceType: 'LMT', retention: 'DAY', quantity: quantity(1), price: price(1_001_00), trigger: price(0) },
    remarks: '',
  };
}

function run(live: Live, command: Command): void {
  live.step(PORTS, { seq: live.seq + 1, at: AT, command });
}

/** Turns of the loop between the orders let the files be written. */
async function purchases(live: Live, from: number, to: number): Promise<void> {
  for (let number = from; number < to; number += 1) {
    run(live, purchase(number));
    if (number % 1_000 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

function inUse(): { readonly heap: number; readonly buffers: number } {
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return { heap: heapUsed, buffers: external };
}

/** B11 for orders that have ended, in all that a service keeps of them in memory, as a row. */
export async function endedDayRow(): Promise<BenchRow> {
  const folder = mkdtempSync(join(tmpdir(), 'sauda-ended-day-'));
  try {
    const live = liveSource(chunkFiles(folder)).empty();
    for (const command of opening()) run(live, command);
    await purchases(live, 0, WARM);
    const before = inUse();
    await purchases(live, WARM, WARM + ORDERS);
    const after = inUse();
    const heap = (after.heap - before.heap) / ORDERS;
    const whole = heap + (after.buffers - before.buffers) / ORDERS;
    return {
      id: 'B11',
      what: 'an order that traded and ended, in state and views',
      ours: `${heap.toFixed(0)} bytes of heap, ${whole.toFixed(0)} with buffers`,
      reference: 'none',
      ratio: 'none',
      spread: 'one run',
      goal: 'at most 30 and 120 bytes',
      reached: heap <= 30 && whole <= 120,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.main) console.table([await endedDayRow()]);
