import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST_DAY } from '../../../test/kit/money/listed.ts';
import { World } from '../../../test/kit/money/world.ts';
import { withOperatorPort } from '../../../test/kit/operator-port.ts';
import { testPorts } from '../../../test/kit/ports.ts';
import { worldEngine } from '../../../test/kit/world-engine.ts';
import { CommandFailed, EXIT_FAILED, EXIT_USAGE } from '../../os/command-failed.ts';
import { AccessOperations } from './access-operations.ts';

interface Opened {
  readonly run: (...args: string[]) => Promise<string>;
  readonly world: World;
  readonly logged: string[];
  readonly post: (path: string, body: object) => Promise<Response>;
}

/**
 * A running operator's port over a core with the users ASHA and RAVI, and the command line that talks to it as the user
 * `desk`.
 */
async function opened(body: (parts: Opened) => Promise<void>): Promise<void> {
  const world = new World(testPorts(), FIRST_DAY);
  for (const userId of ['ASHA', 'RAVI']) world.user(userId, 0);
  const logged: string[] = [];
  const engine = worldEngine(world);
  const access = new AccessOperations({ engine, log: (message) => logged.push(message) });
  await withOperatorPort(
    () => ({ access }),
    { user: 'desk' },
    ({ run, post }) => body({ run, world, logged, post }),
  );
}

test('users are listed with their sessions, their addresses and their rates', () =>
  opened(async ({ run }) => {
    const before =
      'API key good until 2027-11-22; sessions 0, orders today 0; orders from anywhere, at the rate of the service';
    const plain = ` (demo) (without one-time codes); ${before}`;
    assert.equal(await run('users'), `ASHA ASHA${plain}\nRAVI RAVI${plain}`);
    await run('user', 'addresses', 'ASHA', '203.0.113.1', '2001:DB8::0:1', '--why', 'asked');
    await run('user', 'rate', 'ASHA', '50', '--algo', '123456789012', '--why', 'registered');
    const [asha] = (await run('user', 'list')).split('\n');
    assert.match(
      asha ?? '',
      /orders from 203\.0\.113\.1 and 2001:db8::1 since .+ only, 50 a second by the algorithm 123456789012$/,
    );
    const rows = JSON.parse(await run('users', 'list', '--json'));
    assert.deepEqual(rows[0].addresses, ['203.0.113.1', '2001:db8::1']);
    assert.deepEqual(rows[0].orderRate, { perSecond: 50, algoId: '123456789012' });
    assert.deepEqual([rows[1].fixed, rows[1].addresses, rows[1].orderRate], [false, [], undefined]);
  }));

test('the journal and the log name the operator and the reason', () =>
  opened(async ({ run, world, logged }) => {
    await run('user', 'addresses', 'ASHA', '203.0.113.1', '--why', 'form 7');
    await run('user', 'rate', 'ASHA', '5', '--why', 'slow it', '--by', 'ravi');
    const grounds = world.records.slice(-2).map(({ command }) => 'why' in command && [command.by, command.why]);
    assert.deepEqual(grounds, [
      ['desk', 'form 7'],
      ['ravi', 'slow it'],
    ]);
    assert.deepEqual(logged, [
      'orders of ASHA come from 203.0.113.1 only, by desk: form 7',
      'orders of ASHA are 5 a second at most, by ravi: slow it',
    ]);
  }));

test('both are lifted by the same command', () =>
  opened(async ({ run }) => {
    await run('user', 'addresses', 'ASHA', '203.0.113.1', '--why', 'form 7');
    await run('user', 'rate', 'ASHA', '5', '--why', 'slow it');
    const lifted = await run('user', 'addresses', 'ASHA', '--lift', '--why', 'asked');
    assert.match(lifted, /orders from anywhere \(registered: 203\.0\.113\.1 since .+\), 5 a second$/);
    assert.match(await run('user', 'rate', 'ASHA', '--lift', '--why', 'asked'), /at the rate of the service$/);
  }));

test('a risk group is changed in parts, listed, logged and lifted', () =>
  opened(async ({ run, world, logged }) => {
    const set = (...args: string[]) => run('user', 'risk-group', 'ASHA', ...args, '--why', 'form 9');
    const usual = await run('users');
    const first = await set('--group', 'HNI 2', '--cap', '25000000.50');
    const all = 'C, M, I on NSE, BSE, NFO, BFO';
    assert.match(first, /, at the rate of the service; they are of the risk group HNI 2: /);
    assert.ok(first.endsWith(`HNI 2: ${all}, in cash up to INR 25000000.50`), first);
    const seq = world.state.seq;
    assert.equal(await set('--cap', '25000000.5'), first);
    assert.equal(world.state.seq, seq, 'it is so already');
    await set('--products', 'I,C', '--exchanges', 'NSE');
    assert.deepEqual(JSON.parse(await run('users', 'list', '--json'))[0].riskGroup, {
      name: 'HNI 2',
      orderValueCap: '25000000.50',
      products: ['C', 'I'],
      exchanges: ['NSE'],
    });
    assert.equal(`${await set('--lift')}\n${usual.split('\n')[1]}`, usual);
    assert.equal(logged.length, 4);
    const words = 'orders of ASHA are of the risk group HNI 2: C, I on NSE, in cash up to INR 25000000.50';
    assert.equal(logged[2], `${words}, by desk: form 9`);
    assert.equal(logged[3], 'orders of ASHA are of the usual risk group, by desk: form 9');
    const last = world.records.at(-1)?.events;
    assert.deepEqual(last, [{ type: 'RiskGroupSet', account: 0, by: 'desk', why: 'form 9' }]);
  }));

test('a setting of access that cannot be is refused with the reason', () =>
  opened(async ({ run, world }) => {
    const { seq } = world.state;
    const refusals: readonly (readonly [args: string, words: RegExp, exitCode?: number])[] = [
      ['addresses NOBODY 203.0.113.1', /no user NOBODY/],
      ['addresses ASHA example.com', /"example.com" is not an IP address/],
      ['addresses ASHA 203.0.113.1 203.0.113.1', /there twice/],
      ['addresses ASHA', /^$/, EXIT_USAGE],
      ['addresses ASHA 203.0.113.1 --lift', /^$/, EXIT_USAGE],
      ['rate ASHA', /^$/, EXIT_USAGE],
      ['rate ASHA 11', /registered algorithm/],
      ['rate ASHA 0', /^<perSecond> must/, EXIT_USAGE],
      ['rate ASHA 1.5', /^<perSecond> must/, EXIT_USAGE],
      ['rate ASHA 20 --algo 7', /^--algo must/, EXIT_USAGE],
      ['rate NOBODY 5', /no user NOBODY/],
      ['risk-group NOBODY --group HNI', /no user NOBODY/],
      ['risk-group ASHA', /^$/, EXIT_USAGE],
      ['risk-group ASHA --group HNI --lift', /^$/, EXIT_USAGE],
      ['risk-group ASHA --group A\u0007B', /^--group must match pattern/, EXIT_USAGE],
      ['risk-group ASHA --group [HNI]', /^--group must match pattern/, EXIT_USAGE],
      [`risk-group ASHA --group ${'A'.repeat(33)}`, /^--group must match pattern/, EXIT_USAGE],
      [
        'risk-group ASHA --cap 0',
        /^--cap must be above 0 and at most 100000000000\.00, in rupees and whole paise/,
        EXIT_USAGE,
      ],
      ['risk-group ASHA --cap -5', /^--cap must/, EXIT_USAGE],
      ['risk-group ASHA --cap 1e5', /^--cap must/, EXIT_USAGE],
      ['risk-group ASHA --cap 10.005', /^--cap must/, EXIT_USAGE],
      ['risk-group ASHA --cap 100000000000.01', /^--cap must/, EXIT_USAGE],
      ['risk-group ASHA --products C,X', /^--products must be one of C, M, I/, EXIT_USAGE],
      ['risk-group ASHA --products C,M,I,C', /^--products must NOT have more than 3 items/, EXIT_USAGE],
      ['risk-group ASHA --exchanges MCX', /^--exchanges must be one of NSE, BSE, NFO, BFO/, EXIT_USAGE],
    ];
    for (const [args, words, exitCode = EXIT_FAILED] of refusals) {
      await assert.rejects(run('user', ...args.split(' '), '--why', 'a test'), (error) => {
        assert.ok(error instanceof CommandFailed, args);
        assert.match(error.message, words, args);
        assert.equal(error.exitCode, exitCode, args);
        return true;
      });
    }
    assert.equal(world.state.accounts.at(0)?.access, undefined);
    assert.equal(world.state.accounts.at(0)?.riskGroup, undefined);
    await run('user', 'addresses', 'ASHA', '203.0.113.1', '--why', 'asked');
    await assert.rejects(run('user', 'addresses', 'ASHA', '203.0.113.2', '--why', 'asked'), /once a week/);
    assert.ok(world.state.seq > seq);
  }));

test('the port takes no other words than those of its actions', () =>
  opened(async ({ post }) => {
    for (const [path, body, status] of [
      ['/users/ASHA/addresses', { addresses: ['::1', '::2', '::3'], by: 'x', why: 'y' }, 400],
      ['/users/ASHA/addresses', { addresses: '::1', by: 'x', why: 'y' }, 400],
      ['/users/ASHA/addresses', { addresses: [], by: 'x' }, 400],
      ['/users/ASHA/order-rate', { algoId: '123456789012', by: 'x', why: 'y' }, 400],
      ['/users/ASHA/order-rate', { perSecond: 5, more: 1, by: 'x', why: 'y' }, 400],
      ['/users/NOBODY/order-rate', { perSecond: 5, by: 'x', why: 'y' }, 409],
      ['/users/ASHA/risk-group', { group: 'HNI', by: 'x' }, 400],
      ['/users/ASHA/risk-group', { orderValueCap: 5, by: 'x', why: 'y' }, 400],
      ['/users/ASHA/risk-group', { products: [], by: 'x', why: 'y' }, 400],
      ['/users/ASHA/risk-group', { exchanges: 'NSE', by: 'x', why: 'y' }, 400],
      ['/users/ASHA/risk-group', { name: 'HNI', by: 'x', why: 'y' }, 400],
      ['/users/NOBODY/risk-group', { group: 'HNI', by: 'x', why: 'y' }, 409],
    ] as const) {
      const response = await post(path, body);
      assert.equal(response.status, status, path);
      assert.ok(((await response.json()) as { error: string }).error);
    }
  }));
