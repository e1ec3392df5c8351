import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FaultyDisk } from '../../../sim/faulty-disk.ts';
import { type VerifyOptions, verifyJournal } from '../../../src/journal/upkeep/verify.ts';
import { commit, commitMany, FOLDER, lastSegment, meanwhile, open, PATHS, put } from '../../kit/journal/image.ts';

/**
 * Verifies a journal of 60 records to which groups are added at the given call; true when verification makes as many
 * calls. `isMarked`: the mark is written by then, too.
 */
function addedAt(call: number, options: VerifyOptions, isMarked: boolean): boolean {
  const disk = new FaultyDisk();
  const committer = open(disk);
  commitMany(committer, 1, 60, 8);
  const isReached = meanwhile(disk, call, () => {
    const mark = disk.bytesOf(PATHS.mark);
    commit(committer, 61, 40);
    if (!isMarked) put(disk, PATHS.mark, mark);
  });
  const { damage, records } = verifyJournal(FOLDER, { ...options, disk });
  assert.equal(damage, undefined, `call ${call}`);
  assert.ok([60, 100].includes(records), `call ${call}: ${records}`);
  return isReached();
}

describe('a verification beside a service', () => {
  for (const [name, options, isMarked] of [
    ['with the mark', {}, true],
    ['with a mark that stands behind', {}, false],
    ['without the mark', { mark: 'none' }, true],
  ] as const) {
    it(`finds no damage ${name}, whenever groups are added`, (t) => {
      let calls = 0;
      while (addedAt(calls, options, isMarked)) calls += 1;
      assert.ok(calls > 10);
      t.diagnostic(`${calls} calls`);
    });
  }

  it('reports damage that stays, without the mark too', () => {
    const disk = new FaultyDisk();
    commitMany(open(disk), 1, 60, 8);
    disk.flip(lastSegment(disk), 900, 3);
    assert.notEqual(verifyJournal(FOLDER, { disk, mark: 'none' }).damage, undefined);
  });
});
