import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../src/base/random.ts';
import { Course } from '../process/kill/course.ts';
import { toldCount } from '../process/kill/told.ts';
import { Gone, type Victim } from '../process/kill/victim.ts';
import { ACKNOWLEDGED_EARLY, changedSource, NO_MARK } from './changed-source.ts';
import { Courses } from './courses.ts';
import { scratchFolder, trials } from './trials.ts';

const scratch = scratchFolder();
const MAX_LIFE_MS = 400;
/** A heap with which an engine starts, on a small folder, and soon ends under load. */
const LEAST_MEGABYTES = 8;
const MORE_MEGABYTES = 6;
/** A process that needs no more memory than it has goes on: then a kill ends it. */
const PATIENCE_MS = 40_000;

/** From now on the process gets no more memory than it has: its next growth fails, in whatever thread. */
function takeNoMore({ child }: Victim): void {
  const status = readFileSync(`/proc/${child.pid}/status`, 'latin1');
  const bytes = Number(/^VmData:\s+(\d+) kB/m.exec(status)?.[1]) * 1_024;
  execFileSync('prlimit', ['--pid', String(child.pid), `--data=${bytes}`]);
}

describe('memory that runs out (F16)', () => {
  /** A life that ends when it gets no more memory; resolves with how. */
  async function starved(course: Course, context: string, root?: string): Promise<number | string> {
    const victim = await course.start(context, root === undefined ? {} : { root });
    const code = await course.trade(victim, async () => {
      await sleep(course.random.below(MAX_LIFE_MS));
      takeNoMore(victim);
      await Promise.race([victim.ended, sleep(PATIENCE_MS, undefined, { ref: false })]);
      await victim.kill();
    });
    course.check(context);
    return code;
  }

  /** A life with a small heap, which ends in its start or under load. */
  async function smallHeap(course: Course, context: string): Promise<number | string> {
    const megabytes = LEAST_MEGABYTES + course.random.below(MORE_MEGABYTES);
    const env = { NODE_OPTIONS: `--max-old-space-size=${megabytes}` };
    const victim = await course.startOrGone(context, { env });
    if (victim instanceof Gone) return victim.code;
    const code = await course.trade(victim, async () => {
      await Promise.race([victim.ended, sleep(PATIENCE_MS, undefined, { ref: false })]);
      await victim.kill();
    });
    course.check(context);
    return code;
  }

  it('ends the engine or not, and nothing that was acknowledged is lost', async (t) => {
    const courses = new Courses(scratch, 'memory');
    let byItself = 0;
    await trials(t, 'F16 no more memory', 2, async (random, number) => {
      const course = await courses.next(random, number);
      const before = toldCount(course.ledger);
      const context = `memory ${number}`;
      const small = number % 2 === 0;
      const code = small ? await smallHeap(course, context) : await starved(course, context);
      if (code !== 'SIGKILL') byItself += 1;
      return toldCount(course.ledger) - before;
    });
    t.diagnostic(`${byItself} engines ended by themselves; the others did with what they had`);
    assert.ok(byItself > 0, 'memory ran out');
  });

  it('is seen to lose by the same check when groups are acknowledged before they are written', async () => {
    const root = changedSource(scratch, 'early', [ACKNOWLEDGED_EARLY, NO_MARK]);
    const course = new Course(join(scratch, 'control'), new Random(1));
    await course.open();
    const lives = async (): Promise<void> => {
      for (let life = 0; life < 5; life += 1) await starved(course, `control ${life}`, root);
    };
    await assert.rejects(lives(), /recorded 0 times|is lost/);
  });
});
