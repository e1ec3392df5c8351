import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Episode } from '../../../../sim/episode.ts';
import type { AccountId } from '../../../../src/base/ids.ts';
import type { Price, Quantity } from '../../../../src/base/money.ts';
import { Random } from '../../../../src/base/random.ts';
import { DAY_MS, type EpochMs, HOUR_MS, type IstDay, istInstant, MINUTE_MS } from '../../../../src/base/time.ts';
import type { Command, PlaceOrder } from '../../../../src/core/command.ts';
import type { OrderScenario } from '../../../../src/core/scenarios/order-scenario.ts';
import { Engine } from '../../../../src/engine/engine.ts';
import { LIVE } from '../../../../src/engine/live.ts';
import { REAL_DISK } from '../../../../src/journal/disk/real-disk.ts';
import { openFileJournal } from '../../../../src/journal/file-journal.ts';
import { recover } from '../../../../src/journal/recovery.ts';
import { copyFolder } from '../../../../src/journal/upkeep/backup.ts';
import { acknowledged, journalPaths } from '../../../../src/journal/upkeep/examine.ts';
import { EQUITIES, SMALL_INSTRUMENTS, SmallMarket } from '../../../kit/journal/small-market.ts';
import { clientCommand, type Memory, opening } from '../../../kit/journal/trading.ts';
import { PacedService } from '../../../kit/paced-service.ts';
import { testPorts } from '../../../kit/ports.ts';
import { unasked } from '../../../kit/unasked.ts';

/*
 * Makes a golden journal of a version: `node test/process/journal/golden/make.ts v1 clock`, or all of them without its
 * name. Once a version is released its files are never made again: every later build must read them to the recorded
 * state hash, or say why the hash is another.
 *
 * `trading`: two days of a small market, and what operators do. `always` and `exchange`: simulated runs in the two
 * regimes of hours, with contracts, days' ends, crashes and several segments. `clock`: a market whose clock operators
 * set, over a day's end, and orders with outcomes on demand.
 */

const COMMANDS = 400;
const SIMULATED = { always: { seed: 1, commands: 700 }, exchange: { seed: 11, commands: 900 } } as const;
/** Each word of an outcome on demand at least once. */
const OUTCOMES: readonly OrderScenario[] = [
  { reject: 'Not today' },
  { fill: 1 as Quantity, cancelAfter: 700 },
  { fillPercent: 40, fills: 2 },
  { fills: 3, ackDelay: 500 },
  { hold: true, duplicateFrame: true },
  { lateFill: 900, lostAnswer: true },
];
const MAKERS: Readonly<Record<string, (folder: string) => Promise<void>>> = {
  trading: makeTrading,
  always: (folder) => makeSimulated(folder, SIMULATED.always),
  exchange: (folder) => makeSimulated(folder, SIMULATED.exchange),
  clock: makeClock,
};
const [version = 'v1', ...names] = process.argv.slice(2);
for (const [name, make] of Object.entries(MAKERS)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const folder = join(import.meta.dirname, version, name);
  rmSync(folder, { recursive: true, force: true });
  await make(folder);
}

async function makeTrading(folder: string): Promise<void> {
  const random = new Random(7);
  const live = LIVE.empty();
  const journal = await openFileJournal({ folder });
  let now = istInstant(20_500 as IstDay, 36_000_000);
  const engine = new Engine({
    live,
    journal,
    ports: testPorts({ instruments: SMALL_INSTRUMENTS, market: new SmallMarket() }),
    clock: () => now,
    elapsed: () => 0,
    failStop: (error) => {
      throw error;
    },
  });
  for (const command of [...opening(), ...operatorCommands()]) await engine.submit(unasked(command));
  const memory: Memory = { orders: [], sessions: [] };
  for (let number = 0; number < COMMANDS; number += 1) {
    now = (now + random.pick([0, 3, 250, 1_700])) as EpochMs;
    if (number === COMMANDS / 2) now = (now + DAY_MS) as EpochMs;
    const command = clientCommand(random, memory, `order ${number}`);
    const reply = await engine.submit(unasked(command));
    if (reply.type === 'OrderPlaced' && command.type === 'PlaceOrder') {
      memory.orders.push({ number: reply.order, account: command.account });
    }
    if (command.type === 'OpenSession') memory.sessions.push(command.tokenDigest);
    engine.passSecond();
  }
  await engine.drain();
  await journal.close();
  rmSync(join(folder, 'writer.lock'));
  writeExpected(folder);
}

/** The commands that only operators give, each at least once. */
function operatorCommands(): Command[] {
  const [alpha, beta, gamma] = EQUITIES.map(({ id }) => id);
  if (alpha === undefined || beta === undefined || gamma === undefined) throw new Error('there are three shares');
  const account = 0 as AccountId;
  const grounds = { by: 'operator', why: 'golden' };
  const bonus = { kind: 'bonus', before: 1, after: 2, dividend: 0 as Price } as const;
  return [
    { type: 'PledgeShares', account, instrument: alpha, quantity: 20 as Quantity },
    { type: 'ReleaseShares', account, instrument: alpha, quantity: 5 as Quantity },
    { type: 'SetSwitch', target: { kind: 'AccountKill', account: 3 as AccountId }, on: true, ...grounds },
    { type: 'SetSwitch', target: { kind: 'AccountKill', account: 3 as AccountId }, on: false, ...grounds },
    { type: 'WidenBand', instrument: beta, percent: 30, ...grounds },
    { type: 'SetShareBand', instrument: beta, percent: 5, ...grounds },
    { type: 'SetAddresses', account, addresses: ['192.0.2.1'], ...grounds },
    { type: 'SetOrderRate', account, rate: { perSecond: 5 }, ...grounds },
    { type: 'SetRiskGroup', account, change: { name: 'GOLDEN' }, ...grounds },
    { type: 'RenewApiKey', account, sealedCredentials: 'sealed anew', ...grounds },
    { type: 'AnnounceCorporateAction', listings: [gamma], exDay: 20_505 as IstDay, ...bonus },
    { type: 'WithdrawCorporateAction', isin: 'INE000000013', exDay: 20_505 as IstDay },
  ];
}

async function makeSimulated(
  folder: string,
  terms: { readonly seed: number; readonly commands: number },
): Promise<void> {
  const episode = new Episode(terms);
  await episode.run();
  copyFolder(episode.disk, '/sauda', '/golden', { first: () => [], needed: () => [], naming: () => [] });
  for (const [path] of episode.disk.files()) {
    if (!path.startsWith('/golden/') || path.includes('/snapshots/')) continue;
    const to = join(folder, path.slice('/golden/'.length));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, episode.disk.bytesOf(path));
  }
  writeExpected(folder);
}

/** Speeds, pauses, steps and one to an event of a user, and each word of an outcome. */
async function makeClock(folder: string): Promise<void> {
  const start = istInstant(20_500 as IstDay, 23 * HOUR_MS + 52 * MINUTE_MS);
  const ports = testPorts({ instruments: SMALL_INSTRUMENTS, market: new SmallMarket() });
  const service = new PacedService({ ports, start, seed: 1 });
  const random = new Random(21);
  const memory: Memory = { orders: [], sessions: [] };
  for (const command of opening()) await service.submit(command);
  for (const [index, scenario] of OUTCOMES.entries()) {
    await service.submit({ ...randomPlacement(random, memory), remarks: `outcome ${index}`, scenario });
    await service.stepTo((service.clock.now() + random.pick([1, 900, 4_000])) as EpochMs);
  }
  const rule = { effect: 'halted', value: 30, count: 1, by: 'desk', why: 'golden' } as const;
  await service.submit({ type: 'SetScenario', ...rule, ...(EQUITIES[0] && { instrument: EQUITIES[0].id }) });
  for (const speed of [1, 60, 3_600, 'max'] as const) {
    await service.setSpeed(speed);
    await service.passUntil((service.clock.now() + 90_000) as EpochMs);
    await service.setSpeed(0);
    await service.submit(randomPlacement(random, memory));
  }
  await service.stepTo((service.clock.now() + 2 * HOUR_MS) as EpochMs, { eventOf: 0 });
  await service.stepTo((service.clock.now() + 2 * HOUR_MS) as EpochMs);
  const journal = await openFileJournal({ folder });
  for (const { version, firstSeq, count, body } of service.kill().groups(0)) {
    await journal.append({ version, firstSeq, count, body });
  }
  await journal.close();
  rmSync(join(folder, 'writer.lock'));
  writeExpected(folder);
}

/** A placement of a client. */
function randomPlacement(random: Random, memory: Memory): PlaceOrder {
  for (;;) {
    const command = clientCommand(random, memory, 'golden');
    if (command.type === 'PlaceOrder') return command;
  }
}

function writeExpected(folder: string): void {
  const stored = acknowledged(REAL_DISK, journalPaths(folder));
  const { replica, head } = recover(stored, undefined, LIVE);
  writeFileSync(join(folder, 'expected.json'), `${JSON.stringify({ ...head, stateHash: replica.hash() }, null, 2)}\n`);
}
