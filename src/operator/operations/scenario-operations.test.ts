import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST_DAY, listed, NIFTY, RELIANCE } from '../../../test/kit/money/listed.ts';
import { StillMarket } from '../../../test/kit/money/still-market.ts';
import { rupees, World } from '../../../test/kit/money/world.ts';
import { type OperatorPort, withOperatorPort } from '../../../test/kit/operator-port.ts';
import { testPorts } from '../../../test/kit/ports.ts';
import { worldEngine } from '../../../test/kit/world-engine.ts';
import type { InstrumentDirectory } from '../../core/instrument.ts';
import { ScenarioOperations } from './scenario-operations.ts';

const WHY = ['--why', 'a lesson'];

interface Opened extends OperatorPort {
  readonly world: World;
  readonly logged: string[];
  readonly desk: ScenarioOperations;
}

async function opened(scenarios: 'on' | 'off', body: (parts: Opened) => Promise<void>): Promise<void> {
  const market = new StillMarket();
  market.quotes.set(RELIANCE.id, { bid: 999_00, ask: 1_001_00, last: 1_000_00, band: [900_00, 1_100_00] });
  const world = new World(testPorts({ market }), FIRST_DAY);
  world.user('SD1001', rupees(1_000));
  const logged: string[] = [];
  const instruments = {
    get: listed.get,
    find: (exchange: string, symbol: string) =>
      [RELIANCE, NIFTY].find((one) => one.exchange === exchange && one.tradingSymbol === symbol),
  } as unknown as InstrumentDirectory;
  const desk = new ScenarioOperations({
    engine: worldEngine(world, {}),
    instruments,
    scenarios,
    operations: ['placeOrder', 'limit'],
    log: (message) => logged.push(message),
  });
  await withOperatorPort(
    () => ({ scenarios: desk }),
    { user: 'asha' },
    (port) => body({ ...port, world, logged, desk }),
  );
}

test('a rule is set, listed and removed with who and why', async () => {
  await opened('on', async ({ run, get, logged }) => {
    assert.equal(await run('scenario', 'list'), 'no outcome is to come');
    const scope = ['--user', 'SD1001', '--operation', 'placeOrder', '--instrument', 'NSE:RELIANCE', '--count', '2'];
    const added = await run('scenario', 'add', '429', '3', ...scope, ...WHY);
    const text = /^rule (\d+): 429 3 for SD1001, placeOrder, NSE:RELIANCE-EQ, 2 of 2 left, by asha: a lesson$/;
    const id = text.exec(added)?.[1] ?? '';
    assert.match(added, text);
    assert.equal(await run('scenario', 'list'), added);
    const halt = await run(
      'scenario',
      'add',
      'halted',
      '60',
      '--instrument',
      'NSE:RELIANCE-EQ',
      '--by',
      'binu',
      ...WHY,
    );
    assert.match(halt, /: halted 60 for NSE:RELIANCE-EQ, until .* of the market, by binu: a lesson$/);
    const rows = (await (await get('/scenarios')).json()) as readonly { effect: string }[];
    assert.deepEqual(
      rows.map(({ effect }) => effect),
      ['429', 'halted'],
    );
    assert.deepEqual(JSON.parse(await run('scenario', 'list', '--json')), rows);
    assert.equal(await run('scenario', 'remove', id, ...WHY), 'rules that were removed: 1');
    assert.equal(await run('scenario', 'remove', 'all', ...WHY), 'rules that were removed: 1');
    assert.equal(await run('scenario', 'list'), 'no outcome is to come');
    assert.match(
      logged.join('\n'),
      /429 is set as rule .* by asha: a lesson\n.*halted.*\n.*removed.*\nall scenarios are/,
    );
  });
});

test('a rule without a value gets the usual one', async () => {
  await opened('on', async ({ post }) => {
    const answer = await post('/scenarios', { effect: '503', by: 'asha', why: 'x' });
    assert.equal(answer.status, 201);
    const { value, count, left } = (await answer.json()) as Record<string, unknown>;
    assert.deepEqual([value, count, left], [1, 1, 1]);
  });
});

test('a rule that cannot be is refused with its reason', async () => {
  await opened('on', async ({ post, world }) => {
    const grounds = { by: 'asha', why: 'x' };
    const refused = async (body: object, path = '/scenarios'): Promise<readonly [number, string]> => {
      const answer = await post(path, { ...grounds, ...body });
      return [answer.status, ((await answer.json()) as { readonly error: string }).error];
    };
    assert.deepEqual(await refused({ effect: '500', user: 'NOBODY' }), [409, 'there is no user NOBODY']);
    assert.deepEqual(await refused({ effect: '500', operation: 'dance' }), [409, 'there is no operation dance']);
    for (const instrument of ['NSE:NONE', 'RELIANCE', 'XYZ:RELIANCE', ':', 'NSE:']) {
      assert.deepEqual(await refused({ effect: '500', instrument }), [409, `there is no instrument ${instrument}`]);
    }
    const needs = 'slow needs a value from 1 to 60000, in milliseconds';
    assert.deepEqual(await refused({ effect: 'slow', value: 60_001 }), [409, needs]);
    assert.equal((await refused({ effect: 'fire' }))[0], 400);
    assert.equal((await refused({ effect: '500', value: 0.5 }))[0], 400);
    assert.equal((await refused({ effect: '500', other: 1 }))[0], 400);
    assert.deepEqual(await refused({ id: 7 }, '/scenarios/removals'), [409, 'there is no such rule of outcomes']);
    assert.equal(world.state.scenarioRules.size, 0);
  });
});

test('while scenarios are off rules are refused, and those of an earlier start are taken back', async () => {
  await opened('off', async ({ run, desk, world }) => {
    const off = /scenarios are off: start the service with --scenarios on/;
    await assert.rejects(run('scenario', 'add', '500', ...WHY), off);
    await assert.rejects(run('scenario', 'remove', 'all', ...WHY), off);
    const grounds = { by: 'asha', why: 'x' };
    world.submit({ type: 'SetScenario', effect: '500', value: 0, count: 9, ...grounds });
    await desk.clearWhereOff();
    assert.equal(world.state.scenarioRules.size, 0);
    const { seq } = world.state;
    await desk.clearWhereOff();
    assert.equal(world.state.seq, seq, 'nothing is recorded where there is no rule');
  });
});
