import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { must } from '../src/base/assert.ts';
import type { AccountId } from '../src/base/ids.ts';
import { inMemory, type MakeStore } from '../src/base/logs/byte-log.ts';
import { type Paise, price, quantity } from '../src/base/money.ts';
import { istInstant, parseIsoDay } from '../src/base/time.ts';
import type { Command } from '../src/core/command.ts';
import { emptyState } from '../src/core/state.ts';
import { Live } from '../src/engine/live.ts';
import { chunkFiles } from '../src/os/chunk-file.ts';
import { loadReferenceData } from '../src/reference/instruments/load.ts';
import { emptyViews } from '../src/views/views.ts';
import { testPorts } from '../test/kit/ports.ts';
import { usedBytes } from './process/heap.ts';
import { restingSince } from './resting.ts';
import type { BenchRow } from './rows.ts';
import { AT, DAY, STILL_MARKET, share } from './still-market.ts';

/*
 * B11: bytes that stay in use, after a forced collection, for each resting order, idle user and untouched instrument.
 * The rows of the history are in files, as those of a running service are.
 */

const ORDERS = 100_000;
/** The orders of a turn of the loop, in which the files are written. */
const TURN = 1_000;
const USERS = 20_000;
const SHARE = share(1);
const PORTS = testPorts({ instruments: { get: () => SHARE }, market: STILL_MARKET });

async function bytesFor(count: number, make: () => unknown): Promise<number> {
  const before = usedBytes();
  const kept = await make();
  const bytes = (usedBytes() - before) / count;
  must(kept, 'what was made is kept until it is measured');
  return bytes;
}

function run(live: Live, command: Command): void {
  live.step(PORTS, { seq: live.seq + 1, at: AT, command });
}

function withUsers(count: number, makeStore: MakeStore = inMemory): Live {
  const live = new Live(emptyState(), emptyViews(makeStore));
  run(live, { type: 'RollDay', day: DAY });
  for (let user = 0; user < count; user += 1) {
    const names = { userId: `USER${user}`, name: `Name ${user}`, email: `user${user}@example.com` };
    run(live, {
      type: 'RegisterUser',
      ...names,
      sealedCredentials: 'x'.repeat(300) + user,
      usesTotp: true,
      demo: false,
    });
    run(live, { type: 'DepositCash', account: user as AccountId, amount: 1e10 as Paise, opening: true });
  }
  return live;
}

async function rest(live: Live, count: number): Promise<Live> {
  for (let order = 0; order < count; order += 1) {
    if (order % TURN === 0) await sleep(1);
    const terms = {
      priceType: 'LMT',
      retention: 'DAY',
      quantity: quantity(1),
      price: price(999_90 - 5 * (order % 200)),
      trigger: price(0),
    } as const;
    const who = { account: (order % 10) as AccountId, instrument: SHARE.id, side: 'B', product: 'C' } as const;
    run(live, { type: 'PlaceOrder', ...who, terms, remarks: '' });
  }
  restingSince(live.state, 0);
  return live;
}

function row(what: string, bytes: number, most: number): BenchRow {
  return {
    id: 'B11',
    what,
    ours: `${bytes.toFixed(0)} bytes`,
    reference: 'none',
    ratio: 'none',
    spread: 'one run',
    goal: `at most ${most} bytes`,
    reached: bytes <= most,
  };
}

/** The bytes of a resting order whose history is in such a store. */
async function bytesOfOrder(makeStore: MakeStore): Promise<number> {
  const live = withUsers(10, makeStore);
  await rest(live, ORDERS);
  return bytesFor(ORDERS, () => rest(live, ORDERS));
}

async function orderRow(): Promise<BenchRow> {
  const folder = mkdtempSync(join(tmpdir(), 'sauda-memory-'));
  try {
    const bytes = await bytesOfOrder(chunkFiles(folder));
    const inMemoryToo = await bytesOfOrder(inMemory);
    const reference = `its history in memory too: ${inMemoryToo.toFixed(0)} bytes`;
    return { ...row('a resting order, with its history', bytes, 250), reference };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** B11 as rows: state and views together. */
export async function memoryRows(): Promise<BenchRow[]> {
  const resting = await orderRow();
  const perUser = await bytesFor(USERS, () => withUsers(USERS));
  const at = istInstant(must(parseIsoDay('2026-11-21'), 'a day'));
  let instruments = 1;
  const all = await bytesFor(1, () => {
    const data = loadReferenceData(fileURLToPath(new URL('../data', import.meta.url)));
    const master = data.master();
    instruments = master.count(at);
    master.find('NFO', 'NIFTY29DEC26F', at);
    return [data, master];
  });
  return [
    resting,
    row('an idle user', perUser, 2_048),
    row(`an instrument that nobody touches, of ${instruments}`, all / instruments, 200),
  ];
}

if (import.meta.main) console.table(await memoryRows());
