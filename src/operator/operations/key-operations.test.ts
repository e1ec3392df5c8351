import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST_DAY } from '../../../test/kit/money/listed.ts';
import { World } from '../../../test/kit/money/world.ts';
import { withOperatorPort } from '../../../test/kit/operator-port.ts';
import { testPorts } from '../../../test/kit/ports.ts';
import { worldEngine } from '../../../test/kit/world-engine.ts';
import { must } from '../../base/assert.ts';
import type { AccountId } from '../../base/ids.ts';
import { DAY_MS, type EpochMs, formatIsoDay, istDay, wallOf } from '../../base/time.ts';
import { accountOf } from '../../core/state.ts';
import { CommandFailed, EXIT_FAILED, EXIT_USAGE } from '../../os/command-failed.ts';
import { AccessOperations } from './access-operations.ts';
import { KeyOperations } from './key-operations.ts';

interface Opened {
  /** Whether the data folder has the file of the demo users. */
  readonly folder: { hasDemoFile: boolean };
  readonly run: (...args: string[]) => Promise<string>;
  readonly world: World;
  readonly asha: AccountId;
  readonly keys: KeyOperations;
  readonly logged: string[];
}

/** A running operator port over a core with ASHA, not a demo user, and RAVI, a demo user. */
async function opened(body: (parts: Opened) => Promise<void>): Promise<void> {
  const ports = testPorts();
  const world = new World(ports, FIRST_DAY);
  const about = { name: 'Asha', email: 'asha@example.com', sealedCredentials: 'sealed', usesTotp: true, demo: false };
  world.submit({ type: 'RegisterUser', userId: 'ASHA', ...about });
  world.user('RAVI', 0);
  const engine = worldEngine(world);
  const folder = { hasDemoFile: true };
  const logged: string[] = [];
  const log = (message: string) => logged.push(message);
  const withApiKey = (userId: string, sealed: string, apiKey: string) => `${sealed} of ${userId} with ${apiKey}`;
  const desks = {
    access: new AccessOperations({ engine, log }),
    keys: new KeyOperations({
      engine,
      withApiKey,
      enrol: async ({ userId, password }) => `${userId} with ${password}`,
      startRenewsDemo: () => folder.hasDemoFile,
      now: () => wallOf(world.at),
      log,
    }),
  };
  const asha = world.state.accountByUser.get('ASHA') as AccountId;
  await withOperatorPort(
    () => desks,
    { user: 'desk' },
    ({ run }) => body({ run, world, asha, logged, keys: desks.keys, folder }),
  );
}

function sealedOf({ state }: World, account: AccountId): string {
  return state.cards.read(accountOf(state, account).card).sealedCredentials;
}

test('a renewed API key is printed once, with the last day on which it is good', () =>
  opened(async ({ run, world, asha, logged }) => {
    world.at = (world.at + 360 * DAY_MS) as EpochMs;
    const printed = await run('user', 'key', 'ASHA', '--why', 'it ends');
    const [, apiKey = ''] = /^ {2}apiKey {6}([0-9a-f]{32})$/m.exec(printed) ?? [];
    assert.equal(sealedOf(world, asha), `sealed of ASHA with ${apiKey}`);
    const until = formatIsoDay((istDay(world.at) + 364) as ReturnType<typeof istDay>);
    assert.match(printed, new RegExp(`^ {2}good until  ${until}$`, 'm'));
    assert.deepEqual(logged, [`ASHA has another API key, good until ${until}, by desk: it ends`]);
    const { command } = world.records.at(-1) ?? {};
    assert.deepEqual(command?.type === 'RenewApiKey' && [command.by, command.why], ['desk', 'it ends']);
    assert.ok((await run('users')).includes(`API key good until ${until}`));
    assert.equal(JSON.parse(await run('users', '--json'))[0].keyGoodUntil, until);
  }));

const WAY = 'sauda user key renews one, a start those of demo users';

test('a start reports keys that have ended, some by name', () =>
  opened(async ({ world, keys, logged }) => {
    await keys.warnOfEndedKeys();
    world.at = (world.at + 364 * DAY_MS) as EpochMs;
    await keys.warnOfEndedKeys();
    assert.deepEqual(logged, []);
    world.at = (world.at + DAY_MS) as EpochMs;
    await keys.warnOfEndedKeys();
    assert.deepEqual(logged.splice(0), [`API keys have ended: ASHA, RAVI; ${WAY}`]);
    const about = { name: 'A', email: 'a@example.com', sealedCredentials: 'sealed', usesTotp: true, demo: false };
    for (let user = 1; user <= 12; user += 1) world.submit({ type: 'RegisterUser', userId: `USER${user}`, ...about });
    world.at = (world.at + 365 * DAY_MS) as EpochMs;
    await keys.warnOfEndedKeys();
    assert.match(
      logged[0] ?? '',
      /^API keys have ended: ASHA, RAVI, USER1, .*USER8 and 4 more; sauda user key renews one/,
    );
  }));

test('a renewal without a user, of a demo user or without a reason changes nothing', () =>
  opened(async ({ run, world }) => {
    const { seq } = world.state;
    const refused = (code: number, words: RegExp) => (error: unknown) =>
      error instanceof CommandFailed && error.exitCode === code && words.test(error.message);
    await assert.rejects(run('user', 'key', 'NOBODY', '--why', 'x'), refused(EXIT_FAILED, /no user NOBODY/));
    await assert.rejects(run('user', 'key', 'RAVI', '--why', 'x'), refused(EXIT_FAILED, /RAVI is a demo user/));
    await assert.rejects(run('user', 'key', 'ASHA'), refused(EXIT_USAGE, /^$/));
    assert.equal(world.state.seq, seq);
  }));

test('the key of a demo user whose secrets are lost is renewed by the command, as no start can', () =>
  opened(async ({ run, world, folder }) => {
    folder.hasDemoFile = false;
    const printed = await run('user', 'key', 'RAVI', '--why', 'the file is lost');
    const ravi = must(world.state.accountByUser.get('RAVI'), 'an account');
    const [, apiKey = ''] = /^ {2}apiKey {6}([0-9a-f]{32})$/m.exec(printed) ?? [];
    assert.ok(sealedOf(world, ravi).endsWith(`of RAVI with ${apiKey}`));
  }));

test('a reset gives other credentials, which are printed once, and ends the sessions of the ones before', () =>
  opened(async ({ run, world, asha, logged }) => {
    for (const [digit, totpStep] of [
      ['a', 1],
      ['b', 2],
    ] as const) {
      world.submit({ type: 'OpenSession', account: asha, tokenDigest: digit.repeat(64), totpStep });
    }
    assert.equal(world.state.sessions.size, 2);
    const printed = await run('user', 'reset', 'ASHA', '--why', 'lost phone');
    const password = /^ {2}password {4}(\w{16})$/m.exec(printed)?.[1];
    assert.match(printed, /^ {2}totpSecret {2}[A-Z2-7]{32}$/m);
    assert.equal(sealedOf(world, asha), `ASHA with ${password}`);
    assert.deepEqual([world.state.sessions.size, world.account(asha).sessions], [0, []]);
    assert.equal(logged.at(-1), 'ASHA has other credentials, and no session, by desk: lost phone');
    const given = world.records.find(({ command }) => command.type === 'RenewApiKey')?.command;
    assert.ok(given?.type === 'RenewApiKey' && given.by === 'desk' && given.why === 'lost phone');
  }));

test('credentials of a demo user are not reset while the data folder has them, nor those of nobody', () =>
  opened(async ({ run, world, folder }) => {
    const { seq } = world.state;
    const failed = (message: RegExp) => (error: unknown) =>
      error instanceof CommandFailed && message.test(error.message);
    await assert.rejects(run('user', 'reset', 'RAVI', '--why', 'x'), failed(/^RAVI is a demo user: /));
    await assert.rejects(run('user', 'reset', 'NOBODY', '--why', 'x'), failed(/^there is no user NOBODY$/));
    assert.equal(world.state.seq, seq);
    folder.hasDemoFile = false;
    assert.match(await run('user', 'reset', 'RAVI', '--why', 'x'), /^ {2}TOTP {8}none/m);
  }));
