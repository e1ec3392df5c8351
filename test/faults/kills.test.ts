import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../src/base/random.ts';
import { Course } from '../process/kill/course.ts';
import { toldCount } from '../process/kill/told.ts';
import { Gone, Victim, type VictimOptions } from '../process/kill/victim.ts';
import { ACKNOWLEDGED_EARLY, type Change, changedSource, NO_MARK } from './changed-source.ts';
import { Courses } from './courses.ts';
import { scratchFolder, trials } from './trials.ts';

const scratch = scratchFolder();
const MAX_LIFE_MS = 400;
/** Within this no start has come to its files; most are done at the longest. */
const MIN_START_MS = 100;
const MAX_START_MS = 2_000;
/** So much later the next one may be killed, so that one comes through on a busy machine too. */
const LONGER_MS = 200;

/** One life that a kill ends at a random moment. */
async function killedLife(course: Course, context: string, how: VictimOptions = {}): Promise<void> {
  const victim = await course.start(context, how);
  const code = await course.trade(victim, async () => {
    await sleep(course.random.below(MAX_LIFE_MS));
    await victim.kill();
  });
  assert.equal(code, 'SIGKILL', victim.log);
  course.check(context);
}

/**
 * Starts that are killed at random moments, until one came through; resolves with how many were killed, the last one
 * included.
 */
async function killedStarts(folder: string, random: Random, how: VictimOptions = {}): Promise<number> {
  for (let killed = 1; ; killed += 1) {
    try {
      const victim = await Victim.start(folder, {
        ...how,
        readyWithinMs: MIN_START_MS + random.below(MAX_START_MS + killed * LONGER_MS),
      });
      await victim.kill();
      return killed;
    } catch (error) {
      if (!(error instanceof Gone) || error.code !== 'SIGKILL') throw error;
    }
  }
}

describe('kills at random (F01)', () => {
  it('lose nothing that was acknowledged to a client, and leave nothing in part', async (t) => {
    const courses = new Courses(scratch, 'random');
    await trials(t, 'F01 kill at a random moment', 3, async (random, number) => {
      const course = await courses.next(random, number);
      const before = toldCount(course.ledger);
      await killedLife(course, `kill ${number}`);
      return toldCount(course.ledger) - before;
    });
  });

  it('are seen to lose by the same check when groups are acknowledged before they are written', async () => {
    const root = changedSource(scratch, 'early', [ACKNOWLEDGED_EARLY, NO_MARK]);
    const course = new Course(join(scratch, 'control'), new Random(1));
    await course.open();
    const lives = async (): Promise<void> => {
      for (let life = 0; life < 10; life += 1) await killedLife(course, `kill ${life}`, { root });
    };
    await assert.rejects(lives(), /recorded 0 times|is lost/);
  });
});

/** A file is replaced in one step; here the old one goes first. */
const REPLACED_IN_STEPS: Change = {
  file: 'src/journal/disk/replace-file.ts',
  from: '  before?.();\n  takingRoom(disk, draft, () => disk.rename(draft, path));',
  to:
    '  before?.();\n  removeDraft(disk, path);\n' +
    '  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_000);\n  takingRoom(disk, draft, () => disk.rename(draft, path));',
};

describe('kills of starts (F32)', () => {
  it('leave what one clean start leaves, on a new folder and after an unclean end', async (t) => {
    let killed = 0;
    await trials(t, 'F32 starts killed at random moments', 1, async (random, number) => {
      const course = new Course(join(scratch, `starts-${number}`), random);
      killed += await killedStarts(course.folder, random);
      await course.open();
      await killedLife(course, 'the life before');
      killed += await killedStarts(course.folder, random);
      await killedLife(course, 'the life after');
      return toldCount(course.ledger);
    });
    t.diagnostic(`${killed} starts were killed`);
  });

  it('are seen to lose by the same check when a file is not replaced in one step', async () => {
    const root = changedSource(scratch, 'in-steps', [REPLACED_IN_STEPS]);
    const course = new Course(join(scratch, 'in-steps-course'), new Random(1));
    await course.open();
    await killedLife(course, 'the life before');
    const broken = async (): Promise<void> => {
      for (let tries = 0; tries < 20; tries += 1) {
        await killedStarts(course.folder, course.random, { root });
        await killedLife(course, 'the life after');
      }
    };
    await assert.rejects(broken(), /JournalDamaged|is lost|durable history is shorter/);
  });
});
