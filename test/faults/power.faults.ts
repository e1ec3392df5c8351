import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { verifyTrail } from '../../src/audit/reading/verify-trail.ts';
import { trailFolder } from '../../src/audit/trail-file.ts';
import { must } from '../../src/base/assert.ts';
import { Random } from '../../src/base/random.ts';
import { REAL_DISK } from '../../src/journal/disk/real-disk.ts';
import { Course } from '../process/kill/course.ts';
import { toldCount } from '../process/kill/told.ts';
import { Gone, Victim, type VictimOptions } from '../process/kill/victim.ts';
import { preloaded, program } from './native.ts';
import { type FileSystem, LoopDisk } from './tools/loop-disk.ts';
import { scratchFolder, trials } from './trials.ts';

const FILE_SYSTEMS = ['ext4', 'xfs'] as const;
const MAX_LIFE_MS = 400;
const MAX_START_MS = 1_500;
/** The trail is flushed once a second. */
const MAX_TRAIL_MS = 3_000;
/** One cut in this number comes while an engine starts. */
const IN_START = 4;
/** Lives on one folder of a disk; then another is begun. */
const LIVES = 20;

const disks = new Map<FileSystem, LoopDisk>();
const scratch = scratchFolder(() => {
  for (const disk of disks.values()) disk.remove();
});
const powerCut = program(scratch, 'power-cut');
const lying = preloaded(scratch, 'lying-disk');

function diskOf(kind: FileSystem): LoopDisk {
  const disk = disks.get(kind) ?? LoopDisk.make(join(scratch, kind), kind);
  disks.set(kind, disk);
  return disk;
}

/**
 * Cuts the power at a random moment of a life at work. The engine must have ended by itself, at the first call that
 * failed.
 */
async function cutAtWork(course: Course, disk: LoopDisk, context: string, how: VictimOptions = {}): Promise<void> {
  const victim = await course.start(context, how);
  const code = await course.trade(victim, async () => {
    await sleep(course.random.below(MAX_LIFE_MS));
    execFileSync(powerCut, [disk.folder]);
    await victim.ended;
  });
  disk.powerCycle();
  assert.equal(code, 74, `${context}: ${victim.log}`);
}

/** Cuts the power while an engine starts, or just after. */
async function cutAtStart(course: Course, disk: LoopDisk): Promise<void> {
  const starting = Victim.start(course.folder).catch((error: unknown) => {
    if (error instanceof Gone) return undefined;
    throw error;
  });
  await sleep(course.random.below(MAX_START_MS));
  execFileSync(powerCut, [disk.folder]);
  await (await starting)?.kill();
  disk.powerCycle();
}

/** One course for each file system, begun again now and then. */
class Courses {
  private readonly courses = new Map<FileSystem, Course>();

  async next(kind: FileSystem, random: Random, number: number): Promise<Course> {
    const round = Math.floor(number / FILE_SYSTEMS.length);
    const known = this.courses.get(kind);
    if (known !== undefined && round % LIVES !== 0) return known;
    const course = new Course(join(diskOf(kind).folder, `course-${number}`), random);
    await course.open();
    this.courses.set(kind, course);
    return course;
  }
}

describe('power that is cut (F03)', () => {
  it('loses nothing that was acknowledged to a client, on ext4 and on xfs, at work and while starting', async (t) => {
    const courses = new Courses();
    await trials(t, 'F03 power cut, ext4 and xfs', 4, async (random, number) => {
      const kind = must(FILE_SYSTEMS[number % FILE_SYSTEMS.length], 'there are file systems');
      const course = await courses.next(kind, random, number);
      const before = toldCount(course.ledger);
      const context = `cut ${number}, ${kind}`;
      if (random.below(IN_START) === 0) await cutAtStart(course, diskOf(kind));
      else await cutAtWork(course, diskOf(kind), context);
      course.check(context);
      return toldCount(course.ledger) - before;
    });
  });

  for (const kind of FILE_SYSTEMS) {
    it(`is seen to lose by the same check on ${kind} when flushes do nothing`, async () => {
      const disk = diskOf(kind);
      const course = new Course(join(disk.folder, 'control'), new Random(1));
      await course.open();
      const broken = async (): Promise<void> => {
        for (let cut = 0; cut < 5; cut += 1) {
          await cutAtWork(course, disk, `cut ${cut}`, { env: lying });
          course.check(`cut ${cut}`);
        }
      };
      await assert.rejects(broken(), /is lost|recorded 0 times|damage|durable history is shorter/);
    });
  }
});

describe('power that is cut beneath the audit trail (F03)', () => {
  it('leaves a trail that the next start goes on with, on ext4 and on xfs, at work and while starting', async (t) => {
    await trials(t, 'F03 power cut of the audit trail', 6, async (random, number) => {
      const kind = must(FILE_SYSTEMS[number % FILE_SYSTEMS.length], 'there are file systems');
      const disk = diskOf(kind);
      const data = join(disk.folder, 'trail');
      const child = spawn(process.execPath, [join(import.meta.dirname, 'tools', 'trail-child.ts'), data]);
      const said: string[] = [];
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => said.push(String(bytes)));
      const ended = once(child, 'close');
      await sleep(random.below(MAX_TRAIL_MS));
      execFileSync(powerCut, [disk.folder]);
      assert.deepEqual(await ended, [74, null], `cut ${number}, ${kind}: ${said.join('')}`);
      disk.powerCycle();
      const { faults, lines } = verifyTrail(REAL_DISK, trailFolder(data));
      assert.deepEqual(faults, [], `cut ${number}, ${kind}`);
      return lines;
    });
  });
});

describe('a disk that says that it flushed and did not (F09)', () => {
  /**
   * Starts an engine on a disk that lies, cuts the power, and returns the words of the next start, `undefined` when it
   * starts.
   */
  async function deceived(random: Random, number: number, mark: string | undefined): Promise<string | undefined> {
    const kind = must(FILE_SYSTEMS[number % FILE_SYSTEMS.length], 'there are file systems');
    const course = new Course(join(diskOf(kind).folder, `lies-${mark === undefined}-${number}`), random, mark);
    await course.open();
    await cutAtWork(course, diskOf(kind), `lie ${number}`, { env: lying });
    try {
      const victim = await Victim.start(course.folder, mark === undefined ? {} : { mark });
      await victim.kill();
      course.check(`lie ${number}`);
      return undefined;
    } catch (error) {
      if (!(error instanceof Gone)) throw error;
      assert.equal(error.code, 65, error.output);
      return error.output;
    }
  }

  it('is found by the mark that lies on another disk: the start is refused', async (t) => {
    let refused = 0;
    await trials(t, 'F09 flushes that lie, mark on another disk', 2, async (random, number) => {
      mkdirSync(join(scratch, 'marks'), { recursive: true });
      const said = await deceived(random, number, join(scratch, 'marks', `mark-${number}`));
      if (said === undefined) return 0;
      assert.match(said, /durable history is shorter than acknowledged/);
      refused += 1;
      return 0;
    });
    t.diagnostic(`${refused} starts were refused`);
    assert.ok(refused > 0);
  });

  it('is not found when the mark lies on the same disk: clients had replies to records that are lost', async () => {
    const broken = async (): Promise<void> => {
      for (let number = 0; number < 6; number += 1) {
        const said = await deceived(new Random(number), number, undefined);
        assert.equal(said, undefined);
      }
    };
    await assert.rejects(broken(), /is lost|recorded 0 times/);
  });
});
