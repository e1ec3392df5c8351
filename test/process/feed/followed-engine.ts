import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { decodeGroup } from '../../../src/journal/codec.ts';
import { REAL_DISK } from '../../../src/journal/disk/real-disk.ts';
import { readMark } from '../../../src/journal/high-water-mark.ts';
import { StoredJournal } from '../../../src/journal/segments/stored-journal.ts';
import { journalPaths } from '../../../src/journal/upkeep/examine.ts';
import { digestOf } from './digest.ts';
import type { FeedChildSettings, FeedWord, FollowerTerms } from './protocol.ts';

type Taken = Extract<FeedWord, { type: 'took' }>;

/** The records that followers were handed over all lives of an engine, and whether they were right. */
export class FollowedEngine {
  readonly folder: string;
  readonly isDeep: boolean;
  readonly taken = new Map<string, Taken[]>();
  readonly sinceDurable: number[] = [];
  readonly sinceHeard: number[] = [];
  private readonly marks: string;

  constructor(folder: string, isDeep: boolean) {
    this.folder = folder;
    this.isDeep = isDeep;
    this.marks = journalPaths(folder).mark;
  }

  /** The last record that a follower has; `from` when it has none. */
  lastOf(name: string, from: number): number {
    return this.taken.get(name)?.at(-1)?.last ?? from;
  }

  /**
   * One life of the engine: the followers go on from the last records that they have. It is killed after `lifeMs` of
   * load; without `lifeMs` it takes load for `loadMs`, then comes to rest, with every follower at the head, and is
   * killed then.
   */
  async live(
    followers: readonly FollowerTerms[],
    terms: { readonly rate: number; readonly loadMs: number; readonly comesToRest: boolean },
  ): Promise<number> {
    const going = followers.map((one) => ({ ...one, since: this.lastOf(one.name, one.since) }));
    const settings: FeedChildSettings = {
      folder: this.folder,
      rate: terms.rate,
      followers: going,
      isDeep: this.isDeep,
    };
    const child = spawn(process.execPath, [join(import.meta.dirname, 'feed-child.ts'), JSON.stringify(settings)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const words = new Words(child, (word) => this.hear(word));
    try {
      await words.next('ready');
      await new Promise((resolve) => setTimeout(resolve, terms.loadMs));
      if (!terms.comesToRest) return 0;
      child.send('rest');
      return (await words.next('quiet')).head;
    } finally {
      child.kill('SIGKILL');
      await words.ended;
    }
  }

  /**
   * Every follower was handed every record after its first number up to `head` once and in order, as the journal has
   * it.
   */
  check(followers: readonly FollowerTerms[], head: number): void {
    const stored = new StoredJournal(REAL_DISK, journalPaths(this.folder).journal);
    stored.look();
    const batches = new Map<Taken, number>();
    const open = followers.map(({ name }) => ({ batches: this.taken.get(name) ?? [], at: 0, digest: 0 }));
    for (const group of stored.groups(0)) {
      for (const record of decodeGroup(group)) {
        for (const one of open) {
          const batch = one.batches[one.at];
          if (batch === undefined || record.seq < batch.first) continue;
          one.digest = digestOf([record], this.isDeep, one.digest);
          if (record.seq < batch.last) continue;
          batches.set(batch, one.digest);
          one.at += 1;
          one.digest = 0;
        }
      }
    }
    for (const { name, since } of followers) {
      let last = since;
      for (const batch of this.taken.get(name) ?? []) {
        assert.equal(batch.first, last + 1, `${name}: each record once, in order`);
        assert.equal(batch.digest, batches.get(batch), `${name}: records ${batch.first} to ${batch.last} as they are`);
        last = batch.last;
      }
      assert.equal(last, head, `${name} has everything`);
    }
  }

  private hear(word: FeedWord): void {
    if (word.type === 'refused') throw new Error(`${word.name} was refused: ${word.why}`);
    if (word.type === 'latencies') {
      this.sinceDurable.push(...word.sinceDurable);
      this.sinceHeard.push(...word.sinceHeard);
    }
    if (word.type !== 'took') return;
    const known = this.taken.get(word.name) ?? [];
    known.push(word);
    this.taken.set(word.name, known);
    // The mark is written when a group is durable, before anybody hears of it.
    if (known.length % 50 !== 1) return;
    const marked = readMark(REAL_DISK, this.marks)?.head?.seq ?? 0;
    assert.ok(word.last <= marked, `record ${word.last} was handed over, durable is ${marked}`);
  }
}

/** The messages of a child, one word after the other. */
class Words {
  readonly ended: Promise<unknown>;
  private readonly waiting = new Map<string, (word: FeedWord) => void>();
  private readonly failure = Promise.withResolvers<never>();

  constructor(child: ChildProcess, hear: (word: FeedWord) => void) {
    this.ended = once(child, 'close');
    this.failure.promise.catch(() => undefined);
    child.on('message', (word: FeedWord) => {
      try {
        hear(word);
        this.waiting.get(word.type)?.(word);
      } catch (error) {
        this.failure.reject(error);
      }
    });
    child.once('exit', (code) => this.failure.reject(new Error(`the engine ended with ${code}`)));
  }

  /** The next word of a type. */
  next<T extends FeedWord['type']>(type: T): Promise<Extract<FeedWord, { type: T }>> {
    const said = new Promise<Extract<FeedWord, { type: T }>>((resolve) => {
      this.waiting.set(type, (word) => resolve(word as Extract<FeedWord, { type: T }>));
    });
    return Promise.race([said, this.failure.promise]);
  }
}
