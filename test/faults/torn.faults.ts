import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Random } from '../../src/base/random.ts';
import { Course } from '../process/kill/course.ts';
import { toldCount } from '../process/kill/told.ts';
import { Victim } from '../process/kill/victim.ts';
import { type Change, changedSource } from './changed-source.ts';
import { preloaded } from './native.ts';
import { scratchFolder, trials } from './trials.ts';

const scratch = scratchFolder();
const tearing = preloaded(scratch, 'torn-write');
/** Frames of the clients of this load have one to a dozen sectors. */
const MOST_SECTORS = 6;

/** A group that is not whole is not damage when nothing of it was acknowledged; here something was. */
const NOT_CUT: Change = {
  file: 'src/journal/segments/tail.ts',
  from: "  return { kind: 'torn', offset, bytes: tail.length };",
  to: "  throw file.damage(offset, head.seq, 'the tail is torn');",
};

/** The engine dies in the middle of writing a group; resolves with what the next start says of it. */
async function torn(course: Course, context: string, root?: string): Promise<readonly string[]> {
  const { random } = course;
  const env = {
    ...tearing,
    TORN_AT: String(random.between(1, 12)),
    TORN_SECTORS: String(random.below(MOST_SECTORS)),
    TORN_END: String(random.below(2)),
  };
  const victim = await course.start(context, { env });
  const code = await course.trade(victim, () => victim.ended);
  assert.equal(code, 'SIGKILL', victim.log);
  course.check(context);
  const next = await Victim.start(course.folder, root === undefined ? {} : { root });
  assert.equal(await next.end('SIGTERM'), 0, next.log);
  course.check(`${context}, after the next start`);
  return next.ready.notes;
}

describe('a group that is written in part (F04)', () => {
  it('is cut off and named in the log, and nothing that was acknowledged is lost', async (t) => {
    const course = new Course(join(scratch, 'torn'), new Random(20261121));
    await course.open();
    let cut = 0;
    await trials(t, 'F04 torn write of the last group', 2, async (_random, number) => {
      const before = toldCount(course.ledger);
      const notes = await torn(course, `tear ${number}`);
      assert.match(notes[0] ?? '', /was not closed in order/);
      if (notes.some((note) => /offset \d+: .*is cut off; last good sequence \d+/.test(note))) cut += 1;
      return toldCount(course.ledger) - before;
    });
    t.diagnostic(`${cut} torn groups were cut off; in the other cases nothing of the group or all of it was stored`);
  });

  it('is seen by the same check when it is not cut off', async () => {
    const root = changedSource(scratch, 'not-cut', [NOT_CUT]);
    const course = new Course(join(scratch, 'not-cut-course'), new Random(1));
    await course.open();
    const broken = async (): Promise<void> => {
      for (let tear = 0; tear < 8; tear += 1) await torn(course, `tear ${tear}`, root);
    };
    await assert.rejects(broken(), /the tail is torn/);
  });
});
