import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../src/base/random.ts';
import { HOUR_MS, SECOND_MS } from '../../src/base/time.ts';
import { Course } from '../kill/course.ts';
import { readRecords, toldCount } from '../kill/told.ts';
import type { VictimOptions } from '../kill/victim.ts';
import { type Change, changedSource } from './changed-source.ts';
import { Courses } from './courses.ts';
import { FakeClock } from './fake-clock.ts';
import { scratchFolder, trials } from './trials.ts';

const scratch = scratchFolder();
const JUMPS_OF_A_LIFE = 8;
const MOST_BETWEEN_MS = 120;
const DAY_MS = 24 * HOUR_MS;
/** Where a wrong clock stands: back by an hour or a leap second, ahead by an hour or a day, at the beginning of all clocks. */
const PLACES = ['back', 'leap', 'right', 'ahead', 'day', '1970'] as const;

/** How far a clock that is `behind` an engine's own time may be put ahead, so that days pass again and again. */
class Jumps {
  private readonly clock: FakeClock;
  private baseMs = 0;

  constructor(clock: FakeClock) {
    this.clock = clock;
  }

  jump(to: (typeof PLACES)[number]): void {
    if (to === '1970') {
      this.clock.setTo(DAY_MS);
      return;
    }
    if (to === 'day') this.baseMs += DAY_MS;
    const aside = { back: -HOUR_MS, leap: -SECOND_MS, right: 0, ahead: HOUR_MS, day: 0 }[to];
    this.clock.set(this.baseMs + aside);
  }
}

/** What must hold of the records of an engine whose clock jumped. Source: reliability P9, I26, I27. */
function checkTimes(folder: string, context: string): void {
  const days = new Set<number>();
  let last = { at: 0, order: 0 };
  for (const { seq, at, command, events } of readRecords(folder)) {
    assert.ok(at >= last.at, `${context}: time goes back at record ${seq}`);
    if (command.type === 'RollDay') {
      assert.ok(!days.has(command.day), `${context}: day ${command.day} begins twice`);
      days.add(command.day);
    }
    for (const event of events) {
      if (event.type !== 'OrderReceived') continue;
      assert.ok(event.order > last.order, `${context}: order number ${event.order} after ${last.order}`);
      last = { at, order: event.order };
    }
    last = { at, order: last.order };
  }
}

describe('clocks that jump (F14)', () => {
  /** A life in which the wall clock jumps again and again, and which a kill ends. */
  async function life(course: Course, clock: FakeClock, context: string, how: VictimOptions = {}): Promise<void> {
    const { random } = course;
    const jumps = new Jumps(clock);
    const victim = await course.start(context, { ...how, env: clock.environment });
    const code = await course.trade(victim, async () => {
      for (let count = 0; count < JUMPS_OF_A_LIFE; count += 1) {
        await Promise.race([sleep(random.below(MOST_BETWEEN_MS)), victim.ended]);
        jumps.jump(random.pick(PLACES));
      }
      await Promise.race([sleep(MOST_BETWEEN_MS), victim.ended]);
      await victim.kill();
    });
    assert.equal(code, 'SIGKILL', `${context}: ${victim.log}`);
    course.check(context);
    checkTimes(course.folder, context);
  }

  it('leave the time of the journal, the days and the order numbers in order, in lives and between them', async (t) => {
    const courses = new Courses(scratch, 'clocks');
    const clock = new FakeClock(scratch, 'clock');
    await trials(t, 'F14 clocks that jump', 3, async (random, number) => {
      const course = await courses.next(random, number);
      const before = toldCount(course.ledger);
      await life(course, clock, `clock ${number}`);
      return toldCount(course.ledger) - before;
    });
    t.diagnostic(`the clock jumps ${JUMPS_OF_A_LIFE} times in each life`);
  });

  it('are seen by the same check when commands are stamped with the wall clock', async () => {
    const unheld: Change = {
      file: 'src/engine/engine.ts',
      from: '    return Math.max(this.lastAt, wanted) as EpochMs;',
      to: '    return wanted;',
    };
    const root = changedSource(scratch, 'unheld', [unheld]);
    const course = new Course(join(scratch, 'unheld-course'), new Random(1));
    await course.open();
    await assert.rejects(life(course, new FakeClock(scratch, 'other'), 'unheld', { root }), /time does not go back/);
  });
});
