import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST_DAY, listed, NIFTY_FUTURE, RELIANCE } from '../../../test/kit/money/listed.ts';
import { StillMarket } from '../../../test/kit/money/still-market.ts';
import { World } from '../../../test/kit/money/world.ts';
import { type Desks, withOperatorPort } from '../../../test/kit/operator-port.ts';
import { testPorts } from '../../../test/kit/ports.ts';
import { worldEngine } from '../../../test/kit/world-engine.ts';
import { formatIsoDay, type WallMs } from '../../base/time.ts';
import type { Command } from '../../core/command.ts';
import type { InstrumentDirectory } from '../../core/instrument.ts';
import type { Reply } from '../../core/reply.ts';
import { CommandFailed, EXIT_FAILED, EXIT_USAGE } from '../../os/command-failed.ts';
import { applyToViews, emptyViews } from '../../views/views.ts';
import type { LimitReport } from '../cli/reports/limit-report.ts';
import { BanOperations } from './ban-operations.ts';
import { UserOperations } from './user-operations.ts';

const NOW = 1_790_000_000_000 as WallMs;

/** A running operator's port over a core of its own, and the command line that talks to it. */
async function opened(
  body: (run: (line: string) => Promise<string>, world: World, market: StillMarket) => Promise<void>,
): Promise<void> {
  const market = new StillMarket();
  market.quotes.set(RELIANCE.id, { bid: 1_000_00, ask: 1_000_00, last: 1_000_00 });
  market.quotes.set(NIFTY_FUTURE.id, { bid: 24_000_00, ask: 24_000_00, last: 24_000_00 });
  const world = new World(testPorts({ market }), FIRST_DAY);
  await withOperatorPort(
    () => desksOf(world),
    { now: () => NOW },
    ({ run }) => body((line) => run(...line.split(' ')), world, market),
  );
}

function desksOf(world: World): Desks {
  const views = emptyViews();
  const submit = (command: Command): Reply => {
    const { events, reply } = world.submit(command);
    applyToViews(views, world.state, world.at, events);
    return reply;
  };
  const engine = worldEngine(world, { submit, views });
  const symbols = new Map([['RELIANCE-EQ', RELIANCE]]);
  const find: InstrumentDirectory['find'] = (_, symbol) => symbols.get(symbol);
  const instruments = { get: listed.get, find } as unknown as InstrumentDirectory;
  const users = new UserOperations({
    engine,
    instruments,
    enrol: async () => 'sealed',
    priceOf: () => 1_000_00 as never,
  });
  return { users, bans: new BanOperations({ engine, instruments }) };
}

async function refused(done: Promise<string>, message: RegExp): Promise<void> {
  await assert.rejects(done, (error) => {
    assert.ok(error instanceof CommandFailed);
    assert.equal(error.exitCode, EXIT_FAILED);
    assert.match(error.message, message);
    return true;
  });
}

test('an operator pays in and out, pledges and releases, and reads what each limit is made of', () =>
  opened(async (run, world) => {
    await run('user add AB1234 --name A --email a@example.com');
    assert.equal(await run('user deposit AB1234 500000 --opening'), 'AB1234 has 500000 rupees more');
    assert.equal(await run('users payin AB1234 100000.50'), 'AB1234 has 100000.50 rupees more');
    assert.equal(await run('users payout AB1234 0.50'), 'AB1234 has 0.50 rupees less');
    await refused(run('users payout AB1234 600000.01'), /^INR 600000\.01 cannot be paid out: INR 600000\.00 is free/);
    await refused(run('users payout AB1234 -5'), /rupees must be an amount above 0|unknown option/);
    await refused(run('users payout ZZ9999 5'), /^there is no user ZZ9999$/);
    await run('user credit AB1234 RELIANCE-EQ 150');
    await run('user credit AB1234 RELIANCE 50');
    for (const units of ['0x10', '1e2', '1.5', '+1', '']) {
      for (const command of ['user credit', 'pledge', 'release']) {
        await assert.rejects(run(`${command} AB1234 RELIANCE-EQ ${units}`), { exitCode: EXIT_USAGE }, units);
      }
    }
    assert.equal(await run('pledge AB1234 RELIANCE-EQ 150'), '150 RELIANCE-EQ of AB1234 are pledged');
    await refused(run('pledge AB1234 RELIANCE-EQ 51'), /^51 shares cannot be pledged: 50 are settled/);
    await refused(run('pledge AB1234 ITC-EQ 1'), /^there is no share ITC-EQ on NSE$/);
    assert.equal(await run('release AB1234 RELIANCE-EQ 50'), '50 RELIANCE-EQ of AB1234 are released');
    await refused(run('release AB1234 RELIANCE-EQ 101'), /^101 shares cannot be released: 100 are pledged$/);
    assert.equal(await run('pledge AB1234 RELIANCE 1'), '1 RELIANCE of AB1234 are pledged');
    assert.equal(await run('release AB1234 RELIANCE 1'), '1 RELIANCE of AB1234 are released');
    const report = JSON.parse(await run('explain limit AB1234 --json')) as LimitReport;
    assert.equal(report.userId, 'AB1234');
    const amounts = Object.fromEntries(report.figures.map(({ name, amount }) => [name, amount]));
    const { collateral } = world.account(0 as never).books;
    assert.ok(collateral > 0);
    assert.equal(amounts.totalMargin, (600_000 + collateral / 100).toFixed(2));
    const text = await run('explain limit AB1234');
    assert.match(
      text,
      /^limits of AB1234, in rupees\ncash +500000\.00\n +\d\d:\d\d:\d\d +500000\.00 {2}opening balance\n/,
    );
    assert.match(text, /^payin +100000\.00\n.* 100000\.50 {2}paid in\n.* -0\.50 {2}paid out$/m);
    assert.match(text, /^collateral .*\n.*100 RELIANCE.* pledged, after haircut$/m);
    await refused(run('explain limit ZZ9999'), /^there is no user ZZ9999$/);
  }));

test('a credit that costs more than is counted exactly is refused with words, and the service goes on', async () => {
  const world = new World(testPorts(), FIRST_DAY);
  world.user('AB1234', 0);
  const shares = { exchange: 'NSE', symbol: 'RELIANCE-EQ', quantity: 999_999_999 };
  await withOperatorPort(
    () => desksOf(world),
    { now: () => NOW },
    async ({ post }) => {
      const answerTo = async (price: string): Promise<unknown> => {
        const answer = await post('/users/AB1234/holdings', { ...shares, price });
        return [answer.status, ((await answer.json()) as { error: unknown }).error];
      };
      assert.deepEqual(await answerTo('999999999'), [
        400,
        'that number of shares at that price costs more than is counted exactly',
      ]);
      assert.deepEqual(await answerTo('90000'), [
        409,
        'all accounts together would have more shares, or shares worth more, than the service counts exactly',
      ]);
    },
  );
});

test('bodies of funds that the schema does not know are refused with words', async () => {
  const world = new World(testPorts(), FIRST_DAY);
  const bodies: [path: string, payload: object][] = [
    ['payouts', {}],
    ['payouts', { rupees: '0' }],
    ['payouts', { rupees: '1', opening: true }],
    ['pledges', { exchange: 'NSE', symbol: 'RELIANCE-EQ', quantity: 0 }],
    ['releases', { exchange: 'NFO', symbol: 'RELIANCE-EQ', quantity: 1 }],
  ];
  await withOperatorPort(
    () => desksOf(world),
    { now: () => NOW },
    async ({ address, post }) => {
      for (const [path, payload] of bodies) {
        const answer = await post(`/users/AB1234/${path}`, payload);
        assert.equal(answer.status, 400, `${path} ${JSON.stringify(payload)}`);
        assert.equal(typeof ((await answer.json()) as { error: unknown }).error, 'string');
      }
      assert.equal((await fetch(`${address}/users/AB1234/limit`)).status, 401);
    },
  );
});

test('an operator keeps the list of underlyings in their ban period', () =>
  opened(async (run, world) => {
    assert.equal(await run('ban list'), 'no underlying is banned');
    assert.equal(await run('ban add RELIANCE'), 'the ban period of RELIANCE-EQ on NSE has begun');
    assert.equal(await run('ban add RELIANCE-EQ'), 'the ban period of RELIANCE-EQ on NSE has begun');
    assert.deepEqual([...world.state.banned], [RELIANCE.id]);
    assert.equal(await run('ban list'), 'NSE RELIANCE-EQ: set by an operator');
    assert.deepEqual(JSON.parse(await run('ban list --json')), [
      { exchange: 'NSE', symbol: 'RELIANCE-EQ', reason: 'operator' },
    ]);
    await refused(run('ban add ITC'), /^there is no share ITC on NSE$/);
    assert.equal(await run('ban remove RELIANCE'), 'the ban period of RELIANCE-EQ on NSE is over');
    assert.equal(world.state.banned.size, 0);
  }));

test('the list of ban periods shows those of the limit with their figures, and an operator ends only his own', () =>
  opened(async (run, world, market) => {
    market.positions.set(RELIANCE.id, { openInterest: 97_219, limit: 100_000 });
    world.submit({ type: 'ReviewBan', underlying: RELIANCE.id });
    const since = formatIsoDay(FIRST_DAY);
    const line = `NSE RELIANCE-EQ: since ${since}, as open interest was 97.2 % of its limit (97219 of 100000 units)`;
    assert.equal(await run('ban list'), line);
    const figures = { since, openInterest: 97_219, limit: 100_000 };
    assert.deepEqual(JSON.parse(await run('ban list --json')), [
      { exchange: 'NSE', symbol: 'RELIANCE-EQ', reason: 'limit', ...figures },
    ]);
    await run('ban add RELIANCE');
    assert.equal(await run('ban list'), `NSE RELIANCE-EQ: set by an operator\n${line}`);
    assert.equal(
      await run('ban remove RELIANCE'),
      'the ban period that operators set of RELIANCE-EQ on NSE is over; that of the limit of positions goes on',
    );
    assert.equal(await run('ban list'), line);
  }));
