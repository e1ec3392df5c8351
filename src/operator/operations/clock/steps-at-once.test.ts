/** Steps that are asked for at once, of a market that runs, and from the command line; a test lets the time pass. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SMALL_INSTRUMENTS, SmallMarket } from '../../../../test/kit/journal/small-market.ts';
import { withOperatorPort } from '../../../../test/kit/operator-port.ts';
import { PacedService } from '../../../../test/kit/paced-service.ts';
import { testPorts } from '../../../../test/kit/ports.ts';
import {
  type EpochMs,
  formatIstMoment,
  formatIstTime,
  type IstDay,
  istInstant,
  MINUTE_MS,
  SECOND_MS,
  type WallMs,
} from '../../../base/time.ts';
import { EXIT_FAILED, EXIT_USAGE } from '../../../os/command-failed.ts';
import { ClockOperations } from '../clock-operations.ts';

const START = istInstant(20_500 as IstDay, 36_000_000);
const NO_CONTRACTS = { underlyingOf: () => undefined, expiries: () => [], chain: () => [] };
const GROUNDS = { by: 'desk', why: 'a lesson' };

function clockDesk(): { readonly service: PacedService; readonly desk: ClockOperations } {
  const market = new SmallMarket();
  const ports = testPorts({ instruments: SMALL_INSTRUMENTS, market });
  const service = new PacedService({ ports, start: START, seed: 1 });
  const { engine } = service;
  const desk = new ClockOperations({
    engine,
    market,
    instruments: NO_CONTRACTS,
    rest: () => engine.rest(),
    wall: () => START as number as WallMs,
    timeLostMs: () => 0,
    log: () => undefined,
  });
  return { service, desk };
}

test('of steps that are asked for at once one is made, and the others are refused', async () => {
  const { service, desk } = clockDesk();
  const asked = [desk.step({ for: '5m' }, GROUNDS), desk.step({ for: '1h' }, GROUNDS), desk.to('18:00:00', GROUNDS)];
  const answers = await service.untilDone(Promise.all(asked));
  const made = answers.flatMap((answer) => (answer.ok ? [answer.value.market] : []));
  assert.deepEqual(made, [formatIstMoment(service.engine.now())]);
  const refused = answers.flatMap((answer) => (answer.ok ? [] : [answer.error]));
  assert.equal(refused.length, 2);
  for (const error of refused) assert.match(error, /a step to .* goes on: wait for it/);
});

test('a step that is refused or over leaves room for the next one', async () => {
  const { service, desk } = clockDesk();
  assert.ok(!(await service.untilDone(desk.to('2020-01-01T10:00:00', GROUNDS))).ok);
  for (const minutes of [1, 2]) {
    assert.ok((await service.untilDone(desk.step({ for: '1m' }, GROUNDS))).ok);
    assert.equal(service.engine.now(), START + minutes * MINUTE_MS);
  }
});

test('a step of a market that runs lets exactly its time pass, and leaves a market that stands', async () => {
  for (const speed of [60, 3_600, 'max'] as const) {
    for (const length of [1, 10_000]) {
      const { service, desk } = clockDesk();
      await service.setSpeed(speed);
      await service.passUntil((START + MINUTE_MS) as EpochMs);
      const made = await service.untilDone(desk.step({ for: `${length}ms` }, GROUNDS));
      assert.ok(made.ok && made.value.speed === 0, `${length} ms at ${speed}`);
      const begun = service.records().findLast(({ events }) => events.some((event) => 'until' in event));
      assert.equal(service.engine.now() - (begun?.at ?? 0), length);
    }
  }
});

test('a running market comes to the instant of a step and stands there, or has passed it and the step is refused', async () => {
  const outcomes = new Set<boolean>();
  for (const speed of [3_600, 'max'] as const) {
    for (const ahead of [1, 8, 3_600]) {
      const { service, desk } = clockDesk();
      await service.setSpeed(speed);
      await service.passUntil((START + MINUTE_MS) as EpochMs);
      const end = (Math.floor(service.engine.now() / SECOND_MS + ahead) * SECOND_MS) as EpochMs;
      const made = await service.untilDone(desk.to(formatIstTime(end), GROUNDS));
      outcomes.add(made.ok);
      if (made.ok) assert.deepEqual([service.engine.now(), made.value.speed], [end, 0]);
      else assert.match(made.error, /is over/);
      const report = await service.untilDone(desk.show());
      assert.equal(report.speed, made.ok ? 0 : speed);
    }
  }
  assert.deepEqual([...outcomes].sort(), [false, true]);
});

test('the command line refuses a step in its own words, and says whether its form is wrong or the market refuses it', async () => {
  const { service, desk } = clockDesk();
  const why = ['--why', 'a drill'];
  const refused: [line: string[], exitCode: number, message: RegExp][] = [
    [['step', '5x', ...why], EXIT_USAGE, /^<length>: it must be 90s/],
    [['step', '5m', '--why', ''], EXIT_USAGE, /^--why must NOT have fewer/],
    [['step', 'event', ...why], EXIT_USAGE, /^$/],
    [['step', 'event', '--user', 'NOBODY', ...why], EXIT_FAILED, /^--user: there is no user NOBODY/],
    [['step', 'event', '--user', 'N'.repeat(65), ...why], EXIT_USAGE, /^--user must NOT have more/],
    [['to', 'noon', ...why], EXIT_USAGE, /^<instant>: it must be 15:14:59/],
    [['to', '2020-01-01T10:00:00', ...why], EXIT_FAILED, /^<instant>: .* is over/],
    [['run', 'x60', ...why, '--by', 'x'.repeat(101)], EXIT_USAGE, /^--by must NOT have more/],
  ];
  await withOperatorPort(
    () => ({ clock: desk }),
    { user: 'asha' },
    async ({ run }) => {
      for (const [line, exitCode, message] of refused) {
        await assert.rejects(service.untilDone(run('clock', ...line)), { exitCode, message }, line.join(' '));
      }
      assert.match(await service.untilDone(run('clock', 'step', '1m', ...why)), /stands still/);
    },
  );
});
