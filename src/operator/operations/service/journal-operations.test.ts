import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleGroup } from '../../../../test/kit/journal/sample.ts';
import { FIRST_DAY } from '../../../../test/kit/money/listed.ts';
import { World } from '../../../../test/kit/money/world.ts';
import { withOperatorPort } from '../../../../test/kit/operator-port.ts';
import { testPorts } from '../../../../test/kit/ports.ts';
import { worldEngine } from '../../../../test/kit/world-engine.ts';
import { DurableFeed } from '../../../engine/feed/durable-feed.ts';
import { GENESIS } from '../../../journal/chain.ts';
import type { Head } from '../../../journal/journal.ts';
import { MemoryJournal } from '../../../journal/memory-journal.ts';
import { JournalOperations, type RecordRow } from './journal-operations.ts';

const GROUPS = 30;
const IN_GROUP = 10;

/** A reading of a journal of 300 records after `start`. */
async function readingOf(start: Head = GENESIS): Promise<JournalOperations> {
  const journal = new MemoryJournal(start);
  for (let i = 0; i < GROUPS; i += 1) await journal.append(sampleGroup(start.seq + 1 + i * IN_GROUP, IN_GROUP));
  const feed = new DurableFeed({
    journal,
    failStop: (error) => assert.fail(String(error)),
    elapsed: () => performance.now(),
    defer: setImmediate,
  });
  const world = new World(testPorts(), FIRST_DAY);
  return new JournalOperations({ engine: worldEngine(world), feed: () => feed, lastSeq: () => journal.head().seq });
}

const seqs = (rows: readonly RecordRow[]): readonly number[] => rows.map(({ seq }) => seq);

test('the last records are read, the newest first, and pages join without a gap', async () => {
  const journal = await readingOf();
  assert.deepEqual(seqs(await journal.records(3)), [300, 299, 298]);
  const read: number[] = [];
  for (let before: number | undefined; before !== 1; before = read.at(-1)) {
    read.push(...seqs(await journal.records(70, before)));
  }
  assert.deepEqual(
    read,
    Array.from({ length: 300 }, (_, i) => 300 - i),
  );
  assert.deepEqual(await journal.records(5, 1), []);
  assert.deepEqual(seqs(await journal.records(2, 9_999)), [300, 299]);
});

test('a journal that begins later is read from its begin', async () => {
  const journal = await readingOf({ seq: 1_000, hash: 'ab'.repeat(32) });
  assert.deepEqual(seqs(await journal.records(5, 1_003)), [1_002, 1_001]);
  assert.deepEqual(await journal.records(5, 900), []);
});

test('twenty readers at once are all answered', async () => {
  const journal = await readingOf();
  const pages = await Promise.all(Array.from({ length: 20 }, (_, i) => journal.records(10, 20 + i * 10)));
  assert.deepEqual(
    pages.map((rows) => rows[0]?.seq),
    Array.from({ length: 20 }, (_, i) => 19 + i * 10),
  );
});

test('the port answers rows with names and kinds, and none of the contents of a record', async () => {
  const journal = await readingOf();
  await withOperatorPort(
    () => ({ journal }),
    {},
    async ({ get, address }) => {
      const rows = (await (await get('/journal?limit=2&before=11')).json()) as readonly RecordRow[];
      assert.deepEqual(seqs(rows), [10, 9]);
      const fields = new Set(['seq', 'at', 'command', 'user', 'order', 'by', 'why', 'events']);
      for (const row of rows)
        assert.deepEqual(
          Object.keys(row).filter((name) => !fields.has(name)),
          [],
        );
      for (const wrong of ['limit=0', 'limit=201', 'before=0', 'before=x', 'after=1']) {
        assert.equal((await get(`/journal?${wrong}`)).status, 400, wrong);
      }
      assert.equal((await fetch(`${address}/journal`)).status, 401);
    },
  );
});
