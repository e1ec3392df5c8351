import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { must } from '../../src/base/assert.ts';
import { Random } from '../../src/base/random.ts';
import { Course } from '../process/kill/course.ts';
import { readRecords, toldCount } from '../process/kill/told.ts';
import { Gone, type VictimOptions } from '../process/kill/victim.ts';
import { ACKNOWLEDGED_EARLY, type Change, changedSource, FLUSHED_AGAIN, NO_MARK } from './changed-source.ts';
import { Courses } from './courses.ts';
import { type Call, CHANGING_CALLS, callsFromFailure, failed, pathsOfJournal, traced } from './tools/strace.ts';
import { longRun, scratchFolder, trials } from './trials.ts';

const scratch = scratchFolder();
const trace = join(scratch, 'trace');
/** A life that no fault ends is ended in order after this number of replies. */
const REPLIES = 40;

/** How often each call is made in a life, about: a fault is put at each of them in turn. */
const CALLS_OF_A_LIFE: Readonly<Record<(typeof CHANGING_CALLS)[number], number>> = {
  pwrite64: 44,
  fdatasync: 24,
  fsync: 6,
  rename: 4,
  ftruncate: 2,
};
const POINTS = CHANGING_CALLS.flatMap((call) => {
  return Array.from({ length: CALLS_OF_A_LIFE[call] }, (_, index) => ({ call, at: index + 1 }));
});
/** Has no divisor in common with the number of points, so every point is met once before any is met again. */
const STRIDE = 31;

function pointOf(number: number): (typeof POINTS)[number] {
  return must(POINTS[(number * STRIDE) % POINTS.length], 'there are points');
}

/** A life until a fault ends it, in its start or later, or until it is ended in order. Resolves with how it ended. */
async function life(
  course: Course,
  context: string,
  how: VictimOptions,
): Promise<{ code: number | string; log: string }> {
  const victim = await course.startOrGone(context, how);
  if (victim instanceof Gone) return { code: victim.code, log: victim.output };
  const before = toldCount(course.ledger);
  const code = await course.trade(victim, async () => {
    let over = false;
    void victim.ended.then(() => {
      over = true;
    });
    while (!over && toldCount(course.ledger) - before < REPLIES) await sleep(5);
    if (!over) await victim.end('SIGTERM');
  });
  return { code, log: victim.log };
}

describe('kills at the calls of a commit (F02)', () => {
  const killed = (number: number): VictimOptions => {
    const { call, at } = pointOf(number);
    return { through: traced(trace, { call, what: 'signal=SIGKILL', when: String(at) }) };
  };

  it(`lose nothing at any of ${POINTS.length} calls that write, flush, rename or cut`, async (t) => {
    const courses = new Courses(scratch, 'calls');
    let inOrder = 0;
    await trials(t, 'F02 kill at a system call', 4, async (random, number) => {
      const course = await courses.next(random, number);
      const before = toldCount(course.ledger);
      const context = JSON.stringify(pointOf(number));
      const { code, log } = await life(course, context, killed(number));
      assert.ok(code === 'SIGKILL' || code === 0, `${context}: ended with ${code}: ${log}`);
      if (code === 0) inOrder += 1;
      course.check(context);
      return toldCount(course.ledger) - before;
    });
    t.diagnostic(`${inOrder} of the lives made fewer calls than the one that was to be the last`);
  });

  it('are seen to lose by the same check when groups are acknowledged before they are written', async () => {
    const root = changedSource(scratch, 'early', [ACKNOWLEDGED_EARLY, NO_MARK]);
    const course = new Course(join(scratch, 'early-course'), new Random(1));
    await course.open();
    const broken = async (): Promise<void> => {
      for (const at of ['3', '4', '5', '6', '7']) {
        const through = traced(trace, { call: 'pwrite64', what: 'signal=SIGKILL', when: at });
        await life(course, at, { through, root, env: { NODE_DISABLE_COMPILE_CACHE: '1' } });
        course.check(at);
      }
    };
    await assert.rejects(broken(), /recorded 0 times|is lost/);
  });
});

describe('storage that fails (F08)', () => {
  const kinds = ['pwrite64', 'fdatasync', 'ftruncate', 'rename', 'openat', 'pread64', 'fsync'] as const;

  /** A life in which one call on the journal's files, or that one and all later ones, fail. */
  async function failing(course: Course, call: Call, when: string, root?: string): Promise<boolean> {
    const through = traced(trace, { call, what: 'error=EIO', when, paths: pathsOfJournal(course.folder) });
    const context = `${call} ${when}`;
    const { code, log } = await life(course, context, { through, ...(root === undefined ? {} : { root }) });
    const hit = failed(trace);
    assert.equal(code, hit ? 74 : 0, `${context}: ${log}`);
    assert.deepEqual(callsFromFailure(trace).slice(1), [], `${context}: nothing is tried after a call that failed`);
    course.check(context);
    return hit;
  }

  it('ends the engine with code 74 at the first call that fails, and no later call follows', async (t) => {
    const courses = new Courses(scratch, 'errors');
    let hits = 0;
    await trials(t, 'F08 EIO once and from then on, 7 calls', 4, async (random, number) => {
      const course = await courses.next(random, number);
      const before = toldCount(course.ledger);
      const call = must(kinds[number % kinds.length], 'there are calls');
      const round = Math.floor(number / kinds.length);
      const at = 1 + (round >> 1);
      if (await failing(course, call, round % 2 === 0 ? `${at}` : `${at}+`)) hits += 1;
      return toldCount(course.ledger) - before;
    });
    t.diagnostic(`in ${hits} of the lives a call failed; in the others fewer were made`);
    assert.ok(hits > 0);
  });

  it('is seen by the same check when a flush that failed is made again', async () => {
    const root = changedSource(scratch, 'again', [FLUSHED_AGAIN]);
    const course = new Course(join(scratch, 'again-course'), new Random(1));
    await course.open();
    await assert.rejects(failing(course, 'fdatasync', '3', root), /fdatasync 3: (ended|nothing is tried|)/);
  });
});

/** A commit may take for ever. */
const PATIENT: Change = {
  file: 'src/engine/sequencer.ts',
  from: 'commitStallMs: 2_000',
  to: 'commitStallMs: 1e9',
};

/** Lives with flushes that are waited for, until one shows it. */
const LOOKS = 3;
/** A life goes on for this time. */
const REST_MS = 1_500;

describe('a disk that is slow (F15)', () => {
  /**
   * A life in which every flush takes this time, in milliseconds, and which ends a while after the first refusal, or
   * else in time; resolves with how many commands were refused in it.
   */
  async function slow(course: Course, flushMs: number, lifeMs: number, root?: string): Promise<number> {
    const delay = `${flushMs}ms`;
    const through = traced(trace, { call: 'fdatasync', what: `delay_enter=${delay}` });
    const before = course.ledger.length;
    const victim = await course.start(delay, { through, ...(root === undefined ? {} : { root }) });
    const late: Promise<void>[] = [];
    const code = await course.trade(victim, async () => {
      // Also clients come that wait for nothing yet, while a flush runs.
      const coming = setInterval(() => late.push(course.send(victim)), 250);
      const isRefused = (): boolean => course.ledger.slice(before).some(({ refused }) => refused);
      for (const end = performance.now() + lifeMs; performance.now() < end && !isRefused(); ) await sleep(100);
      // A refused command that is done after all comes with the next groups.
      await sleep(REST_MS);
      clearInterval(coming);
      await victim.kill();
    });
    await Promise.all(late);
    assert.equal(code, 'SIGKILL', victim.log);
    course.check(delay);
    return course.ledger.slice(before).filter(({ refused }) => refused).length;
  }

  it('is waited for, and beyond two seconds commands are refused, of which none was done', async (t) => {
    await trials(t, 'F15 slow flushes', 1, async (random, number) => {
      const course = new Course(join(scratch, `slow-${number}`), random);
      await course.open();
      // On a machine that stands still for two seconds some commands are refused with reason.
      for (let look = 1; (await slow(course, 200, 2_000)) > 0; look += 1) assert.ok(look < LOOKS, 'none is refused');
      assert.ok((await slow(course, 2_600, 30_000)) > 0, 'commands were refused');
      assert.ok(readRecords(course.folder).length > 0);
      return toldCount(course.ledger);
    });
  });

  longRun('is seen to be waited for without end when the limit is taken away', async () => {
    const root = changedSource(scratch, 'patient', [PATIENT]);
    const course = new Course(join(scratch, 'patient-course'), new Random(1));
    await course.open();
    assert.equal(await slow(course, 2_600, 4_000, root), 0);
  });
});
