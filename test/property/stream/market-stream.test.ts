/** The market's frames for readers that are slower than the market. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Instrument } from '../../../src/core/instrument.ts';
import type { Sight, Watcher } from '../../../src/gateway/sockets/market-watch.ts';
import { SocketFigures } from '../../../src/gateway/sockets/socket-figures.ts';
import { textFrame } from '../../../src/gateway/sockets/text-frame.ts';
import { MarketStream } from '../../../src/gateway/stream/market-stream.ts';
import { FakeSocket } from './fake-socket.ts';

const FEED = 'ticks';
const INSTRUMENTS = Array.from({ length: 500 }, (_, id) => ({ id })) as unknown as Instrument[];
const PADDING = 'x'.repeat(1_000);

/** A market whose looks come when the test says so. */
class Market {
  readonly watchers = new Map<number, Watcher>();
  readonly figures = new SocketFigures();
  readonly socket = new FakeSocket();
  readonly stream = new MarketStream(
    {
      watch: (id, watcher) => this.watchers.set(id, watcher) !== undefined,
      unwatch: (id) => this.watchers.delete(id),
    },
    this.figures,
    this.socket,
  );

  /** A second in which every instrument changed. */
  pass(second: number): void {
    for (const [id, watcher] of this.watchers) {
      const sight = {
        tick: second,
        instrument: { id },
        widened: undefined,
        isRepeat: false,
        shared: (make: (sight: Sight) => unknown) => make(sight as never),
      };
      watcher(sight as never);
    }
  }

  followAll(): void {
    for (const instrument of INSTRUMENTS) this.stream.follow(FEED, instrument, frameOf);
  }

  /** The seconds that the frames of each instrument were of, as the client reads them. */
  read(): Map<number, number[]> {
    const seen = new Map<number, number[]>();
    for (let texts = this.socket.read(99_999); texts.length > 0; texts = this.socket.read(99_999)) {
      this.stream.drained();
      for (const text of texts) {
        const [, id = '', second = ''] = /(\d+) (\d+) x+$/.exec(text) ?? [];
        seen.set(Number(id), [...(seen.get(Number(id)) ?? []), Number(second)]);
      }
    }
    return seen;
  }
}

function frameOf({ instrument, tick }: Sight) {
  return { newest: textFrame(`${instrument.id} ${tick} ${PADDING}`) };
}

test('a reader that takes a while gets the newest frame of each instrument, and little waits for it', () => {
  const market = new Market();
  market.followAll();
  for (let second = 1; second <= 100; second += 1) {
    market.pass(second);
    assert.ok(market.socket.waiting < 160 * 1024, `${market.socket.waiting} bytes wait`);
  }
  const seen = market.read();
  assert.equal(seen.size, INSTRUMENTS.length, 'no instrument is left out');
  for (const [id, seconds] of seen) {
    assert.equal(seconds.at(-1), 100, `the newest of ${id}`);
    assert.ok(seconds.length <= 2 && seconds.every((second) => second === 1 || second === 100), `${id}: ${seconds}`);
  }
  assert.ok(market.figures.conflated > 30_000);
  market.pass(101);
  assert.deepEqual(
    [...market.read().values()].flat(),
    INSTRUMENTS.map(() => 101),
  );
});

test('an instrument that is left sends nothing of what waited', () => {
  const market = new Market();
  market.followAll();
  market.pass(1);
  market.pass(2);
  market.socket.read(99_999);
  for (const { id } of INSTRUMENTS) market.stream.leave(FEED, [id]);
  market.stream.drained();
  assert.equal(market.socket.waiting, 0);
  assert.deepEqual([market.stream.size, market.watchers.size, market.figures.subscriptions], [0, 0, 0]);
});

test('frames that come late from the disk are not sent after newer ones', async () => {
  const market = new Market();
  const [instrument] = INSTRUMENTS;
  assert.ok(instrument);
  const releases: (() => void)[] = [];
  market.stream.follow(FEED, instrument, (sight) => {
    return new Promise((resolve) => {
      releases.push(() => resolve(frameOf(sight)));
    });
  });
  market.pass(1);
  market.pass(2);
  releases[1]?.();
  releases[0]?.();
  await new Promise(setImmediate);
  assert.deepEqual([...market.read().values()], [[2]]);
});
