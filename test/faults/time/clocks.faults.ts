import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { must } from '../../../src/base/assert.ts';
import { Random } from '../../../src/base/random.ts';
import { type EpochMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/base/time.ts';
import { formatT1 } from '../../../src/gateway/fields/times.ts';
import { verifyJournal } from '../../../src/journal/upkeep/verify.ts';
import { Course } from '../../process/kill/course.ts';
import { logIn, type Row, restingOrder, SYMBOL, type Who } from '../../process/kill/service-clients.ts';
import { readRecords, toldCount } from '../../process/kill/told.ts';
import type { VictimOptions } from '../../process/kill/victim.ts';
import { StartedService, sauda } from '../../process/start/started-service.ts';
import { type Change, changedSource } from '../changed-source.ts';
import { Courses } from '../courses.ts';
import { FakeClock } from '../tools/fake-clock.ts';
import { scratchFolder, trials } from '../trials.ts';

const services: StartedService[] = [];
const scratch = scratchFolder(() => {
  for (const { child } of services) child.kill('SIGKILL');
});
const JUMPS_OF_A_LIFE = 8;
const MOST_BETWEEN_MS = 120;
const DAY_MS = 24 * HOUR_MS;
/** 2026-11-18, 12:00 IST. */
const NOON = Date.UTC(2026, 10, 18, 6, 30);
/**
 * Where a wrong clock stands: back by an hour or a leap second, ahead by an hour or a day, at the beginning of all
 * clocks.
 */
const PLACES = ['back', 'leap', 'right', 'ahead', 'day', '1970'] as const;
type Place = (typeof PLACES)[number];

interface LifeOptions extends VictimOptions {
  /** Where each jump goes; a place by chance when absent. */
  readonly placeOf?: (count: number) => Place;
}

/** How far a clock that is `behind` an engine's own time may be put ahead, so that days pass again and again. */
class Jumps {
  private readonly clock: FakeClock;
  private baseMs = 0;

  constructor(clock: FakeClock) {
    this.clock = clock;
  }

  jump(to: Place): void {
    if (to === '1970') {
      this.clock.setTo(DAY_MS);
      return;
    }
    if (to === 'day') this.baseMs += DAY_MS;
    const aside = { back: -HOUR_MS, leap: -SECOND_MS, right: 0, ahead: HOUR_MS, day: 0 }[to];
    this.clock.set(this.baseMs + aside);
  }
}

/** The rules that the records of an engine must keep although its clock jumped. Source: reliability P9, I26, I27. */
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
  /** A life in which the wall clock jumps again and again, each time after a reply, and which a kill ends. */
  async function life(course: Course, clock: FakeClock, context: string, how: LifeOptions = {}): Promise<void> {
    const { random, ledger } = course;
    const { placeOf = () => random.pick(PLACES), ...victimOptions } = how;
    const jumps = new Jumps(clock);
    const victim = await course.start(context, { ...victimOptions, env: clock.environment });
    const code = await course.trade(victim, async () => {
      for (let count = 0; count < JUMPS_OF_A_LIFE; count += 1) {
        const before = ledger.length;
        await Promise.race([sleep(random.below(MOST_BETWEEN_MS)), victim.ended]);
        while (victim.child.exitCode === null && ledger.length <= before) await sleep(1);
        jumps.jump(placeOf(count));
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
      file: 'src/engine/sequencer.ts',
      from: '    return Math.max(this.lastAt, wanted) as EpochMs;',
      to: '    return wanted;',
    };
    const root = changedSource(scratch, 'unheld', [unheld]);
    const course = new Course(join(scratch, 'unheld-course'), new Random(1));
    await course.open();
    const placeOf = (count: number): Place => (count % 2 === 0 ? 'ahead' : 'back');
    const lived = life(course, new FakeClock(scratch, 'other'), 'unheld', { root, placeOf });
    await assert.rejects(lived, /time does not go back/);
  });
});

describe('a service whose clock jumps (F14)', () => {
  const clock = new FakeClock(scratch, 'of-service');
  const data = join(scratch, 'service');

  const start = async (): Promise<StartedService> => {
    const service = await StartedService.start(data, clock.environment);
    services.push(service);
    return service;
  };
  /**
   * How far ahead of the machine's clock the right one is here: it is noon, so that no hour more or less ends a
   * session.
   */
  const rightMs = NOON - Date.now();
  /** Gives the service the time to see where its clock is. */
  const jump = async (aheadMs: number): Promise<void> => {
    clock.set(rightMs + aheadMs);
    await sleep(1_200);
  };
  const status = async (service: StartedService, who: Who): Promise<number> => {
    return (await service.call('orderBook', { ...who })).status;
  };
  const place = async (service: StartedService, who: Who): Promise<number> => {
    const { body } = await service.call('placeOrder', restingOrder(who, ''));
    return Number((body.data as Row | undefined)?.orderNumber ?? assert.fail(JSON.stringify(body)));
  };
  /** Bars of an hour that is long over. */
  const bars = async (service: StartedService, who: Who, around: number): Promise<unknown> => {
    const [startTime, endTime] = [3, 2].map((hours) => formatT1((around - hours * HOUR_MS) as EpochMs));
    const { body } = await service.call('timePriceSeries', { ...who, ...SYMBOL, interval: '1mi', startTime, endTime });
    assert.ok(Array.isArray(body.data) && body.data.length > 50, JSON.stringify(body));
    return body.data;
  };

  it('keeps sessions until their time has come, gives numbers that increase, rewrites no candle, and follows the wall for codes', async () => {
    await jump(0);
    let service = await start();
    const users = service.demoUsers();
    const plain = must(
      users.find((user) => user.totpSecret === undefined),
      'one user has no codes',
    );
    const coded = must(
      users.find((user) => user.totpSecret !== undefined),
      'others have',
    );
    let who = await logIn(service, plain, clock.now());
    const numbers = [await place(service, who)];
    const history = await bars(service, who, NOON);
    for (const aheadMs of [HOUR_MS, 0, -SECOND_MS, -HOUR_MS]) {
      await jump(aheadMs);
      assert.equal(await status(service, who), 200, `the session lives ${aheadMs} ms ahead`);
      numbers.push(await place(service, who));
      assert.deepEqual(await bars(service, who, NOON), history);
      const old = await logIn(service, coded, clock.now() - 5 * MINUTE_MS);
      assert.equal(old.jKey, '', 'a code of another time is none');
    }
    assert.notEqual((await logIn(service, coded, clock.now())).jKey, '', 'a code of the wall is one');

    await jump(DAY_MS);
    assert.equal(await status(service, who), 401, 'the session ended at six in the morning');
    const ended = who;
    who = await logIn(service, plain, clock.now());
    numbers.push(await place(service, who));
    await jump(0);
    assert.equal(await status(service, ended), 401, 'no session comes back with the clock');
    numbers.push(await place(service, who));
    await service.end('SIGKILL');

    clock.setTo(DAY_MS);
    service = await start();
    numbers.push(await place(service, who));
    await jump(0);
    assert.equal(await status(service, who), 200);
    numbers.push(await place(service, who));
    await jump(DAY_MS + 12 * HOUR_MS);
    assert.equal(await status(service, who), 401, 'a session ends that was opened while the clock was ahead');
    await service.end('SIGKILL');

    assert.deepEqual(
      [...new Set(numbers)].sort((a, b) => a - b),
      numbers,
    );
    assert.equal(verifyJournal(data).damage, undefined);
    checkTimes(data, 'service');
  });

  it('does not begin a history at the beginning of all clocks', async () => {
    const folder = join(scratch, 'too-early');
    clock.setTo(DAY_MS);
    const { code, stderr } = await sauda(
      ['start', '--data', folder, '--port', '0', '--operator-port', '0'],
      clock.environment,
    );
    assert.equal(code, 78, stderr);
    assert.match(stderr, /the clock of this machine says 1970-01-02/);
    assert.ok(!existsSync(folder));
  });
});
