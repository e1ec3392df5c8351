import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeInstruments } from '../../../test/kit/wire/fake-instruments.ts';
import { DAY_MS, type EpochMs } from '../../base/time.ts';
import { Turns } from '../turns.ts';
import { ContractLists } from './contract-lists.ts';

const NOW = 1_790_000_000_000 as EpochMs;
const TOMORROW = (NOW + DAY_MS) as EpochMs;

/** Lists that are this number of pieces of work, and a loop whose turns the test begins. */
function listsOf(pieces: number, fault?: Error) {
  const done = { works: 0, pieces: 0 };
  const listed = new Set<EpochMs>();
  function* work(at: EpochMs): Generator<undefined, void> {
    done.works += 1;
    for (let piece = 0; piece < pieces; piece += 1) {
      done.pieces += 1;
      yield;
    }
    if (fault !== undefined) throw fault;
    listed.add(at);
  }
  const waiting: (() => void)[] = [];
  let elapsed = 0;
  // Each piece takes as long as a client's share of a turn.
  const turns = new Turns({ elapsed: () => elapsed++, afterTurn: (next) => void waiting.push(next) });
  const instruments = { ...fakeInstruments, listing: (at: EpochMs) => (listed.has(at) ? undefined : work(at)) };
  const lists = new ContractLists(instruments, turns);
  const turn = async (): Promise<void> => {
    for (const next of waiting.splice(0)) next();
    await new Promise(setImmediate);
  };
  return { lists, done, turn };
}

test('all who ask for the contracts of a date wait for one work, which takes many turns of the loop', async () => {
  const { lists, done, turn } = listsOf(30);
  const [first, second] = [lists.ready(NOW), lists.ready(NOW)];
  assert.equal(first, second);
  let isDone = false;
  void first?.then(() => {
    isDone = true;
  });
  let turns = 0;
  for (; !isDone; turns += 1) await turn();
  assert.deepEqual(done, { works: 1, pieces: 30 });
  assert.ok(turns > 5, `${turns} turns`);
  assert.equal(lists.ready(NOW), undefined, 'they are there');
});

test('another date is another work', async () => {
  const { lists, done, turn } = listsOf(2);
  const [today, tomorrow] = [lists.ready(NOW), lists.ready(TOMORROW)];
  for (let turns = 0; turns < 20; turns += 1) await turn();
  await Promise.all([today, tomorrow]);
  assert.equal(done.works, 2);
  assert.deepEqual([lists.ready(NOW), lists.ready(TOMORROW)], [undefined, undefined]);
});

test('a market that fails gives its error to all who wait, and the next one begins again', async () => {
  const { lists, done, turn } = listsOf(1, new Error('no close'));
  const both = [lists.ready(NOW), lists.ready(NOW)].map((ready) => assert.rejects(ready as Promise<void>, /no close/));
  for (let turns = 0; turns < 10; turns += 1) await turn();
  await Promise.all(both);
  const again = lists.ready(NOW);
  assert.ok(again !== undefined);
  const refused = assert.rejects(again, /no close/);
  for (let turns = 0; turns < 10; turns += 1) await turn();
  await refused;
  assert.equal(done.works, 2);
});
