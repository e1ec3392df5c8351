import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { AccountId } from '../../src/base/ids.ts';
import { type Paise, price, quantity } from '../../src/base/money.ts';
import { DAY_MS, type EpochMs, SECOND_MS } from '../../src/base/time.ts';
import type { Command } from '../../src/core/command.ts';
import { Engine } from '../../src/engine/engine.ts';
import { type Live, liveSource } from '../../src/engine/live.ts';
import { ROWS_FOLDER } from '../../src/engine/rows-folder.ts';
import { everySecond } from '../../src/engine/time/ticker.ts';
import { openFileJournal } from '../../src/journal/file-journal.ts';
import { recover } from '../../src/journal/recovery.ts';
import { SnapshotFolder } from '../../src/journal/snapshot-file.ts';
import { chunkFiles } from '../../src/os/chunk-file.ts';
import { unasked } from '../../test/kit/unasked.ts';
import { SERVICE_ROOM } from '../process/service-room.ts';
import { AT, DAY, stillShares } from '../still-market.ts';
import { assertDisk, assertRoom, LoopWatch, MeasuredJournal, memory, nextTurn, round } from './figures.ts';

/*
 * A day of very many accounts and orders, by commands through the engine: it is filled, a snapshot is taken, another
 * process recovers from it, ends the day and begins the next one.
 *
 * `node bench/walls/day-of-many.ts --accounts 5000000 --orders 20000000 [--active 0.3] [--rest-every 3] [--heap 8192]
 * [--folder <disk>]`
 *
 * It looks first whether the disk has room, says each ten seconds how far it is, and ends with the place that it came
 * to where the heap is full. The rows of ended orders are in files, as they are in a service.
 */

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '50000' },
    orders: { type: 'string', default: '500000' },
    /** The part of the accounts that trades. */
    active: { type: 'string', default: '0.3' },
    /** One order of this number rests below the market; the others trade at once. */
    'rest-every': { type: 'string', default: '3' },
    /** The old space of each process, in MiB. */
    heap: { type: 'string', default: '8192' },
    /** Where the journal is made; a folder of its own in that of the machine when absent. */
    folder: { type: 'string' },
    part: { type: 'string', default: 'all' },
  },
});
const ACCOUNTS = Number(values.accounts);
const ORDERS = Number(values.orders);
const ACTIVE = Math.max(1, Math.floor(ACCOUNTS * Number(values.active)));
const REST_EVERY = Number(values['rest-every']);
/** Bytes of disk: the records of an account and of an order, their rows in files, and their part of a snapshot. */
const DISK = { account: 2_200, order: 2_000 } as const;

const { shares: SHARES, ports: PORTS } = stillShares(200);
/** Commands that are submitted in one turn of the loop. */
const IN_TURN = 100;
/** The first commands of a kind meet code that no compiler has seen. */
const COLD = 1_000;
/** The heap is looked at each time that this number of commands was done. */
const LOOKED_AT = 20_000;
const PROGRESS_MS = 10_000;

interface Service {
  readonly live: Live;
  readonly journal: MeasuredJournal;
  readonly engine: Engine;
  at: EpochMs;
}

async function startService(folder: string): Promise<Service & { readonly recoverySeconds: number }> {
  const journal = new MeasuredJournal(await openFileJournal({ folder }));
  const began = performance.now();
  const rows = chunkFiles(join(folder, ROWS_FOLDER));
  const { replica: live } = recover(journal, new SnapshotFolder(join(folder, 'snapshots')), liveSource(rows));
  const recoverySeconds = round((performance.now() - began) / 1_000);
  const service = { live, journal, at: live.seq === 0 ? AT : live.at, recoverySeconds } as Service & {
    engine: Engine;
    recoverySeconds: number;
  };
  const failStop = (error: Error): never => {
    throw error;
  };
  service.engine = new Engine({ live, journal, ports: PORTS, clock: () => service.at, failStop });
  return service;
}

/** Reports on the error stream how far a long work is. */
class Progress {
  private readonly name: string;
  private last = performance.now();
  private before = 0;

  constructor(name: string) {
    this.name = name;
  }

  note(count: number): void {
    const now = performance.now();
    if (now - this.last < PROGRESS_MS) return;
    const aSecond = Math.round(((count - this.before) * 1_000) / (now - this.last));
    const heap = Math.round(process.memoryUsage().heapUsed / 1024 / 1024);
    process.stderr.write(`  ${count} ${this.name}, ${aSecond} a second, ${heap} MiB of heap\n`);
    this.last = now;
    this.before = count;
  }
}

/** Submits commands, one a turn while the code is cold and `IN_TURN` afterwards. */
async function submitAll({ engine }: Service, commands: Iterable<Command>, name: string): Promise<void> {
  const progress = new Progress(name);
  let waiting: Promise<unknown>[] = [];
  let count = 0;
  for (const command of commands) {
    waiting.push(engine.submit(unasked(command)));
    count += 1;
    if (count > COLD && waiting.length < IN_TURN) continue;
    await Promise.all(waiting);
    waiting = [];
    if (count % LOOKED_AT !== 0) continue;
    assertRoom(`${count} ${name}`);
    progress.note(count);
  }
  await Promise.all(waiting);
}

function* registrations(): Iterable<Command> {
  for (let user = 0; user < ACCOUNTS; user += 1) {
    const names = { userId: `USER${user}`, name: `Name ${user}`, email: `user${user}@example.com` };
    const sealedCredentials = 'x'.repeat(300) + user;
    yield { type: 'RegisterUser', ...names, sealedCredentials, usesTotp: true, demo: false };
    yield { type: 'DepositCash', account: user as AccountId, amount: 1_00_00_000_00 as Paise, opening: true };
  }
}

/** Most trade at once, for delivery or for the day; the others rest below the market. */
function* orders(): Iterable<Command> {
  for (let number = 0; number < ORDERS; number += 1) {
    const rests = number % REST_EVERY === REST_EVERY - 1;
    yield {
      type: 'PlaceOrder',
      account: (number % ACTIVE) as AccountId,
      instrument: (SHARES[number % SHARES.length] as (typeof SHARES)[number]).id,
      side: 'B',
      product: number % 2 === 0 ? 'C' : 'I',
      terms: {
        priceType: 'LMT',
        retention: 'DAY',
        quantity: quantity(1),
        price: price(rests ? 990_00 - 5 * (number % 100) : 1_001_00),
        trigger: price(0),
      },
      remarks: '',
    };
  }
}

/** Fills the day, and takes a snapshot as the snapshot thread would. */
async function fill(folder: string): Promise<void> {
  const service = await startService(folder);
  const { live, engine, journal } = service;
  engine.doAllPresent();
  const empty = memory();
  const watch = new LoopWatch();
  const began = performance.now();
  await watch.begin();
  await submitAll(service, registrations(), 'registrations and deposits');
  report('opened', {
    accounts: ACCOUNTS,
    seconds: round((performance.now() - began) / 1_000),
    ...(await watch.look()),
  });
  const idle = memory();
  await watch.begin();
  const trading = performance.now();
  await submitAll(service, orders(), 'orders');
  const took = await watch.look();
  watch.end();
  await engine.rest();
  report('filled', {
    accounts: live.state.accounts.length,
    orders: live.state.orders.size,
    trades: live.state.lastTrade - 400_000_000,
    ...memory(),
    heapOfAnIdleAccount: Math.round(((idle.heapMiB - empty.heapMiB) * 1024 * 1024) / ACCOUNTS),
    outsideOfAnIdleAccount: Math.round(((idle.outsideMiB - empty.outsideMiB) * 1024 * 1024) / ACCOUNTS),
    secondsOfOrders: round((performance.now() - trading) / 1_000),
    ...took,
    largestRecordBytes: journal.largestRecord,
  });
  const snapshot = performance.now();
  const { seq, hash: chain } = journal.head();
  const header = { seq, at: live.at, chain, stateHash: live.hash() };
  new SnapshotFolder(join(folder, 'snapshots')).write({ ...header, lines: live.lines() });
  report('snapshot', { seconds: round((performance.now() - snapshot) / 1_000) });
  await journal.close();
}

/** Recovers, ends the day and begins the next one. */
async function turn(folder: string): Promise<void> {
  const service = await startService(folder);
  const { live, engine, journal, recoverySeconds } = service;
  report('recovered', { records: live.seq, seconds: recoverySeconds, ...memory() });
  // The first look of a process meets its present; the day's turn comes after it.
  engine.doAllPresent();
  await engine.rest();
  const watch = new LoopWatch();
  await watch.begin();
  const [began, before] = [performance.now(), journal.records];
  service.at = (AT + DAY_MS) as EpochMs;
  engine.passSecond();
  // The clock stands still. After a commit that took too long an engine waits for the timer's next call.
  const stillClock = { now: () => service.at, untilLook: () => SECOND_MS, isHeld: () => true };
  const stop = everySecond(stillClock, () => engine.passSecond());
  while (live.state.day === DAY || live.state.portion !== undefined) await nextTurn();
  stop();
  const took = await watch.look();
  const seconds = round((performance.now() - began) / 1_000);
  await engine.rest();
  report('day turned', {
    seconds,
    records: journal.records - before,
    ...took,
    largestRecordBytes: journal.largestRecord,
  });
  await watch.begin();
  const looked = performance.now();
  service.at = (service.at + 61 * SECOND_MS) as EpochMs;
  engine.passSecond();
  await engine.rest();
  const look = await watch.look();
  report('a minute later', { seconds: round((performance.now() - looked) / 1_000), ...look });
  watch.end();
  await submitAll(
    service,
    [{ type: 'DepositCash', account: 0 as AccountId, amount: 1_00 as Paise, opening: false }],
    'deposits',
  );
  report('next day', { day: live.state.day - DAY, orders: live.state.orders.size, ...memory() });
  await journal.close();
}

function report(what: string, figures: Record<string, number>): void {
  process.stdout.write(`${what.padEnd(15)} ${JSON.stringify(figures)}\n`);
}

function runPart(part: string, folder: string): void {
  const sizes = ['--accounts', `${ACCOUNTS}`, '--orders', `${ORDERS}`];
  const flags = [...sizes, '--active', `${values.active}`, '--rest-every', `${REST_EVERY}`];
  const own = fileURLToPath(import.meta.url);
  const { status } = spawnSync(
    process.execPath,
    [
      `--max-old-space-size=${values.heap}`,
      ...SERVICE_ROOM,
      ...process.execArgv,
      own,
      ...flags,
      '--part',
      part,
      '--folder',
      folder,
    ],
    {
      stdio: 'inherit',
    },
  );
  if (status !== 0) throw new Error(`${part} ended with code ${status}`);
}

if (values.part === 'fill') await fill(values.folder ?? '');
else if (values.part === 'turn') await turn(values.folder ?? '');
else {
  const folder = mkdtempSync(join(values.folder ?? tmpdir(), 'sauda-bench-walls-'));
  try {
    assertDisk(folder, ACCOUNTS * DISK.account + ORDERS * DISK.order);
    runPart('fill', folder);
    runPart('turn', folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
