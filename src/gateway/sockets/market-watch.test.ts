import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeInstruments, IDEA, NIFTY, OPTIONS, RELIANCE } from '../../../test/kit/wire/fake-instruments.ts';
import { fakeMarket } from '../../../test/kit/wire/fake-market.ts';
import { ManualClock } from '../../../test/kit/wire/manual-clock.ts';
import { NOW, StepEngine } from '../../../test/kit/wire/world.ts';
import type { InstrumentId } from '../../base/ids.ts';
import { price } from '../../base/money.ts';
import type { EpochMs } from '../../base/time.ts';
import { type DayFigures, type MarketData, NO_TURNOVER } from '../../core/market.ts';
import { Unavailable } from '../../engine/port.ts';
import { MarketWatch, type Sight } from './market-watch.ts';

/** A clock on which every question for the time takes a while, so that slices end. */
class SlowClock extends ManualClock {
  step = 0;
  /** Called when a timer is set. */
  onTimer = (): void => undefined;
  private spent = 0;

  override after(ms: number, work: () => void): () => void {
    this.onTimer();
    return super.after(ms, work);
  }

  override elapsed(): number {
    this.spent += this.step;
    return super.elapsed() + this.spent;
  }
}

/** A market whose prices rise with every second, and a watch over it. */
class Bench {
  now: EpochMs = NOW;
  readonly clock = new SlowClock();
  readonly failures: unknown[] = [];
  readonly engine = new StepEngine(() => this.now);
  looks = 0;
  stands = false;
  /** The sockets that hold frames back: each call lets those of one go. */
  readonly held = {
    heldSince: undefined as number | undefined,
    sockets: 0,
    releases: 0,
    release(): boolean {
      if (this.sockets > 0) this.releases += 1;
      this.sockets = Math.max(0, this.sockets - 1);
      if (this.sockets === 0) this.heldSince = undefined;
      return this.sockets === 0;
    },
  };
  readonly watch: MarketWatch;

  constructor(most = 100) {
    const market: MarketData = {
      ...fakeMarket,
      turnover: () => NO_TURNOVER,
      dayFigures: (id, tick): DayFigures | undefined => {
        this.looks += 1;
        const figures = fakeMarket.dayFigures(id, tick);
        return figures && (this.stands ? figures : { ...figures, last: price(tick % 100_000) });
      },
    };
    const { engine, clock } = this;
    const onFailure = (error: unknown): void => void this.failures.push(error);
    const parts = { engine, market, instruments: fakeInstruments, clock, most, onFailure };
    this.watch = new MarketWatch({ ...parts, heldBack: this.held });
  }

  /** A watcher of instruments that keeps what it is handed. */
  watching(...ids: InstrumentId[]): { readonly seen: Sight[]; readonly watcher: (sight: Sight) => void } {
    const seen: Sight[] = [];
    const watcher = (sight: Sight): void => void seen.push(sight);
    for (const id of ids) assert.ok(this.watch.watch(id, watcher));
    return { seen, watcher };
  }

  async second(): Promise<void> {
    this.now = (this.now + 1_000) as EpochMs;
    await this.clock.pass(1_000);
  }
}

test('however many watch an instrument, it is looked at once a second, and its texts are made once', async () => {
  const bench = new Bench();
  const watchers = Array.from({ length: 50 }, () => bench.watching(IDEA.id));
  await bench.clock.pass(10);
  assert.deepEqual(new Set(watchers.map(({ seen }) => seen.length)), new Set([1]));
  const looks = bench.looks;
  await bench.second();
  assert.equal(bench.looks, looks + 1);
  let made = 0;
  const make = (sight: Sight): number => {
    made += 1;
    return sight.quote.last;
  };
  const values = watchers.map(({ seen }) => seen[1]?.shared(make));
  assert.equal(new Set(values).size, 1);
  assert.equal(made, 1);
});

test('a new watcher has its first look at once, and the others none because of it', async () => {
  const bench = new Bench();
  const first = bench.watching(IDEA.id);
  await bench.clock.pass(10);
  const second = bench.watching(IDEA.id, NIFTY.id);
  await bench.clock.pass(10);
  assert.deepEqual([first.seen.length, second.seen.length], [1, 2]);
  assert.deepEqual({ ...first.seen[0] }, { ...second.seen[0] }, 'it is the same look');
});

test('prices that do not change are handed out every five seconds, and say so', async () => {
  const bench = new Bench();
  bench.stands = true;
  const { seen } = bench.watching(IDEA.id);
  for (let second = 0; second < 11; second += 1) await bench.second();
  assert.deepEqual(
    seen.map(({ isRepeat }) => isRepeat),
    [false, true, true],
  );
});

test('looks come in slices of two milliseconds with pauses between them, each instrument once a round', async () => {
  const bench = new Bench();
  const ids = [IDEA.id, NIFTY.id, RELIANCE.id, ...OPTIONS.map(({ id }) => id)];
  const { seen } = bench.watching(...ids);
  await bench.clock.pass(10);
  assert.equal(seen.length, ids.length);
  bench.clock.step = 0.4;
  bench.now = (bench.now + 1_000) as EpochMs;
  const before = bench.looks;
  await bench.clock.pass(100);
  assert.ok(bench.looks - before < ids.length, 'one slice is not enough');
  await bench.clock.pass(900);
  assert.equal(bench.looks - before, ids.length);
  const again = seen.slice(ids.length).map(({ instrument }) => instrument.id);
  assert.deepEqual(again.sort(), ids.sort());
});

test('the pause after a slice begins when the frames of the slice have left, which they do as its turn ends', async () => {
  const bench = new Bench();
  const { seen } = bench.watching(...OPTIONS.map(({ id }) => id));
  await bench.clock.pass(10);
  const events: string[] = [];
  bench.clock.step = 0.9;
  bench.clock.onTimer = () => events.push('pause');
  bench.watch.watch(IDEA.id, () => {
    events.push('handed');
    process.nextTick(() => events.push('left'));
  });
  for (let second = 0; second < 20; second += 1) await bench.second();
  assert.ok(seen.length > 0);
  const order = events.join(' ');
  assert.match(order, /handed left pause/);
  assert.doesNotMatch(order, /handed pause/);
});

test('frames that sockets hold back are let go in slices when a round is over, and after 100 ms of a longer one', async () => {
  const bench = new Bench();
  const ids = OPTIONS.map(({ id }) => id);
  bench.watching(...ids);
  await bench.clock.pass(10);
  const { held } = bench;
  const hold = (): void => {
    held.heldSince ??= bench.clock.elapsed();
    held.sockets = 3;
  };
  const seen: number[] = [];
  bench.watch.watch(IDEA.id, () => {
    hold();
    seen.push(held.releases);
  });
  for (let slice = 0; slice < 3; slice += 1) await bench.clock.pass(10);
  assert.deepEqual([seen.length, held.sockets], [1, 0]);
  await bench.second();
  assert.deepEqual([seen.length, held.sockets, held.releases], [2, 0, 6]);
  const { release } = held;
  const looksBefore: number[] = [];
  held.release = () => {
    looksBefore.push(bench.looks - looks);
    return release.call(held);
  };
  bench.clock.step = 60;
  hold();
  const looks = bench.looks;
  await bench.second();
  await bench.second();
  assert.equal(held.sockets, 0);
  assert.ok((looksBefore[0] ?? ids.length) < ids.length, 'the round is not over by then');
});

test('a round that takes longer than a second goes to its end before the next one begins', async () => {
  const bench = new Bench();
  const ids = OPTIONS.map(({ id }) => id);
  const { seen } = bench.watching(...ids);
  await bench.clock.pass(10);
  bench.clock.step = 400;
  for (let second = 0; second < 40; second += 1) await bench.second();
  const counts = ids.map((id) => seen.filter(({ instrument }) => instrument.id === id).length);
  assert.ok(Math.max(...counts) - Math.min(...counts) <= 1, counts.join(' '));
  assert.ok(Math.min(...counts) > 1);
});

test('nothing is handed out before it is durable, and in its order', async () => {
  const bench = new Bench();
  const { read } = bench.engine;
  const releases: (() => void)[] = [];
  bench.engine.read = ((query: Parameters<typeof read>[0]) => {
    const value = read.call(bench.engine, query);
    return new Promise((resolve) => releases.push(() => resolve(value)));
  }) as typeof read;
  const { seen } = bench.watching(IDEA.id);
  await bench.clock.pass(10);
  await bench.second();
  assert.deepEqual([seen.length, releases.length], [0, 2]);
  for (const release of releases) release();
  await bench.clock.pass(10);
  assert.deepEqual(
    seen.map(({ tick }) => tick - fakeMarket.tickAt(NOW)),
    [0, 1],
  );
});

test('where too many answers wait for the disk, an instrument is looked at again with the next second', async () => {
  const bench = new Bench();
  const { seen } = bench.watching(IDEA.id);
  await bench.clock.pass(10);
  const { read } = bench.engine;
  bench.engine.read = (() => Promise.reject(new Unavailable('too many'))) as typeof read;
  await bench.second();
  assert.equal(seen.length, 1);
  bench.engine.read = read;
  await bench.second();
  assert.equal(seen.length, 2);
  assert.deepEqual(bench.failures, []);
});

test('a watcher that has left is handed nothing more, and the last one stops the clock', async () => {
  const bench = new Bench();
  const [one, other] = [bench.watching(IDEA.id), bench.watching(IDEA.id)];
  await bench.clock.pass(10);
  bench.watch.unwatch(IDEA.id, one.watcher);
  await bench.second();
  assert.deepEqual([one.seen.length, other.seen.length], [1, 2]);
  bench.watch.unwatch(IDEA.id, other.watcher);
  await bench.clock.pass(10);
  assert.deepEqual([bench.watch.count, bench.clock.waiting], [0, 0]);
});

test('more instruments than there is room for are not watched, nor are those that nobody knows', () => {
  const bench = new Bench(2);
  const watcher = (): void => undefined;
  assert.ok(!bench.watch.watch(999_999 as InstrumentId, watcher));
  assert.ok(bench.watch.watch(IDEA.id, watcher) && bench.watch.watch(NIFTY.id, watcher));
  assert.ok(!bench.watch.watch(RELIANCE.id, watcher));
  assert.ok(
    bench.watch.watch(IDEA.id, () => undefined),
    'one that is watched already',
  );
});
