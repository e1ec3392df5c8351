import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HashBlocks } from '../../src/cluster/history/hash-blocks.ts';
import { lastSeq } from '../../src/journal/chain.ts';
import { MemoryJournal } from '../../src/journal/memory-journal.ts';
import { fill } from '../kit/journal/sample.ts';

const GROUPS = 10_500;

test('the hashes of a journal are read in a few runs, whichever of two readers asks', async () => {
  const journal = new MemoryJournal();
  await fill(journal, GROUPS, 1);
  await fill(journal, GROUPS + 50);
  const hashes = new Map([...journal.groups(0)].map((group) => [lastSeq(group), group.hash]));
  let runs = 0;
  const blocks = new HashBlocks({
    groups: (after) => {
      runs += 1;
      return journal.groups(after);
    },
  });
  const end = journal.head().seq;
  for (let seq = 1; seq <= end; seq += 1) assert.equal(blocks.at(seq), hashes.get(seq), `up to ${seq}`);
  for (let seq = 1; seq <= end; seq += 1) {
    assert.equal(blocks.at(seq), hashes.get(seq), `again, up to ${seq}`);
    assert.equal(blocks.at(end), hashes.get(end));
  }
  assert.equal(blocks.at(end + 1), undefined);
  assert.ok(runs <= 6, `${runs} runs`);
});
