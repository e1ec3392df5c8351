/** Steps of the market clock that are asked for at one instant, on an engine whose time passes as the test lets it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SMALL_INSTRUMENTS, SmallMarket } from '../../../../test/kit/journal/small-market.ts';
import { PacedService } from '../../../../test/kit/paced-service.ts';
import { testPorts } from '../../../../test/kit/ports.ts';
import { formatIstMoment, type IstDay, istInstant, MINUTE_MS, type WallMs } from '../../../base/time.ts';
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
  for (const error of refused) assert.match(error, /(another step begins|a step to .* goes on): wait for it/);
});

test('a step that is refused or over leaves room for the next one', async () => {
  const { service, desk } = clockDesk();
  assert.ok(!(await service.untilDone(desk.to('2020-01-01T10:00:00', GROUNDS))).ok);
  for (const minutes of [1, 2]) {
    assert.ok((await service.untilDone(desk.step({ for: '1m' }, GROUNDS))).ok);
    assert.equal(service.engine.now(), START + minutes * MINUTE_MS);
  }
});
