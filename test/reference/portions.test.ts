import assert from 'node:assert/strict';
import test from 'node:test';
import type { AccountId } from '../../src/base/ids.ts';
import { linesOf, TableLines } from '../../src/base/stored-tables.ts';
import type { Account } from '../../src/core/account.ts';
import { applyRecord } from '../../src/core/apply.ts';
import { checkInvariants } from '../../src/core/invariants.ts';
import { isContract } from '../../src/core/margin/requirement.ts';
import { isIdle, isWatched } from '../../src/core/portions/portion.ts';
import type { Ports } from '../../src/core/ports.ts';
import { netQuantity } from '../../src/core/position.ts';
import { stateHash } from '../../src/core/snapshot/hash.ts';
import { emptyState, type State } from '../../src/core/state.ts';
import { Ledger } from '../../src/views/ledger.ts';
import { OpenLots } from '../../src/views/open-lots.ts';
import { applyToViews, emptyViews, type Views, viewsReaders, viewsTables } from '../../src/views/views.ts';
import type { World } from '../kit/money/world.ts';
import { reloaded, storedParts } from '../kit/stored-state.ts';
import { RandomWeek } from './random-week.ts';

const RUNS = Number(process.env.SAUDA_PORTION_RUNS ?? 4);
const USERS = 9;

/** Everything that a client or the house can see at the end, and the statements of the week. */
function endOf({ world }: RandomWeek): object {
  const { seq: _, ...seen } = storedParts(world.state);
  // Tables by instrument, in the order in which these were first met.
  for (const table of ['counterparties', 'closing'] as const)
    seen[table] = new Map(world.state[table] as Map<number, unknown>);
  const ledger = new Ledger();
  const lots = new OpenLots();
  const state = emptyState();
  for (const record of world.records) {
    applyRecord(state, record);
    ledger.fold(record.at, state.posted);
    for (const event of record.events) lots.apply(event, state);
  }
  assert.equal(stateHash(state), stateHash(world.state), 'a replay gives the live state');
  const closings = [...state.accounts].map(({ id }) => ledger.closingsOf(id));
  return { ...seen, closings, lots: lots.rows() };
}

function week(seed: number, accounts: number | undefined, afterTurn: (world: World, ports: Ports) => void): RandomWeek {
  const portions = accounts === undefined ? undefined : { accounts, work: Number.POSITIVE_INFINITY };
  const run = new RandomWeek(seed, { users: USERS, afterTurn, ...(portions && { portions }) });
  run.play();
  return run;
}

const portionsOf = ({ world }: RandomWeek): number =>
  world.records.filter(({ command }) => 'portion' in command && command.portion !== undefined).length;

test(`${RUNS} random weeks come to the same money, shares, positions and statements in portions of 1, 2 and 7 accounts`, () => {
  for (let seed = 1; seed <= RUNS; seed += 1) {
    const check = (world: World, ports: Ports): void => checkInvariants(world.state, ports);
    const whole = week(seed, undefined, check);
    assert.equal(portionsOf(whole), 0, 'a small house has no portions');
    for (const accounts of [1, 2, 7]) {
      const run = week(seed, accounts, check);
      assert.ok(portionsOf(run) > 0, 'there were portions');
      assert.deepEqual(endOf(run), endOf(whole), `seed ${seed}, portions of ${accounts}`);
    }
  }
});

test('a process that dies after any portion, and comes back from a snapshot, goes on to the same end', () => {
  const restart = (world: World): void => {
    world.state = reloaded(world.state);
  };
  const whole = endOf(week(1, undefined, () => {}));
  for (const accounts of [1, 2, 7]) assert.deepEqual(endOf(week(1, accounts, restart)), whole);
});

/** State and views that are stored and read again, as a process does that starts from a snapshot. */
function readAgain(state: State, views: Views): { readonly state: State; readonly views: Views } {
  const read = { state: reloaded(state), views: emptyViews() };
  new TableLines(linesOfViews(views)).read(viewsReaders(read.views, read.state));
  return read;
}

function linesOfViews(views: Views): string[] {
  return [...linesOf(viewsTables(views))];
}

for (const accounts of [1, 2, 7]) {
  test(`views that are read again between the portions of a day's turn, each of ${accounts}, go on as the others do`, () => {
    const { world } = week(4, accounts, () => {});
    const whole = { state: emptyState(), views: emptyViews() };
    let again = readAgain(whole.state, whole.views);
    let compared = 0;
    for (const record of world.records) {
      for (const { state, views } of [whole, again]) {
        applyRecord(state, record);
        applyToViews(views, state, record.at, record.events);
      }
      const { type } = record.command;
      if (type !== 'EndDay' && type !== 'RollDay') continue;
      assert.deepEqual(linesOfViews(again.views), linesOfViews(whole.views), `record ${record.seq}`);
      compared += 1;
      // Not after the last portion: the process that began within the turn goes on over the day.
      if (whole.state.portion !== undefined) again = readAgain(again.state, again.views);
    }
    assert.ok(compared > 7 * accounts, `${compared} records of turns`);
    assert.equal(stateHash(again.state), stateHash(whole.state));
  });
}

test('a portion that was done is not done again, and none comes before its turn', () => {
  let asked = 0;
  week(2, 2, (world) => {
    const { portion, day } = world.state;
    if (portion?.of !== 'RollDay') return;
    const before = stateHash(world.state);
    for (const number of [portion.number - 1, portion.number + 1]) {
      const late =
        number === 0 ? ({ type: 'RollDay', day } as const) : ({ type: 'RollDay', day, portion: number } as const);
      assert.deepEqual(world.submit(late).events, []);
      asked += 1;
    }
    assert.equal(stateHash(world.state), before);
  });
  assert.ok(asked > 0);
});

/** Passes over an account that has something, as a service would that lost a portion. */
function forget({ state }: World): boolean {
  const { portion } = state;
  if (portion === undefined || isIdle(state.accounts.at(portion.from) as Account)) return false;
  state.portion = { ...portion, from: (portion.from + 1) as AccountId };
  return true;
}

test('the comparison fails when a portion is forgotten, and so do the rules that hold after each record', () => {
  let forgotten = 0;
  const run = (): void => {
    const lost = week(1, 1, (world) => {
      if (forgotten === 0 && forget(world)) forgotten += 1;
    });
    assert.deepEqual(endOf(lost), endOf(week(1, undefined, () => {})));
  };
  assert.throws(run);
  assert.equal(forgotten, 1);
});

const SPOILED: readonly (readonly [figure: string, spoil: (state: State) => void])[] = [
  ['an active account is forgotten', (state) => state.active.delete(0 as AccountId)],
  ['a user id is filed twice', (state) => state.accountByUser.add(0 as AccountId)],
  ['the cost of all shares is a paisa off', (state) => (state.heldShares.cost += 1)],
  [
    'an account with intraday rows is not watched',
    (state) => [...state.accounts].forEach(({ id }) => void state.watched.delete(id)),
  ],
];

test('the walk over the rows finds that the kept sums of a portfolio are stale', () => {
  let spoiled = 0;
  week(3, undefined, ({ state }, ports) => {
    const portfolios = [...state.accounts].flatMap((account) => [...account.portfolios.values()]);
    for (const { sums, legs } of portfolios) {
      const [id, rows = []] = [...legs].find(([, [row]]) => row !== undefined && isContract(row) && row.mark > 0) ?? [];
      if (spoiled > 0 || sums === undefined || id === undefined || rows.every((row) => netQuantity(row) === 0))
        continue;
      spoiled += 1;
      checkInvariants(state, ports);
      const leg = sums.leg(id);
      const { quantities } = leg;
      sums.set(leg, { ...quantities, net: quantities.net * 2 });
      assert.throws(() => checkInvariants(state, ports), { name: 'InvariantError' });
      sums.set(leg, quantities);
    }
  });
  assert.equal(spoiled, 1);
});

for (const [figure, spoil] of SPOILED) {
  test(`the walk over all accounts finds that ${figure}`, () => {
    let spoiled = 0;
    week(3, undefined, ({ state }) => {
      const watches = [...state.watched].length > 0;
      if (spoiled > 0 || !watches || ![...state.accounts].some(isWatched)) return;
      spoiled += 1;
      const copy = reloaded(state);
      spoil(copy);
      assert.throws(() => checkInvariants(copy), { name: 'InvariantError' });
    });
    assert.equal(spoiled, 1);
  });
}
