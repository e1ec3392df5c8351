import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../../test/kit/wire/manual-clock.ts';
import type { AccountId, InstrumentId, OrderNumber } from '../../base/ids.ts';
import type { EpochMs } from '../../base/time.ts';
import type { Position } from '../../core/account.ts';
import { Unavailable } from '../../engine/port.ts';
import type { DialectParts } from '../sockets/dialect-parts.ts';
import { SocketFigures } from '../sockets/socket-figures.ts';
import type { AccountChange, AccountEvent } from '../stream/account-change.ts';
import { AccountFrames } from './account-frames.ts';
import { rowsInShares } from './position-frame.ts';

const ALICE = 0 as AccountId;

/** Frames of an account whose orders nobody knows any more: each is asked for and gives no text. */
class Bench {
  readonly clock = new ManualClock();
  readonly figures = new SocketFigures();
  readonly failures: unknown[] = [];
  /** The orders of each read. */
  readonly reads: OrderNumber[][] = [];
  /** How many of the next reads are refused. */
  refusals = 0;
  private listener: (change: AccountChange) => void = () => undefined;
  readonly leave: () => void;

  constructor() {
    const parts = {
      clock: this.clock,
      figures: this.figures,
      accountEvents: {
        watch: (_account: AccountId, listener: (change: AccountChange) => void) => {
          this.listener = listener;
          return () => undefined;
        },
      },
      engine: { read: (query: (state: unknown, views: unknown) => unknown) => this.read(query), glance: () => ALICE },
      onFailure: (error: unknown) => this.failures.push(error),
    };
    this.leave = new AccountFrames(parts as unknown as DialectParts).join(ALICE, 'AB1234', () => undefined);
  }

  private read(query: (state: unknown, views: unknown) => unknown): unknown {
    if (this.refusals > 0) {
      this.refusals -= 1;
      return Promise.reject(new Unavailable('too many answers wait'));
    }
    const asked: OrderNumber[] = [];
    this.reads.push(asked);
    const history = { accountOf: (order: OrderNumber) => void asked.push(order) };
    return query({ accounts: [{ positions: new Map() }], orders: new Map() }, { history });
  }

  /** A record that changes some orders. */
  change(...orders: number[]): void {
    const events = orders.map((order): AccountEvent => ({ type: 'order', order: order as OrderNumber, steps: [] }));
    this.listener({ account: ALICE, seq: 1, at: 0 as EpochMs, events });
  }

  async turn(): Promise<void> {
    await new Promise(setImmediate);
  }
}

test('frames of at most a hundred events are made in a turn, however many a record has', async () => {
  const bench = new Bench();
  const orders = Array.from({ length: 1_050 }, (_, order) => order);
  bench.change(...orders);
  bench.change(9_999);
  for (let turn = 0; turn < 30 && bench.reads.flat().length < 1_051; turn += 1) {
    const before = bench.reads.length;
    await bench.turn();
    assert.ok(bench.reads.length <= before + 1, 'one read a turn');
  }
  assert.deepEqual(bench.reads.flat(), [...orders, 9_999]);
  assert.ok(bench.reads.every((read) => read.length <= 100));
  const counted = bench.figures.delays.counts.reduce((sum, count) => sum + count);
  assert.equal(counted, 2, 'the delay is counted once a change');
});

test('events that could not be read are read again in their order, however many they are', async () => {
  const bench = new Bench();
  bench.refusals = 2;
  const count = 300_000;
  for (let order = 0; order < count; order += 1) bench.change(order);
  await bench.turn();
  await bench.clock.pass(200);
  for (let turn = 0; turn < count / 50 && bench.reads.flat().length < 500; turn += 1) await bench.turn();
  assert.deepEqual(
    bench.reads.flat().slice(0, 500),
    Array.from({ length: 500 }, (_, order) => order),
  );
  assert.deepEqual(bench.failures, []);
});

test('nothing is made any more for a user whose last socket has gone', async () => {
  const bench = new Bench();
  bench.change(...Array.from({ length: 1_000 }, (_, order) => order));
  await bench.turn();
  bench.leave();
  const before = bench.reads.length;
  for (let turn = 0; turn < 5; turn += 1) await bench.turn();
  assert.equal(bench.reads.length, before);
});

test('positions are gone through once for the shares among some events, and not at all for contracts', () => {
  const rows = ['INE1', '', 'INE2', 'INE1', ''].map((isin, n) => ({ isin, instrument: n, product: 'C' }) as Position);
  let walks = 0;
  class Counted extends Map<number, Position> {
    override values() {
      walks += 1;
      return super.values();
    }
  }
  const positions = new Counted(rows.map((row, key) => [key, row]));
  const found = (...keys: number[]) => {
    const isins = keys.map((key) => positions.get(key)?.isin ?? '');
    return [...rowsInShares(positions, isins)].map(([isin, list]) => [isin, list.map(({ instrument }) => instrument)]);
  };
  assert.deepEqual(found(1, 4), []);
  assert.equal(walks, 0);
  assert.deepEqual(found(0, 1, 3), [['INE1', [0, 3] as unknown as InstrumentId[]]]);
  assert.equal(walks, 1);
});
