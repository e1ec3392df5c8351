import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeMarket } from '../../../test/kit/wire/fake-market.ts';
import { ManualClock } from '../../../test/kit/wire/manual-clock.ts';
import { NOW, StepEngine } from '../../../test/kit/wire/world.ts';
import { FakeSocket } from '../../../test/property/stream/fake-socket.ts';
import type { EpochMs } from '../../base/time.ts';
import { ClockEvents } from './clock-and-status.ts';

/** A clock whose later turns come when the test lets them. */
class SteppedClock extends ManualClock {
  private later: (() => void)[] = [];
  private skipped = 0;

  override elapsed(): number {
    return super.elapsed() + this.skipped;
  }

  /** Lets time pass without its timers. */
  skip(ms: number): void {
    this.skipped += ms;
  }

  override laterTurn(work: () => void): void {
    this.later.push(work);
  }

  /** False when nothing waited for the turn. */
  turn(): boolean {
    const works = this.later.splice(0);
    for (const work of works) work();
    return works.length > 0;
  }
}

/** Followers of the clock that have read their first event, and a market whose time a test moves. */
class Bench {
  now: EpochMs = NOW;
  readonly clock = new SteppedClock();
  readonly sockets: readonly FakeSocket[];
  readonly events: ClockEvents;

  constructor(count: number) {
    const engine = new StepEngine(() => this.now);
    this.events = new ClockEvents({ engine, market: fakeMarket, clock: this.clock });
    this.sockets = Array.from({ length: count }, () => new FakeSocket());
    for (const socket of this.sockets) {
      this.events.add(socket);
      assert.equal(socket.read(9).length, 1);
    }
  }

  /** Sends a time this number of seconds later, which is due. */
  send(seconds: number): void {
    this.now = (NOW + 1_000 * seconds) as EpochMs;
    this.clock.skip(5_000);
    this.events.look();
  }

  /** The texts that sockets were sent since they were read last, by socket. */
  read(): string[][] {
    return this.sockets.map((socket) => socket.read(9).map((text) => /:00:0\d/.exec(text)?.[0] ?? text));
  }
}

test('the time goes to 200 sockets a turn, and to each of them once', () => {
  const bench = new Bench(450);
  bench.send(5);
  const counts: number[] = [];
  do counts.push(bench.read().filter(({ length }) => length === 1).length);
  while (bench.clock.turn());
  assert.deepEqual(counts, [200, 200, 50]);
});

test('a newer time takes the place of one that is still on its way, and never comes before an older one', () => {
  const bench = new Bench(300);
  const late = bench.sockets[299] as FakeSocket;
  const gone = bench.sockets[298] as FakeSocket;
  const [again] = bench.sockets.slice(250) as [FakeSocket];
  bench.send(5);
  bench.events.delete(gone);
  bench.send(6);
  bench.now = (bench.now + 1_000) as EpochMs;
  bench.events.add(again);
  while (bench.clock.turn());
  const all = bench.read();
  const times = (socket: FakeSocket): string[] | undefined => all[bench.sockets.indexOf(socket)];
  assert.deepEqual(all[0], [':00:05', ':00:06']);
  assert.deepEqual(times(late), [':00:06']);
  assert.deepEqual(times(gone), []);
  assert.deepEqual(times(again), [':00:07']);
});
