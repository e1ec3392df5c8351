import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../src/base/random.ts';
import { type EpochMs, HOUR_MS, type IstDay, istDay, istInstant, MINUTE_MS } from '../../src/base/time.ts';
import { DAY_END_STEPS } from '../../src/core/broker/settlement/day-end-steps.ts';
import type { JournalRecord } from '../../src/journal/record.ts';
import { Course } from '../process/kill/course.ts';
import { readRecords, toldCount } from '../process/kill/told.ts';
import { Gone, type Victim } from '../process/kill/victim.ts';
import { ACKNOWLEDGED_EARLY, changedSource, NO_MARK } from './changed-source.ts';
import { preloaded } from './native.ts';
import { scratchFolder, trials } from './trials.ts';

const scratch = scratchFolder();
const tearing = preloaded(scratch, 'torn-write');
/** A turn of the day in these lives writes about half as many records. */
const MOST_SECTORS = 20;
const MAX_LIFE_MS = 400;
/** So long before midnight a life begins that trades through it: a start takes about as long. */
const BEFORE_MIDNIGHT_MS = 1_500;
/** The most days that one start has to end. */
const MOST_DAYS = 3;
/** One turn in this number is hit by a kill at a random moment, not at its own write. */
const AT_RANDOM = 3;

/**
 * Kills the process at the write of the group in which a day ends; any sectors of it are stored: none, some, or all.
 */
function atTheTurn(random: Random): Readonly<Record<string, string>> {
  const sectors = random.chance(30) ? 0 : random.below(MOST_SECTORS);
  return {
    ...tearing,
    TORN_TEXT: '"type":"EndDay"',
    TORN_AT: '1',
    TORN_SECTORS: String(sectors),
    TORN_END: String(random.below(2)),
  };
}

/** The records by which days end and begin. */
function turns(records: readonly JournalRecord[]): JournalRecord[] {
  return records.filter(({ command }) => command.type === 'EndDay' || command.type === 'RollDay');
}

/**
 * The steps by which days end and begin. A fast machine trades so much in a life that a step comes in portions: each
 * follows the one before it.
 */
function stepsOf(records: readonly JournalRecord[], context: string): string[] {
  const steps: string[] = [];
  let next = 0;
  for (const { command } of records) {
    if (command.type !== 'EndDay' && command.type !== 'RollDay') continue;
    const step = command.type === 'EndDay' ? `${command.day} ${command.step}` : `${command.day} begins`;
    const { portion = 0 } = command;
    if (portion === 0) steps.push(step);
    else assert.deepEqual([step, portion], [steps.at(-1), next], context);
    next = portion + 1;
  }
  return steps;
}

/**
 * Every day ends by each step once, in order, and the next begins once; no order is over twice. Source: reliability
 * F33.
 */
function checkTurns(folder: string, context: string): void {
  const records = readRecords(folder);
  const rolled = records.flatMap(({ command }) => (command.type === 'RollDay' ? [command.day] : []));
  const days = [...new Set(rolled)];
  const expected = days.flatMap((day, index) => {
    const ends = index + 1 < days.length ? DAY_END_STEPS.map((step) => `${day} ${step}`) : [];
    return [`${day} begins`, ...ends];
  });
  assert.deepEqual(stepsOf(records, context), expected, context);
  const over = records.flatMap(({ events }) =>
    events.flatMap((event) => (event.type === 'OrderCancelled' ? [event.order] : [])),
  );
  assert.equal(new Set(over).size, over.length, `${context}: an order is over twice`);
}

describe('kills at the turn of a day (F33)', () => {
  let day = istDay(Date.now() as EpochMs) as number;
  const midnight = (): number => istInstant((day + 1) as IstDay);

  /** A life at noon that leaves orders, positions and deliveries behind, and is closed in order. */
  async function tradingDay(course: Course, context: string): Promise<void> {
    const victim = await course.start(context, { startsAt: istInstant(day as IstDay, 12 * HOUR_MS) });
    const code = await course.trade(victim, async () => {
      await sleep(MAX_LIFE_MS);
      await victim.end('SIGTERM');
    });
    assert.equal(code, 0, victim.log);
  }

  /** The result of the turns up to an instant when nothing goes wrong, in a copy of the folder. */
  async function withoutFault(course: Course, context: string, startsAt: number): Promise<JournalRecord[]> {
    const copy = new Course(join(scratch, `clean-${context}`), new Random(1));
    cpSync(course.folder, copy.folder, { recursive: true });
    const before = readRecords(copy.folder).length;
    const victim = await copy.start(context, { startsAt });
    assert.equal(await victim.end('SIGTERM'), 0, victim.log);
    return turns(readRecords(copy.folder).slice(before));
  }

  /** A start that has days to end is killed in the middle of it; the next one ends them. */
  async function killedInStart(course: Course, context: string): Promise<void> {
    await tradingDay(course, context);
    const days = 1 + course.random.below(MOST_DAYS);
    const startsAt = istInstant((day + days) as IstDay, MINUTE_MS);
    const expected = await withoutFault(course, context, startsAt);
    assert.equal(stepsOf(expected, context).length, days * (DAY_END_STEPS.length + 1), context);
    const before = readRecords(course.folder).length;
    const victim = await course.startOrGone(context, { startsAt, env: atTheTurn(course.random) });
    const code = victim instanceof Gone ? victim.code : await victim.ended;
    assert.equal(code, 'SIGKILL', context);
    course.check(context);
    const next = await course.start(context, { startsAt });
    // A record that is seen is durable, and with it the turn.
    await next.look();
    await next.kill();
    assert.deepEqual(turns(readRecords(course.folder).slice(before)), expected, context);
    day += days;
  }

  /** Clients trade through midnight; a kill ends the life. */
  async function killedAtMidnight(course: Course, context: string, root?: string): Promise<void> {
    const { random } = course;
    const atRandom = root === undefined && random.below(AT_RANDOM) === 0;
    const how = { startsAt: midnight() - BEFORE_MIDNIGHT_MS, ...(root && { root }) };
    const victim = await course.startOrGone(context, atRandom ? how : { ...how, env: atTheTurn(random) });
    const lived = async (living: Victim): Promise<number | string> => {
      return course.trade(living, async () => {
        if (!atRandom) return living.ended;
        await sleep(random.below(2 * BEFORE_MIDNIGHT_MS));
        return living.kill();
      });
    };
    assert.equal(victim instanceof Gone ? victim.code : await lived(victim), 'SIGKILL', context);
    course.check(context);
    day += 1;
    const next = await course.start(context, { startsAt: midnight() - 12 * HOUR_MS });
    await next.look();
    await next.kill();
    course.check(context);
    checkTurns(course.folder, context);
  }

  it('leave every step done once, with the same result as without a kill, and nothing that was acknowledged lost', async (t) => {
    await trials(t, 'F33 kills at the turn of a day', 2, async (random, number) => {
      const course = new Course(join(scratch, `turn-${number}`), random);
      await course.open({ startsAt: istInstant(day as IstDay, 11 * HOUR_MS) });
      await killedInStart(course, `start-${number}`);
      await killedAtMidnight(course, `midnight-${number}`);
      return toldCount(course.ledger);
    });
  });

  it('are seen to lose by the same check when groups are acknowledged before they are written', async () => {
    const root = changedSource(scratch, 'early', [ACKNOWLEDGED_EARLY, NO_MARK]);
    const course = new Course(join(scratch, 'control'), new Random(1));
    await course.open({ startsAt: istInstant(day as IstDay, 11 * HOUR_MS) });
    const broken = async (): Promise<void> => {
      for (let turn = 0; turn < 5; turn += 1) await killedAtMidnight(course, `control-${turn}`, root);
    };
    await assert.rejects(broken(), /recorded 0 times|is lost/);
  });
});
