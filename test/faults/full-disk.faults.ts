import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Trail } from '../../src/audit/trail.ts';
import { Random } from '../../src/base/random.ts';
import { emptyState } from '../../src/core/state.ts';
import { GENESIS } from '../../src/journal/chain.ts';
import { wallClock } from '../../src/os/wall-clock.ts';
import { Course } from '../process/kill/course.ts';
import { toldCount } from '../process/kill/told.ts';
import type { Victim } from '../process/kill/victim.ts';
import { type Change, changedSource } from './changed-source.ts';
import { LoopDisk } from './tools/loop-disk.ts';
import { fill, smallDisk, unmountSmallDisks } from './tools/small-disk.ts';
import { callsFromFailure, pathsOfJournal, traced } from './tools/strace.ts';
import { longRun, scratchFolder, trials } from './trials.ts';

const MAX_LIFE_MS = 400;
/** How long a change may take to show: a megabyte of groups is written first, into room that stands ready. */
const PATIENCE_MS = 180_000;
/** One that passes failures over would never end. */
const CONTROL_MS = 15_000;

const thin: LoopDisk[] = [];
const scratch = scratchFolder(() => {
  for (const disk of thin) disk.remove();
  unmountSmallDisks();
});

async function until(what: string, holds: () => boolean, victim: Victim): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; !holds(); await sleep(10)) {
    assert.ok(Date.now() < deadline && victim.child.exitCode === null, `${what}: ${victim.log}`);
  }
}

describe('a full disk (F06)', () => {
  it('takes no lines of the audit trail, and an orderly end on it reports how many are lost', async () => {
    const data = smallDisk(scratch, 'trail', 1);
    const said: string[] = [];
    const log = (message: string): void => void said.push(message);
    const failStop = (error: Error): void => assert.fail(error);
    const trail = new Trail({ data, years: 0, anchor: undefined, wall: wallClock, failStop, log });
    trail.open(emptyState());
    trail.start(() => GENESIS);
    fill(data);
    for (let i = 0; i < 100; i += 1) trail.act('POST /users', '', 200, { why: 'x'.repeat(100) });
    await trail.stop();
    assert.match(said.join(), /^\d{5} bytes of lines of the audit trail found no room and are lost, but those of /);
  });

  /** A life in which the disk fills up, is full for a while, and has room again. */
  async function filledUp(course: Course, disk: string, context: string, root?: string): Promise<void> {
    const victim = await course.start(context, root === undefined ? {} : { root });
    const code = await course.trade(victim, async () => {
      await sleep(course.random.below(MAX_LIFE_MS));
      const giveBack = fill(disk);
      try {
        const seen = course.ledger.length;
        const refused = (): boolean => course.ledger.slice(seen).some((entry) => entry.refused);
        await until('commands are refused on a full disk', refused, victim);
        assert.ok((await victim.look()).length > 0, 'what is there can be read');
      } finally {
        giveBack();
      }
      const told = toldCount(course.ledger);
      await until('commands are taken again', () => toldCount(course.ledger) > told, victim);
      await victim.kill();
    });
    assert.equal(code, 'SIGKILL', victim.log);
    course.check(context);
  }

  it('refuses commands, answers reads, and goes on when it has room again', async (t) => {
    const disk = smallDisk(scratch, 'full', 48);
    const course = new Course(join(disk, 'data'), new Random(20261121));
    await course.open();
    await trials(t, 'F06 disk full, then room again', 2, async (_random, number) => {
      const before = toldCount(course.ledger);
      await filledUp(course, disk, `full ${number}`);
      return toldCount(course.ledger) - before;
    });
  });

  it('is seen by the same check to end an engine that does not know a full disk', async () => {
    const unknown: Change = {
      file: 'src/journal/disk/disk.ts',
      from: "  return hasCode(error, 'ENOSPC') || hasCode(error, 'EDQUOT');",
      to: "  return hasCode(error, 'no code');",
    };
    const root = changedSource(scratch, 'unknown', [unknown]);
    const disk = smallDisk(scratch, 'unknown-disk', 48);
    const course = new Course(join(disk, 'data'), new Random(1));
    await course.open();
    await assert.rejects(filledUp(course, disk, 'full', root), /commands are refused on a full disk/);
  });
});

/** The engine goes on, whatever a write and a flush return. */
const PASSED_OVER: readonly Change[] = [
  {
    file: 'src/journal/disk/real-disk.ts',
    from: '    fdatasyncSync(this.descriptor);',
    to: '    try { fdatasyncSync(this.descriptor); } catch {}',
  },
  {
    file: 'src/journal/disk/real-disk.ts',
    from: '  let done = 0;',
    to: '  let done = bytes.length;\n  try { writeSync(descriptor, bytes, 0, done, position); } catch {}',
  },
];

describe('a disk that has less room than it says (F07)', () => {
  const backing = smallDisk(scratch, 'backing', 80);
  const disk = LoopDisk.make(join(scratch, 'thin'), 'ext4', { image: join(backing, 'thin.img') });
  thin.push(disk);
  const trace = join(scratch, 'trace');

  /**
   * A life that ends when a flush finds no room behind the file system, or refuses commands when a write that passes
   * the cache reports it before.
   */
  async function withoutRoom(course: Course, context: string, root?: string): Promise<void> {
    // The thread that takes snapshots fails by itself: it is the journal's own calls that must end.
    const paths = pathsOfJournal(course.folder);
    const through = traced(trace, { call: 'fdatasync', what: 'delay_exit=1us', paths });
    const victim = await course.start(context, { through, ...(root === undefined ? {} : { root }) });
    let seen = 0;
    const code = await course.trade(victim, async () => {
      await sleep(course.random.below(MAX_LIFE_MS));
      seen = course.ledger.length;
      const giveBack = fill(backing);
      await Promise.race([
        victim.ended,
        sleep(root === undefined ? PATIENCE_MS : CONTROL_MS, undefined, { ref: false }),
      ]);
      giveBack();
      await victim.kill();
    });
    disk.powerCycle();
    const refused = course.ledger.slice(seen).some((entry) => entry.refused);
    assert.ok(code === 74 || refused, `${context}: ended with ${code}: ${victim.log}`);
    const calls = callsFromFailure(trace);
    const flush = calls.findIndex((call) => /fdatasync.*= -1 E/.test(call));
    const tried = flush < 0 ? [] : calls.slice(flush + 1);
    assert.deepEqual(tried, [], `${context}: nothing is tried after a flush that failed`);
    course.check(context);
  }

  it('ends the engine at the first flush that fails, with code 74, or refuses commands, with nothing that was acknowledged lost', async (t) => {
    await trials(t, 'F07 no room behind the file system', 1, async (random, number) => {
      const course = new Course(join(disk.folder, `data-${number}`), random);
      await course.open();
      await withoutRoom(course, `thin ${number}`);
      return toldCount(course.ledger);
    });
  });

  longRun('is seen by the same check when failures are passed over', async () => {
    const root = changedSource(scratch, 'passed-over', PASSED_OVER);
    const course = new Course(join(disk.folder, 'control'), new Random(1));
    await course.open();
    await assert.rejects(withoutRoom(course, 'control', root), /SIGKILL/);
  });
});
