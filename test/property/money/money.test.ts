import assert from 'node:assert/strict';
import test from 'node:test';
import type { AccountId } from '../../../src/base/ids.ts';
import { Random } from '../../../src/base/random.ts';
import type { EpochMs } from '../../../src/base/time.ts';
import type { Account } from '../../../src/core/account.ts';
import { applyRecord } from '../../../src/core/apply.ts';
import { availableMargin, marginUsed, totalMargin } from '../../../src/core/broker/account/funds.ts';
import { basketMargin } from '../../../src/core/broker/trials/basket-margin.ts';
import type { Command } from '../../../src/core/command.ts';
import { decide, portsFor } from '../../../src/core/decide.ts';
import type { Event } from '../../../src/core/event.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import type { Ports } from '../../../src/core/ports.ts';
import { netQuantity } from '../../../src/core/position.ts';
import { stateHash } from '../../../src/core/snapshot/hash.ts';
import { accountOf, emptyState, type State } from '../../../src/core/state.ts';
import { step } from '../../../src/core/step.ts';
import { FIRST_DAY, NIFTY_CALL, NIFTY_FUTURE, RELIANCE } from '../../kit/money/listed.ts';
import { PlainLedger } from '../../kit/money/plain-ledger.ts';
import { RandomCommands, tickOf } from '../../kit/money/random-commands.ts';
import { ScriptedMarket } from '../../kit/money/scripted-market.ts';
import { Shadow } from '../../kit/money/shadow.ts';
import { type KeptRecord, World } from '../../kit/money/world.ts';
import { testPorts } from '../../kit/ports.ts';
import { reloaded, storedParts } from '../../kit/stored-state.ts';

const SEED = Number(process.env.SAUDA_TEST_SEED ?? 20_261_121);
const USERS = 50;
const COMMANDS = 100_000;
const FULL_CHECK_EVERY = 400;
const ROLL_EVERY = 9_000;

interface Run {
  readonly ports: Ports;
  readonly world: World;
  readonly random: Random;
  readonly commands: RandomCommands;
}

function begin(seed: number): Run {
  const random = new Random(seed);
  const market = new ScriptedMarket(seed);
  const ports: Ports = testPorts({ market });
  const world = new World(ports, FIRST_DAY);
  for (let user = 0; user < USERS; user += 1) {
    const id = world.user(`U${user}`, random.between(0, 20) === 0 ? 0 : random.between(10_000_00, 20_000_000_00));
    if (random.chance(60)) world.give(id, RELIANCE.id, random.between(1, 200), 200 * 1_000_00);
  }
  return { ports, world, random, commands: new RandomCommands(random, market) };
}

/** The account as an order met it: its funds, and whether it held all that the order closes. */
interface Met {
  readonly account: Account;
  readonly available: number;
  readonly closes: boolean;
}

function met(state: State, command: Command): Met | undefined {
  if (command.type !== 'PlaceOrder') return undefined;
  const { instrument, product, side, terms } = command;
  const account = accountOf(state, command.account);
  let net = 0;
  for (const row of account.positions.values()) {
    if (row.instrument === instrument && (row.isin === '' || row.product === product)) net += netQuantity(row);
  }
  const against = side === 'B' ? -net : net;
  return { account, available: availableMargin(account), closes: against >= terms.quantity };
}

/** The cheap checks, after every command: sums of margins, peaks, and nobody admitted into a shortfall (I19). */
function checkFunds(state: State, before: Met | undefined, events: readonly Event[]): void {
  for (const one of state.accounts) {
    const used = marginUsed(one);
    assert.ok(used >= 0 && one.peakMargin >= used, `${one.userId} uses ${used}, peak ${one.peakMargin}`);
    assert.equal(availableMargin(one) + used, totalMargin(one));
  }
  const admitted = events.some((event) => event.type === 'OrderAcknowledged');
  if (before === undefined || !admitted || before.closes) return;
  if (events.some((event) => event.type === 'StopTriggered')) return;
  const after = availableMargin(before.account);
  const { userId } = before.account;
  assert.ok(after >= Math.min(0, before.available), `${userId} was admitted from ${before.available} into ${after}`);
}

test(`after ${COMMANDS} random commands of ${USERS} users money, shares, margins and positions add up`, () => {
  const { ports, world, random, commands } = begin(SEED);
  const shadow = new Shadow();
  const plain = new PlainLedger();
  const seen = new Map<string, number>();
  try {
    for (let done = 1; done <= COMMANDS; done += 1) {
      world.at = (world.at + random.below(700)) as EpochMs;
      if (done % ROLL_EVERY === 0) world.nextDay();
      const command = commands.next(world.state, tickOf(world.at));
      const before = met(world.state, command);
      const { events } = world.submit(command);
      checkFunds(world.state, before, events);
      const happened = world.records.flatMap((record) => record.events);
      for (const event of happened) seen.set(event.type, (seen.get(event.type) ?? 0) + 1);
      shadow.read(happened);
      plain.read(happened);
      if (done % FULL_CHECK_EVERY === 0) {
        checkInvariants(world.state, ports);
        shadow.compare(world.state);
        plain.compare(world.state);
      }
      world.records.length = 0;
    }
    checkInvariants(world.state, ports);
  } catch (error) {
    throw new Error(`seed ${SEED}, record ${world.state.seq}: ${String(error)}`, { cause: error });
  }
  for (const type of [
    'Traded',
    'StopTriggered',
    'OrderReplaced',
    'PositionConverted',
    'QueueAdvanced',
    'SessionClosed',
    'CashPaidOut',
    'SharesPledged',
    'SharesReleased',
    'CollateralRevalued',
    'RiskGroupSet',
  ]) {
    assert.ok(
      (seen.get(type) ?? 0) > 20,
      `the run saw ${seen.get(type) ?? 0} times ${type}: ${JSON.stringify([...seen])}`,
    );
  }
});

/** A run with its records as a journal would keep them, in text. */
function journalOf(seed: number, count: number): { run: Run; journal: string[] } {
  const run = begin(seed);
  const { world, random, commands } = run;
  for (let done = 1; done <= count; done += 1) {
    world.at = (world.at + random.below(700)) as EpochMs;
    if (done % (count / 3) < 1) world.nextDay();
    world.submit(commands.next(world.state, tickOf(world.at)));
  }
  return { run, journal: world.records.map((record) => JSON.stringify(record)) };
}

test('the fold of the events is the state, from the first record and from every snapshot', () => {
  const { run, journal } = journalOf(SEED + 1, 6_000);
  const live = run.world.state;
  let replayed = emptyState();
  journal.forEach((text, index) => {
    applyRecord(replayed, JSON.parse(text) as KeptRecord);
    if (index % 1_500 !== 700) return;
    const bytes = JSON.stringify(storedParts(replayed));
    const hash = stateHash(replayed);
    replayed = reloaded(replayed);
    assert.equal(JSON.stringify(storedParts(replayed)), bytes, `seed ${SEED + 1}: dump after load, record ${index}`);
    assert.equal(stateHash(replayed), hash);
  });
  assert.equal(stateHash(replayed), stateHash(live), `seed ${SEED + 1}`);
  assert.match(stateHash(live), /^[0-9a-f]{32}$/);
  checkInvariants(replayed, run.ports);
});

test('every journaled command decided again gives the same events and the same answer', () => {
  const { run, journal } = journalOf(SEED + 2, 4_000);
  const again = emptyState();
  const ports: Ports = testPorts({ market: new ScriptedMarket(SEED + 2) });
  for (const text of journal) {
    const { seq, at, command, events, reply } = JSON.parse(text) as KeptRecord;
    const done = step(again, ports, { seq, at, command });
    assert.equal(JSON.stringify(done.events), JSON.stringify(events), `seed ${SEED + 2}, record ${seq}`);
    assert.equal(JSON.stringify(done.reply), JSON.stringify(reply), `seed ${SEED + 2}, record ${seq}`);
  }
  assert.equal(stateHash(again), stateHash(run.world.state));
});

test('deciding and asking change nothing, and a command without events leaves no trace', () => {
  const { run } = journalOf(SEED + 3, 600);
  const { world, ports, commands, random } = run;
  for (let round = 0; round < 400; round += 1) {
    world.at = (world.at + random.below(700)) as EpochMs;
    const { state } = world;
    const before = stateHash(state);
    const command = commands.next(state, tickOf(world.at));
    const sequenced = { seq: state.seq + 1, at: world.at, command };
    const first = decide(state, portsFor(state, ports, sequenced), sequenced);
    assert.deepEqual(decide(state, portsFor(state, ports, sequenced), sequenced), first);
    const account = state.accounts.at(random.below(USERS)) as Account;
    basketMargin(state, world.portsNow(), account, [
      { instrument: NIFTY_FUTURE.id, side: 'B', product: 'M', terms: TERMS },
      { instrument: NIFTY_CALL.id, side: 'S', product: 'M', terms: TERMS },
    ]);
    assert.equal(stateHash(state), before, `seed ${SEED + 3}: ${command.type}`);
    const { events } = world.submit(command);
    if (events.length === 0) assert.equal(stateHash(state), before, `seed ${SEED + 3}: ${command.type}`);
  }
});

const TERMS = { priceType: 'MKT', retention: 'DAY', quantity: 65, price: 0, trigger: 0 } as never;

test('a trade between two users moves money and shares from one to the other and nowhere else', () => {
  const ports: Ports = testPorts({ market: new ScriptedMarket(5) });
  const world = new World(ports, FIRST_DAY);
  const [buyer, seller] = [world.user('B1', 1_000_000_00), world.user('S1', 0)] as [AccountId, AccountId];
  world.give(seller, RELIANCE.id, 10, 10 * 1_000_00);
  const middle = ports.market.depth(RELIANCE.id, tickOf(world.at)).bids[0]?.price as number;
  const order = { of: RELIANCE.id, units: 10, at: middle + 5, product: 'C' } as const;
  assert.equal(world.place({ ...order, by: seller, side: 'S' }).status, 'Open');
  assert.equal(world.place({ ...order, by: buyer, side: 'B' }).status, 'Complete');
  const paid = (middle + 5) * 10;
  assert.equal(availableMargin(world.account(buyer)), 1_000_000_00 - paid);
  assert.equal(availableMargin(world.account(seller)), paid);
  assert.equal(world.state.counterparties.size, 0);
  checkInvariants(world.state, ports);
  world.nextDay();
  assert.equal(world.account(buyer).books.cash, 1_000_000_00 - paid);
  assert.equal(world.account(seller).books.cash, paid);
  assert.equal(world.account(buyer).holdings.get(RELIANCE.isin)?.unsettled, 10);
  assert.equal(world.account(seller).holdings.size, 0);
  world.nextDay();
  assert.equal(world.account(buyer).holdings.get(RELIANCE.isin)?.settled, 10);
  checkInvariants(world.state, ports);
});
