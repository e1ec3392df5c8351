import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../src/base/random.ts';
import type { EpochMs } from '../../src/base/time.ts';
import type { Subscriber, Subscription } from '../../src/engine/durable-feed.ts';
import type { DurableRecord } from '../../src/engine/durable-record.ts';
import { Unavailable } from '../../src/engine/port.ts';
import { startEngine } from '../../src/engine/start-engine.ts';
import { GUARDS } from '../guard-table.ts';
import { SMALL_INSTRUMENTS, SmallMarket } from '../journal/small-market.ts';
import { clientCommand, type Memory, opening } from '../journal/trading.ts';
import { MARGINS } from '../margin-table.ts';
import { unasked } from '../unasked.ts';
import { watchCommits } from './commit-times.ts';
import { digestOf } from './digest.ts';
import type { FeedChildSettings, FeedWord, FollowerTerms } from './protocol.ts';

/** An engine under load whose records are followed, until it is killed or asked to be quiet. What each follower takes goes to the parent. */
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

/** Milliseconds from each commit to the moment in which a quick follower was handed its group. */
const sinceDurable: number[] = [];
const sinceAppended: number[] = [];
const durableAt = isDeep ? new Float64Array() : watchCommits(MOST_COMMITS);

/** One that follows. A quick one is handed each group as it becomes durable: the n-th time it is the n-th group. */
class Follower implements Subscriber {
  subscription: Subscription | undefined;
  private readonly terms: FollowerTerms;
  private groups = 0;

  constructor(terms: FollowerTerms) {
    this.terms = terms;
  }

  take(records: readonly DurableRecord[]): void | Promise<void> {
    const now = performance.timeOrigin + performance.now();
    const { name, pauseMs, joinsAfterMs } = this.terms;
    const [first, last] = [records[0]?.seq ?? 0, records.at(-1)?.seq ?? 0];
    if (pauseMs === 0 && joinsAfterMs === 0 && !isDeep) this.measure(now, records[0]?.context?.utc);
    const word = { type: 'took', name, first, last, digest: digestOf(records, isDeep) } as const;
    if (pauseMs > 0) return say(word).then(() => sleep(pauseMs));
    void say(word);
    return undefined;
  }

  lost(error: Error): void {
    failStop(error);
  }

  private measure(now: number, decidedAt: number | undefined): void {
    // What it had missed comes from the journal, before the first group.
    if (decidedAt === undefined) return;
    this.groups += 1;
    const durable = durableAt[this.groups] ?? 0;
    if (durable > 0) sinceDurable.push(now - durable);
    sinceAppended.push(now - decidedAt);
  }
}

const { engine, recovered } = await startEngine(
  { folder, snapshotRecords: 100_000_000, snapshotMinutes: 600 },
  {
    ports: { instruments: SMALL_INSTRUMENTS, margins: MARGINS, guards: GUARDS, market: new SmallMarket() },
    clock: () => Date.now() as EpochMs,
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

process.on('message', () => {
  clearInterval(load);
  const look = setInterval(() => {
    const { lastSeq, durableSeq } = engine.status();
    if (lastSeq > durableSeq || following.length < followers.length) return;
    if (following.some(({ subscription }) => subscription !== undefined && subscription.seq < durableSeq)) return;
    clearInterval(look);
    void say({ type: 'latencies', sinceDurable, sinceAppended }).then(() => say({ type: 'quiet', head: durableSeq }));
  }, 20);
});
