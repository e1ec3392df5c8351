import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert } from '../src/base/assert.ts';
import type { AccountId } from '../src/base/ids.ts';
import { type Paise, price, quantity } from '../src/base/money.ts';
import type { Command } from '../src/core/command.ts';
import { LIVE, type Live } from '../src/engine/live.ts';
import { SnapshotFolder } from '../src/journal/snapshot-file.ts';
import { testPorts } from '../test/kit/ports.ts';
import { collect, usedBytes } from './process/heap.ts';
import { restingSince } from './resting.ts';
import { AT, DAY, STILL_MARKET, share } from './still-market.ts';

/*
 * A snapshot of a day with very many resting orders is written, read, and goes on: the time, the size of the file, and
 * how far the memory of the process rises above the live state's. `node bench/snapshot.ts [orders]`; two million by
 * default, for which it takes some minutes and 5 GB of memory.
 */

const ORDERS = Number(process.argv[2] ?? 2_000_000);
const USERS = 100;
const SHARES = 10;
/** Orders that the restored state takes. */
const MORE = 1_000;
const PORTS = testPorts({
  instruments: { get: (id: number) => ALL.find((one) => one.id === id) },
  market: STILL_MARKET,
});
const ALL = Array.from({ length: SHARES }, (_, index) => share(index + 1));
/** How often the memory is looked at, in lines. */
const LOOK = 5_000;
const MIB = 1024 * 1024;

function run(live: Live, command: Command): void {
  live.step(PORTS, { seq: live.seq + 1, at: AT, command });
}

function place(live: Live, number: number): void {
  run(live, {
    type: 'PlaceOrder',
    account: (number % USERS) as AccountId,
    instrument: (ALL[number % SHARES] as (typeof ALL)[number]).id,
    side: 'B',
    product: 'C',
    terms: {
      priceType: 'LMT',
      retention: 'DAY',
      quantity: quantity(1),
      price: price(999_90 - 5 * (Math.floor(number / SHARES) % 200)),
      trigger: price(0),
    },
    remarks: `order ${number}`,
  });
}

function withOrders(count: number): Live {
  const live = LIVE.empty();
  run(live, { type: 'RollDay', day: DAY });
  for (let user = 0; user < USERS; user += 1) {
    const names = { userId: `USER${user}`, name: `Name ${user}`, email: `user${user}@example.com` };
    run(live, { type: 'RegisterUser', ...names, sealedCredentials: 'x'.repeat(300), usesTotp: true, demo: false });
    const amount = (100_000_00 * (count / USERS + MORE)) as Paise;
    run(live, { type: 'DepositCash', account: user as AccountId, amount, opening: true });
  }
  for (let number = 0; number < count; number += 1) place(live, number);
  restingSince(live.state, 0);
  return live;
}

/** The most that the process had in memory while lines passed, in bytes. */
class Peak {
  rss = 0;

  *watch(lines: Iterable<string>): Generator<string> {
    let count = 0;
    for (const line of lines) {
      if (count % LOOK === 0) this.look();
      count += 1;
      yield line;
    }
    this.look();
  }

  look(): void {
    this.rss = Math.max(this.rss, process.memoryUsage.rss());
  }
}

interface Figures {
  readonly what: string;
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Of the process before, and how far it rose above that. */
  readonly residentMiB: number;
  readonly risenMiB: number;
}

function measured<T>(what: string, work: (peak: Peak) => T): { made: T; figures: Figures } {
  collect();
  const peak = new Peak();
  const before = process.memoryUsage.rss();
  const [at, cpu] = [performance.now(), process.cpuUsage()];
  const made = work(peak);
  peak.look();
  const { user, system } = process.cpuUsage(cpu);
  const figures = {
    what,
    seconds: round((performance.now() - at) / 1_000),
    cpuSeconds: round((user + system) / 1e6),
    residentMiB: Math.round(before / MIB),
    risenMiB: Math.round((peak.rss - before) / MIB),
  };
  return { made, figures };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

const folder = mkdtempSync(join(tmpdir(), 'sauda-bench-snapshot-'));
try {
  const snapshots = new SnapshotFolder(folder);
  const bare = usedBytes();
  const { made: live, figures: filling } = measured('place the orders', () => withOrders(ORDERS));
  const stateBytes = usedBytes() - bare;
  const { made: hash, figures: hashing } = measured('hash the state', () => live.hash());
  const { seq, at } = live;
  const { made: path, figures: writing } = measured('write the snapshot', (peak) =>
    snapshots.write({ seq, at, chain: 'none', stateHash: hash, lines: peak.watch(live.lines()) }),
  );
  const { figures: checking } = measured('check its digest', () => snapshots.check(path));
  const { made: again, figures: reading } = measured('read it into a second state', (peak) =>
    snapshots.read(path, (lines) => LIVE.load(peak.watch(lines))),
  );
  const { made: same, figures: comparing } = measured('hash the second state', () => again.hash());
  assert(same === hash, 'the state that was read is the one that was written');
  for (const one of [live, again]) for (let number = 0; number < MORE; number += 1) place(one, ORDERS + number);
  assert(live.hash() === again.hash(), 'both go on to the same state');
  const fileMiB = Math.round(statSync(path).size / MIB);
  console.log(`${ORDERS} orders: the live state takes ${Math.round(stateBytes / MIB)} MiB, the file ${fileMiB} MiB`);
  console.table([filling, hashing, writing, checking, reading, comparing]);
} finally {
  rmSync(folder, { recursive: true });
}
