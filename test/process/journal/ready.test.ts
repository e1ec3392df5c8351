import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FaultyDisk, MachineDied } from '../../../sim/faulty-disk.ts';
import { Random } from '../../../src/base/random.ts';
import { chainFault, GENESIS, lastSeq } from '../../../src/journal/chain.ts';
import { Committer } from '../../../src/journal/committer.ts';
import { makeReady } from '../../../src/journal/file-journal.ts';
import { examine } from '../../../src/journal/upkeep/examine.ts';
import { commit, commitMany, diskOf, filesOf, open, PATHS, SMALL } from '../../kit/journal/image.ts';

const seed = 20261121;
const ENDS = ['kill', 'power'] as const;

/**
 * The folder of a process that was killed at work: everything up to `told` was acknowledged, the last group was not.
 */
function left(): { readonly files: ReadonlyMap<string, Uint8Array>; readonly told: number; readonly last: number } {
  const disk = new FaultyDisk();
  const committer = open(disk);
  commitMany(committer, 1, 600);
  const told = commit(committer, 601, 20).seq;
  const mark = disk.bytesOf(PATHS.mark);
  const last = commit(committer, told + 1, 15).seq;
  return { files: new Map(filesOf(disk)).set(PATHS.mark, mark), told, last };
}

/** The chain from the first group on is whole; its last record. */
function wholeUpTo(disk: FaultyDisk): number {
  const { stored, end } = examine(disk, PATHS);
  let head = GENESIS;
  for (const group of stored.groups(0)) {
    assert.equal(chainFault(head, group), undefined);
    head = { seq: lastSeq(group), hash: group.hash };
  }
  assert.deepEqual(head, end.head);
  return head.seq;
}

/** Begins to write, as a service that starts, with the machine dying at a call. True when it came through. */
function startDying(disk: FaultyDisk, atCall: number): boolean {
  disk.dieAfter = disk.calls + atCall;
  try {
    new Committer(disk, PATHS, makeReady(disk, PATHS).start, SMALL);
    return true;
  } catch (error) {
    assert.ok(error instanceof MachineDied, String(error));
    return false;
  }
}

describe('a start that dies', () => {
  for (const how of ENDS) {
    it(`at any call of making a journal ready is as if it had not been (${how})`, (t) => {
      const random = new Random(seed);
      const { files, last } = left();
      let call = 0;
      for (let done = false; !done; call += 1) {
        const disk = diskOf(files);
        done = startDying(disk, call);
        disk.end(how, random);
        assert.equal(makeReady(disk, PATHS).start.head.seq, last, `seed ${seed}, call ${call}`);
        assert.equal(wholeUpTo(disk), last, `seed ${seed}, call ${call}`);
      }
      assert.ok(call > 20);
      t.diagnostic(`${call} calls`);
    });

    it(`at any call of making a new one leaves nothing that stops the next (${how})`, (t) => {
      const random = new Random(seed);
      let call = 0;
      for (let done = false; !done; call += 1) {
        const disk = new FaultyDisk();
        done = startDying(disk, call);
        disk.end(how, random);
        const committer = open(disk);
        assert.equal(commit(committer, 1, 2).seq, 2, `seed ${seed}, call ${call}`);
      }
      t.diagnostic(`${call} calls`);
    });
  }

  it('again and again, wherever it dies, comes to the same history', () => {
    const random = new Random(seed);
    for (let round = 0; round < 60; round += 1) {
      const { files, told, last } = left();
      const disk = diskOf(files);
      for (let crash = 0; crash < 5; crash += 1) {
        startDying(disk, random.below(60));
        disk.end(random.pick(ENDS), random);
      }
      const { seq } = makeReady(disk, PATHS).start.head;
      assert.ok(seq === last || seq === told, `seed ${seed}, round ${round}: ${seq}`);
      assert.equal(wholeUpTo(disk), seq);
    }
  });
});

describe('a machine that dies at work', () => {
  it('at any call keeps acknowledged groups, and of the rest whole groups or nothing', (t) => {
    const random = new Random(seed);
    let trials = 0;
    for (const how of ENDS) {
      for (let call = 0; call < 260; call += 1) {
        const disk = new FaultyDisk();
        const committer = open(disk);
        let told = 0;
        disk.dieAfter = disk.calls + call;
        try {
          for (let firstSeq = 1; firstSeq < 2_000; firstSeq += 9) {
            told = commit(committer, firstSeq, 9).seq;
            if (random.chance(20)) committer.passSecond();
          }
          committer.close();
        } catch (error) {
          assert.ok(error instanceof MachineDied, String(error));
        }
        disk.end(how, random);
        const found = makeReady(disk, PATHS).start.head.seq;
        assert.ok(found === told || found === told + 9, `seed ${seed}, ${how} at ${call}: ${found} after ${told}`);
        assert.equal(wholeUpTo(disk), found);
        trials += 1;
      }
    }
    t.diagnostic(`${trials} ends, seed ${seed}`);
  });

  it('keeps its mark readable through every cut of the power', () => {
    const random = new Random(seed);
    for (let round = 0; round < 300; round += 1) {
      const disk = new FaultyDisk();
      const committer = open(disk);
      for (let firstSeq = 1; firstSeq < 10; firstSeq += 1) {
        commit(committer, firstSeq, 1);
        if (random.chance(30)) committer.passSecond();
      }
      disk.end('power', random);
      assert.equal(makeReady(disk, PATHS).start.head.seq, 9, `seed ${seed}, round ${round}`);
    }
  });
});
