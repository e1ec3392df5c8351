import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../../src/base/random.ts';
import type { WallMs } from '../../../src/base/time.ts';
import type { Subscriber, Subscription } from '../../../src/engine/feed/durable-feed.ts';
import type { DurableRecord } from '../../../src/engine/feed/durable-record.ts';
import { Unavailable } from '../../../src/engine/port.ts';
import { startEngine } from '../../../src/engine/start-engine.ts';
import { SMALL_INSTRUMENTS, SmallMarket } from '../../kit/journal/small-market.ts';
import { clientCommand, type Memory, opening } from '../../kit/journal/trading.ts';
import { testPorts } from '../../kit/ports.ts';
import { unasked } from '../../kit/unasked.ts';
import { watchCommits } from './commit-times.ts';
import { digestOf } from './digest.ts';
import type { FeedChildSettings, FeedWord, FollowerTerms } from './protocol.ts';

/**
 * An engine under load whose records are followed, until it is killed or asked to be quiet. It sends the parent a
 * message of each batch that a follower takes.
 */
const { folder, rate, followers, isDeep } = JSON.parse(process.argv[2] ?? '') as FeedChildSettings;
const MOST_COMMITS = 1_000_000;
const BURST_MS = 5;
const started = performance.now();

const failStop = (error: unknown): never => {
  console.error(error);
  process.exit(1);
};
process.on('uncaughtException', failStop);
process.once('disconnect', () => process.exit(1));

const say = (word: FeedWord): Promise<void> => {
  return new Promise((resolve) => process.send?.(word, () => resolve()));
};

/**
 * Milliseconds to the moment in which a quick follower was handed its group: from its commit, and from when this thread
 * heard of that.
 */
const sinceDurable: number[] = [];
const sinceHeard: number[] = [];
const commits = isDeep ? undefined : watchCommits(MOST_COMMITS);

/** One that follows. A quick one that has caught up is handed each group as it becomes durable. */
class Follower implements Subscriber {
  subscription: Subscription | undefined;
  private readonly terms: FollowerTerms;

  constructor(terms: FollowerTerms) {
    this.terms = terms;
  }

  take(records: readonly DurableRecord[]): void | Promise<void> {
    const now = performance.timeOrigin + performance.now();
    const { name, pauseMs, joinsAfterMs } = this.terms;
    const [first, last] = [records[0]?.seq ?? 0, records.at(-1)?.seq ?? 0];
    // Records from the journal are not handed over when they become durable.
    if (pauseMs === 0 && joinsAfterMs === 0 && records[0]?.context !== undefined) measure(now);
    const report = (): Promise<void> => say({ type: 'took', name, first, last, digest: digestOf(records, isDeep) });
    if (pauseMs > 0) return report().then(() => sleep(pauseMs));
    setImmediate(report);
    return undefined;
  }

  lost(error: Error): void {
    failStop(error);
  }
}

function measure(now: number): void {
  const durable = commits?.done[engine.status().groups] ?? 0;
  if (commits === undefined || durable === 0) return;
  sinceDurable.push(now - durable);
  sinceHeard.push(now - commits.heard);
}

/** The clock goes on from where the journal's stood, so that no days have to be made up for. */
let shift = 0;
const { engine, recovered } = await startEngine(
  { folder, snapshotRecords: 100_000_000, snapshotMinutes: 600 },
  {
    ports: testPorts({ instruments: SMALL_INSTRUMENTS, market: new SmallMarket() }),
    wall: () => (Date.now() + shift) as WallMs,
    onRecovered: ({ at, seq }) => {
      if (seq > 0) shift = at - Date.now();
    },
    failStop,
    log: () => undefined,
  },
);
const { seq: head } = recovered.head;
const following: Follower[] = [];
for (const terms of followers) {
  const join = (): void => {
    const follower = new Follower(terms);
    following.push(follower);
    const answer = engine.feed.subscribe(terms.since, follower);
    if (answer.ok) follower.subscription = answer.subscription;
    else void say({ type: 'refused', name: terms.name, why: answer.why });
  };
  if (terms.joinsAfterMs === 0) join();
  else setTimeout(join, Math.max(0, terms.joinsAfterMs - (performance.now() - started)));
}
void say({ type: 'ready', head });

if (head === 0) for (const command of opening()) await engine.submit(unasked(command));
const random = new Random(head + 1);
const memory: Memory = { orders: [], sessions: [] };
let count = 0;
let owed = 0;
const load = setInterval(() => {
  for (owed += (rate * BURST_MS) / 1_000; owed >= 1; owed -= 1) {
    count += 1;
    engine.submit(unasked(clientCommand(random, memory, `order ${count}`))).catch((error: unknown) => {
      if (!(error instanceof Unavailable)) failStop(error);
    });
  }
}, BURST_MS);

/** A drained engine makes no records of its own either, so that the head at rest is the last of this life. */
process.on('message', async () => {
  clearInterval(load);
  await engine.drain();
  const look = setInterval(() => {
    const { lastSeq, durableSeq } = engine.status();
    if (lastSeq > durableSeq || following.length < followers.length) return;
    if (following.some(({ subscription }) => subscription !== undefined && subscription.seq < durableSeq)) return;
    clearInterval(look);
    void say({ type: 'latencies', sinceDurable, sinceHeard }).then(() => say({ type: 'quiet', head: durableSeq }));
  }, 20);
});
