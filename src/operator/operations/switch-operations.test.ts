import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cancelsOf } from '../../../test/kit/cancels-of.ts';
import { FIRST_DAY, GROSS, listed, NIFTY, NIFTY_FUTURE, RELIANCE } from '../../../test/kit/money/listed.ts';
import { StillMarket } from '../../../test/kit/money/still-market.ts';
import { rupees, World } from '../../../test/kit/money/world.ts';
import { withOperatorPort } from '../../../test/kit/operator-port.ts';
import { testPorts } from '../../../test/kit/ports.ts';
import { worldEngine } from '../../../test/kit/world-engine.ts';
import type { Command } from '../../core/command.ts';
import type { InstrumentDirectory } from '../../core/instrument.ts';
import type { Reply } from '../../core/reply.ts';
import { CommandFailed, EXIT_FAILED, EXIT_USAGE } from '../../os/command-failed.ts';
import { SwitchOperations } from './switch-operations.ts';

interface Opened {
  readonly run: (...args: string[]) => Promise<string>;
  readonly world: World;
  readonly logged: string[];
  readonly post: (path: string, body: object) => Promise<Response>;
}

/** A running operator's port over a core of its own, and the command line that talks to it as a user. */
async function opened(body: (parts: Opened) => Promise<void>, user = 'asha'): Promise<void> {
  const market = new StillMarket();
  market.quotes.set(RELIANCE.id, { bid: 999_00, ask: 1_001_00, last: 1_000_00, band: [900_00, 1_100_00] });
  const world = new World(testPorts({ market }), FIRST_DAY);
  const logged: string[] = [];
  await withOperatorPort(
    () => ({ switches: deskOf(world, logged) }),
    { user },
    ({ run, post }) => body({ run, world, logged, post }),
  );
}

/** Operations over a core that cancels what is killed as the engine does: with the switch. */
function deskOf(world: World, logged: string[]): SwitchOperations {
  const submit = (command: Command): Reply => {
    const { reply } = world.submit(command);
    if (command.type === 'SetSwitch') for (const cancel of cancelsOf(world.state)) world.submit(cancel);
    return reply;
  };
  const engine = worldEngine(world, { submit });
  const all = [RELIANCE, GROSS, NIFTY, NIFTY_FUTURE];
  const instruments = {
    get: listed.get,
    find: (exchange: string, symbol: string) =>
      all.find((one) => one.exchange === exchange && one.tradingSymbol === symbol),
  } as unknown as InstrumentDirectory;
  return new SwitchOperations({ engine, instruments, log: (message) => logged.push(message) });
}

async function fails(done: Promise<string>, message: RegExp, exitCode = EXIT_FAILED): Promise<void> {
  await assert.rejects(done, (error) => {
    assert.ok(error instanceof CommandFailed, String(error));
    assert.equal(error.exitCode, exitCode);
    assert.match(error.message, message);
    return true;
  });
}

test('risk reduction mode is set on one exchange or on all, listed and lifted', async () => {
  await opened(async ({ run, world, post }) => {
    const why = ['--why', '87 % of the collateral is used'];
    assert.equal(await run('risk-reduction', 'NFO', ...why), 'risk reduction mode on NFO is on');
    assert.match(
      await run('switches'),
      /^risk reduction mode on NFO is on since .*, by asha: 87 % of the collateral is used$/,
    );
    const all = ['NSE is on', 'NFO is on already', 'BSE is on', 'BFO is on'];
    assert.equal((await run('risk-reduction', 'all', ...why)).split('\n').length, all.length);
    assert.equal(await run('risk-reduction', 'NFO', '--lift', ...why), 'risk reduction mode on NFO is off');
    assert.equal(world.state.switches.size, 3);
    assert.equal((await post('/switches', { kind: 'RiskReduction', on: true, by: 'asha', why: 'x' })).status, 400);
  });
});

test('a switch is set and lifted with who and why, and listed while it is on', async () => {
  await opened(async ({ run, world, logged }) => {
    const why = ['--why', 'corporate news'];
    assert.equal(await run('switches'), 'nothing is held up');
    assert.equal(await run('suspend', 'RELIANCE', ...why), 'trading in NSE RELIANCE-EQ is suspended');
    assert.equal(await run('halt', 'NFO', ...why), 'trading on NFO is halted');
    assert.equal(await run('halt', 'NFO', '--why', 'once more'), 'trading on NFO is halted already');
    assert.match(
      await run('switches'),
      /^trading in NSE RELIANCE-EQ is suspended since \d{4}-\d\d-\d\d 10:00:00, by asha: corporate news\ntrading on NFO is halted since .*, by asha: corporate news$/,
    );
    const set = world.records.flatMap(({ events }) => events.filter((event) => event.type === 'SwitchSet'));
    assert.deepEqual(
      set.map(({ by, why: reason, on }) => [by, reason, on]),
      [
        ['asha', 'corporate news', true],
        ['asha', 'corporate news', true],
      ],
    );
    assert.equal(
      await run('suspend', 'RELIANCE-EQ', '--lift', '--why', 'news out'),
      'trading in NSE RELIANCE-EQ is not suspended',
    );
    const rows = JSON.parse(await run('switches', '--json')) as { kind: string; name: string }[];
    assert.deepEqual(
      rows.map(({ kind, name }) => [kind, name]),
      [['Halt', 'NFO']],
    );
    assert.equal(logged.at(-1), 'Suspension NSE RELIANCE-EQ is lifted by asha: news out');
    assert.equal(logged.length, 3);
    const halted = await run('halt', 'all', '--why', 'a drill', '--by', 'binu');
    assert.deepEqual(halted.split('\n'), [
      'trading on NSE is halted',
      'trading on BSE is halted',
      'trading on NFO is halted already',
      'trading on BFO is halted',
    ]);
    assert.match(await run('switches'), /trading on BFO is halted since .*, by binu: a drill$/);
  });
});

test('a kill switch says how many orders it cancelled', async () => {
  await opened(async ({ run, world }) => {
    const [one, two] = ['DEMO1', 'DEMO2'].map((userId) => world.user(userId, rupees(1_000_000))) as [never, never];
    const order = { of: RELIANCE.id, side: 'B', units: 1, at: 990_00, product: 'I' } as const;
    for (const by of [one, one, two]) world.place({ ...order, by });
    const why = ['--why', 'runaway'];
    assert.equal(
      await run('kill', 'account', 'DEMO1', ...why),
      'the kill switch of DEMO1 is on; open orders that it cancelled: 2',
    );
    assert.equal(await run('kill', 'account', 'DEMO1', ...why), 'the kill switch of DEMO1 is on already');
    assert.equal(
      await run('kill', 'instrument', 'RELIANCE-EQ', ...why),
      'the kill switch of NSE RELIANCE-EQ is on; open orders that it cancelled: 1',
    );
    assert.equal(await run('kill', 'all', ...why), 'the kill switch of all is on; open orders that it cancelled: 0');
    assert.equal(await run('kill', 'all', '--lift', ...why), 'the kill switch of all is off');
    assert.deepEqual([...world.state.switches.keys()].length, 2);
    assert.ok([...world.state.orders.values()].every(({ status }) => status === 'Cancelled'));
  });
});

test('a band is widened to a share of its base, and never narrowed', async () => {
  await opened(async ({ run, world }) => {
    const why = ['--why', 'volatile'];
    assert.equal(
      await run('widen', 'RELIANCE', '15', ...why),
      'NSE RELIANCE-EQ takes prices from 850.00 to 1150.00 until the day ends',
    );
    await fails(run('widen', 'RELIANCE', '12', ...why), /the band from INR 850\.00 to INR 1150\.00 is as wide already/);
    await fails(run('widen', 'RELIANCE', '0', ...why), /^<percent> must be/, EXIT_USAGE);
    await fails(run('widen', 'NOBODY', '15', ...why), /there is no instrument NOBODY on NSE/);
    await fails(run('widen', 'NIFTY', '15', ...why), /16387/);
    assert.deepEqual([...world.state.widenedBands.keys()], [RELIANCE.id]);
  });
});

test('a share without contracts gets another band from the next trading day on, other instruments none', async () => {
  await opened(async ({ run, world }) => {
    const why = ['--why', 'surveillance'];
    assert.match(
      await run('band', 'GROSS-BE', '5', ...why),
      /^NSE GROSS-BE has a price band of 5 % from 20\d\d-\d\d-\d\d on$/,
    );
    assert.match(await run('band', 'GROSS-BE', '5', ...why), /of 5 % from/, 'it is so already');
    await fails(run('band', 'RELIANCE', '5', ...why), /only a share without futures and options has a fixed band/);
    await fails(run('band', 'NOBODY', '5', ...why), /there is no instrument NOBODY on NSE/);
    await fails(run('band', 'GROSS-BE', '7', ...why), /^<percent> must be one of 2, 5, 10, 20$/, EXIT_USAGE);
    const [{ instrument, percent } = { instrument: 0, percent: 0 }, ...others] = world.state.shareBands;
    assert.deepEqual([instrument, percent, others.length], [GROSS.id, 5, 0]);
  });
});

test('an operator whose shell gives no name is logged as the operator', async () => {
  await opened(async ({ run }) => {
    await run('kill', 'all', '--why', 'x');
    assert.match(await run('switches'), /, by operator: x$/);
  }, '');
});

test('a switch on something that cannot be held up is refused in words', async () => {
  await opened(async ({ run, world, post }) => {
    await fails(run('suspend', 'NOBODY', '--why', 'x'), /there is no instrument NOBODY on NSE/);
    await fails(run('kill', 'account', 'NOBODY', '--why', 'x'), /there is no user NOBODY/);
    await fails(run('halt', 'nse', '--why', 'x'), /^<exchange> must be one of NSE, BSE, NFO, BFO$/, EXIT_USAGE);
    await fails(
      run('halt', 'NSE', '--why', 'two\nlines'),
      /^--why must be text on one line, without control characters$/,
      EXIT_USAGE,
    );
    await fails(run('widen', 'RELIANCE', '1e1', '--why', 'x'), /^$/, EXIT_USAGE);
    await fails(run('band', 'GROSS-BE', '0x5', '--why', 'x'), /^$/, EXIT_USAGE);
    await fails(run('suspend', 'RELIANCE'), /^$/, EXIT_USAGE);
    const grounds = { on: true, by: 'asha', why: 'x' };
    const wrong = [
      { kind: 'FullKill', userId: 'DEMO1' },
      { kind: 'Halt', exchange: 'NSE', symbol: 'RELIANCE' },
      { kind: 'AccountKill' },
      { kind: 'Suspension', symbol: 'RELIANCE' },
    ];
    for (const words of wrong) {
      const answer = await post('/switches', { ...words, ...grounds });
      assert.equal(answer.status, 400, JSON.stringify(words));
      assert.match(((await answer.json()) as { error: string }).error, /FullKill nothing more/);
    }
    assert.equal(world.state.switches.size, 0);
  });
});

test('the open orders of a user are cancelled with who and why, and he may go on trading', async () => {
  await opened(async ({ run, world, logged, post }) => {
    const asha = world.user('ASHA', rupees(10_00_000));
    const resting = { by: asha, of: RELIANCE.id, side: 'B', units: 1, at: 950_00 } as const;
    const orders = [world.place(resting), world.place(resting)];
    const why = ['--why', 'a stuck program'];
    assert.equal(await run('kill', 'orders', 'ASHA', ...why), 'open orders of ASHA that were cancelled: 2');
    assert.deepEqual(
      orders.map(({ number }) => world.order(number).status),
      ['Cancelled', 'Cancelled'],
    );
    assert.equal(world.state.switches.size, 0);
    assert.equal(world.place(resting).status, 'Open');
    assert.deepEqual(logged, [
      'AccountKill ASHA is set by asha: a stuck program',
      'AccountKill ASHA is lifted by asha: a stuck program',
    ]);
    await fails(run('kill', 'orders', 'NOBODY', ...why), /^there is no user NOBODY$/);
    await run('kill', 'account', 'ASHA', '--why', 'for good');
    assert.equal(await run('kill', 'orders', 'ASHA', ...why), 'open orders of ASHA that were cancelled: 0');
    assert.equal(world.state.switches.size, 1, 'a kill switch that was on stays on');
    assert.equal((await post('/users/ASHA/cancellations', { by: 'asha' })).status, 400);
  });
});

test('an account that is killed while its orders are cancelled stays killed', async () => {
  const market = new StillMarket();
  const world = new World(testPorts({ market }), FIRST_DAY);
  world.user('ASHA', rupees(10_00_000));
  const desk = deskOf(world, []);
  const cancelling = desk.cancelOrders('ASHA', { by: 'asha', why: 'a stuck program' });
  const killed = await desk.set({ kind: 'AccountKill', userId: 'ASHA' }, true, { by: 'ravi', why: 'fraud' });
  assert.deepEqual([killed.ok, (await cancelling).ok], [true, true]);
  const isKilledByRavi = async () =>
    assert.deepEqual(
      (await desk.list()).map(({ by, why }) => [by, why]),
      [['ravi', 'fraud']],
    );
  await isKilledByRavi();
  const grounds = { by: 'asha', why: 'once more' };
  await Promise.all([desk.cancelOrders('ASHA', grounds), desk.cancelOrders('ASHA', grounds)]);
  await isKilledByRavi();
  await desk.set({ kind: 'AccountKill', userId: 'ASHA' }, false, { by: 'ravi', why: 'cleared' });
  await desk.cancelOrders('ASHA', { by: 'asha', why: 'a stuck program' });
  assert.equal(world.state.switches.size, 0, 'a cancellation lifts its own switch again');
});
