import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { AccountId, GttNumber } from '../base/ids.ts';
import { DAY_MS, type EpochMs, type WallMs } from '../base/time.ts';
import type { Account } from '../core/account.ts';
import type { Gtt } from '../core/broker/gtt/gtt.ts';
import type { Command } from '../core/command.ts';
import { emptyState, type State } from '../core/state.ts';
import type { DurableRecord } from '../engine/feed/durable-record.ts';
import { OPERATOR, type Origin, SERVICE } from '../engine/port.ts';
import { REAL_DISK } from '../journal/disk/real-disk.ts';
import { storedTrail } from './reading/stored-trail.ts';
import { verifyTrail } from './reading/verify-trail.ts';
import { Trail } from './trail.ts';
import { trailFolder } from './trail-file.ts';
import { bodiesOf, GENESIS_HASH } from './trail-line.ts';
import { TrailLog } from './trail-log.ts';

const NOON = Date.UTC(2026, 10, 20, 6);
const root = mkdtempSync(join(tmpdir(), 'sauda-trail-test-'));
after(() => rmSync(root, { recursive: true, force: true }));

const CLIENT: Origin = {
  type: 'Client',
  op: 'cancelOrder',
  address: '192.0.2.7',
  account: 0 as AccountId,
  tokenDigest: 'ab'.repeat(32),
};
const LOGIN: Origin = { type: 'Login', address: '192.0.2.8', vendorCode: 'VENDOR', keyName: '01234567' };
const CANCEL = { type: 'CancelOrder', account: 0, order: 26112000000001 } as Command;

interface Opened {
  readonly trail: Trail;
  readonly state: State;
  readonly folder: string;
  readonly failure: Promise<Error>;
}

function openTrail(data = mkdtempSync(join(root, 'data-'))): Opened {
  const failure = Promise.withResolvers<Error>();
  const trail = new Trail({
    data,
    years: 0,
    anchor: undefined,
    wall: () => NOON as WallMs,
    failStop: failure.resolve,
    log: () => undefined,
  });
  const state = emptyState();
  state.accounts.push({ userId: 'AB1234' } as Account);
  trail.open(state);
  trail.start(() => ({ seq: 0, hash: GENESIS_HASH }));
  return { trail, state, folder: trailFolder(data), failure: failure.promise };
}

function contextOf(origin: Origin, reply: object = { type: 'Done' }): NonNullable<DurableRecord['context']> {
  return { origin, utc: (NOON + 1) as WallMs, reply: reply as never };
}

/** The lines of a finished trail, without the fields that every line has and without the first and the last lines. */
async function linesOf({ trail, folder }: Opened): Promise<string[]> {
  await trail.stop();
  const text = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('');
  const bodies = text.split('\n').flatMap((line) => /"kind":.*(?=,"hash")/.exec(line)?.[0] ?? []);
  return bodies.filter((body) => !/"kind":"(Day|Start|Seal|End)"/.test(body));
}

test('a start on a later day than that of a large file leaves the file to the thread, and its line comes after it', async () => {
  const data = mkdtempSync(join(root, 'data-'));
  const folder = trailFolder(data);
  const before = `"utc":${NOON - DAY_MS},"kind":"Own","user":"AB1234"`;
  const log = new TrailLog(REAL_DISK, folder, storedTrail(REAL_DISK, folder));
  log.append(bodiesOf(Array.from({ length: 20_000 }, () => before)));
  log.close();
  const { trail } = openTrail(data);
  assert.deepEqual(readdirSync(folder), ['2026-11-19.log']);
  await trail.stop();
  const { faults, lines, starts } = verifyTrail(REAL_DISK, folder);
  assert.deepEqual(faults, []);
  assert.equal(lines, 20_005, 'the lines of the day, its Day and Close, then a Day, a Start and an End');
  assert.deepEqual(starts, [{ n: 20_004, seq: 0 }]);
  const closing = readFileSync(join(folder, '2026-11-19.log'), 'latin1').trimEnd().split('\n').at(-1) ?? '';
  assert.match(closing, /"index":{"lines":20001,"kinds":{"Own":20000,"Day":1},"users":{"AB1234":20000}}/);
});

test('lines that wait for a record that does not become durable take a bounded memory', async () => {
  const { trail, state, failure } = openTrail();
  state.seq = 1;
  const fields = { why: 'x'.repeat(100) };
  for (let bytes = 0; bytes < 40 * 1024 * 1024; bytes += 150) trail.act('POST /users', '', 200, fields);
  assert.match((await failure).message, /takes no lines of the audit trail/);
  await trail.stop();
});

const FIELD_WRONG = { status: 400, name: 'BAD_REQUEST', field: 'price', message: 'Invalid price' } as const;

/** The words of a line, without its count and the times of it, and how many refusals it stands for. */
function refusalOf(line: string): [string, number] {
  const count = Number(/"count":(\d+)/.exec(line)?.[1] ?? 1);
  return [line.replace(/,"count".*/, ''), count];
}

test('the refusals of a user who is logged in have 600 lines a minute, and the others are counted', async () => {
  const opened = openTrail();
  const { trail, state } = opened;
  state.accounts.push({ userId: 'CD5678' } as Account);
  const refused = { type: 'Refused', refusal: { rule: 'OrderNotFound' } };
  const refuse = (account: number, times: number): void => {
    const who = { account: account as AccountId, tokenDigest: `${account}`.repeat(64) };
    for (let i = 0; i < times; i += 1) trail.refuse(who, { op: 'placeOrder', address: '::1', ...FIELD_WRONG });
  };
  refuse(0, 1_000);
  refuse(1, 10);
  for (let i = 0; i < 500; i += 1)
    trail.unrecorded({ at: NOON as EpochMs, command: CANCEL, context: contextOf(CLIENT, refused) });
  const lines = await linesOf(opened);
  assert.equal(lines.length, 600 + 10 + 2);
  assert.deepEqual(lines.slice(-2).map(refusalOf), [
    [
      '"kind":"Repeated","op":"placeOrder","user":"AB1234","address":"::1","session":"0000000000000000","code":400,"name":"BAD_REQUEST","field":"price"',
      400,
    ],
    [
      '"kind":"Repeated","op":"cancelOrder","user":"AB1234","address":"192.0.2.7","session":"abababababababab","code":400,"rule":"OrderNotFound"',
      500,
    ],
  ]);
});

test('refusals are counted when too many lines wait, and the lines of commands have their room', async () => {
  const opened = openTrail();
  const { trail, state, failure } = opened;
  // No record becomes durable, so all lines wait.
  state.seq = 1;
  const users = 120;
  const message = 'x'.repeat(128);
  const body = { exchange: 'NSE', tradingSymbol: 'x'.repeat(128), remarks: 'x' };
  for (let user = 0; user < users; user += 1) {
    state.accounts.push({ userId: `U${user}` } as Account);
    const who = { account: (user + 1) as AccountId, tokenDigest: `${user}`.padStart(64, '0') };
    for (let i = 0; i < 1_000; i += 1)
      trail.refuse(who, { op: 'placeOrder', address: '::1', ...FIELD_WRONG, message, body });
  }
  assert.equal(await Promise.race([failure, setTimeout(300, 'no failure')]), 'no failure');
  const context = contextOf(CLIENT);
  trail.take([{ seq: 1, at: NOON as EpochMs, command: CANCEL, events: [], context }]);
  const lines = await linesOf(opened);
  assert.equal(lines.filter((line) => line.includes('"op":"cancelOrder"')).length, 1);
  const refusals = lines.map(refusalOf).filter(([words]) => words.includes('"op":"placeOrder"'));
  assert.equal(
    refusals.reduce((sum, [, count]) => sum + count, 0),
    users * 1_000,
  );
  assert.ok(refusals.length < users * 600, `${refusals.length} lines`);
});

test('a line names the caller that was submitted with the command, even when others asked in between', async () => {
  const opened = openTrail();
  const { trail, state } = opened;
  const record = (seq: number, command: Command, origin: Origin, reply?: object): DurableRecord => {
    return { seq, at: NOON as EpochMs, command, events: [], context: contextOf(origin, reply) };
  };
  state.seq = 4;
  trail.take([
    record(1, CANCEL, CLIENT),
    record(2, { type: 'OpenSession', account: 0, tokenDigest: 'cd'.repeat(32) } as Command, LOGIN),
    record(3, { type: 'SetBan', underlying: 'NIFTY', banned: true, by: 'desk' } as unknown as Command, OPERATOR),
    record(4, { type: 'CheckLosses' }, SERVICE),
  ]);
  assert.deepEqual(await linesOf(opened), [
    '"kind":"Command","op":"cancelOrder","user":"AB1234","address":"192.0.2.7","session":"abababababababab","order":26112000000001,"seq":1,"code":200',
    '"kind":"Login","op":"login","user":"AB1234","session":"cdcdcdcdcdcdcdcd","address":"192.0.2.8","vendor":"VENDOR","key":"01234567","seq":2,"code":200',
    '"kind":"Act","op":"SetBan","by":"desk","seq":3,"code":200',
    '"kind":"Own","op":"CheckLosses","seq":4,"code":200',
  ]);
});

test('a login without credentials has a line of its own operation, and so has a refused one', async () => {
  const opened = openTrail();
  const { trail, state } = opened;
  state.seq = 1;
  const command = { type: 'OpenSession', account: 0, tokenDigest: 'cd'.repeat(32) } as Command;
  const context = contextOf({ type: 'DemoLogin', address: '127.0.0.1' });
  trail.take([{ seq: 1, at: NOON as EpochMs, command, events: [], context }]);
  const refusal = { status: 403, name: 'FORBIDDEN', field: 'Origin', message: 'no' } as const;
  trail.refuse(undefined, { op: 'demoLogin', address: '127.0.0.1', ...refusal });
  assert.deepEqual(await linesOf(opened), [
    '"kind":"Login","op":"demoLogin","user":"AB1234","session":"cdcdcdcdcdcdcdcd","address":"127.0.0.1","seq":1,"code":200',
    '"kind":"Login","op":"demoLogin","address":"127.0.0.1","code":403,"name":"FORBIDDEN","field":"Origin","message":"no"',
  ]);
});

test('the order of a GTT is an act of the service on behalf of its user', async () => {
  const opened = openTrail();
  const { trail, state } = opened;
  const gtt = 26112090000001 as GttNumber;
  state.gtts.add({ number: gtt, account: 0, status: 'Fired' } as Gtt);
  state.seq = 1;
  const order = 26112000000007;
  const events = [
    { type: 'OrderReceived', order, gtt },
    { type: 'OrderRejected', order, refusal: { rule: 'MarginShortfall' } },
  ] as unknown as DurableRecord['events'];
  const context = contextOf(SERVICE);
  trail.take([{ seq: 1, at: NOON as EpochMs, command: { type: 'FireGtt', gtt }, events, context }]);
  assert.deepEqual(await linesOf(opened), [
    `"kind":"Own","op":"FireGtt","user":"AB1234","order":${order},"seq":1,"code":200,"rule":"MarginShortfall"`,
  ]);
});

test('a record that comes from the journal has the line that a start would make of it', async () => {
  const opened = openTrail();
  opened.state.seq = 1;
  opened.trail.take([{ seq: 1, at: NOON as EpochMs, command: CANCEL, events: [] }]);
  assert.deepEqual(await linesOf(opened), [
    '"kind":"Recovered","op":"CancelOrder","user":"AB1234","order":26112000000001,"seq":1,"code":200',
  ]);
});

test('refusals stand where they happened between records that became durable later', async () => {
  const opened = openTrail();
  const { trail, state } = opened;
  const refused = { type: 'Refused', refusal: { rule: 'OrderNotFound' } };
  state.seq = 1;
  trail.unrecorded({ at: NOON as EpochMs, command: CANCEL, context: contextOf(CLIENT, refused) });
  state.seq = 2;
  trail.refuse(undefined, { op: 'path', address: '::1', status: 404, name: 'NOT_FOUND', field: 'path', message: 'no' });
  state.seq = 3;
  const own = (seq: number): DurableRecord => {
    return { seq, at: NOON as EpochMs, command: { type: 'CheckLosses' }, events: [], context: contextOf(SERVICE) };
  };
  trail.take([own(1), own(2)]);
  trail.take([own(3)]);
  const lines = await linesOf(opened);
  assert.deepEqual(
    lines.map((line) => /"kind":"(\w+)".*?(?:"seq":(\d+)|"code":(\d+))/.exec(line)?.slice(1)),
    [
      ['Own', '1', undefined],
      ['Command', undefined, '400'],
      ['Own', '2', undefined],
      ['Refusal', undefined, '404'],
      ['Own', '3', undefined],
    ],
  );
  assert.match(lines[1] ?? '', /"order":26112000000001,"code":400,"rule":"OrderNotFound"$/);
});

test('acts of one who shows no token are noted without words, and those of a flood are counted', async () => {
  const opened = openTrail();
  const op = 'POST /users/:userId/deposits';
  const words = { by: 'x'.repeat(200), why: 'w', userId: 'AB1234' };
  for (let times = 0; times < 30; times += 1) opened.trail.act(op, '127.0.0.1', 403, undefined);
  opened.trail.act(op, '127.0.0.1', 404, words);
  const lines = await linesOf(opened);
  const kindsOf = (kind: string): string[] => lines.filter((line) => line.includes(`"kind":"${kind}"`));
  assert.equal(kindsOf('Act').length, 21);
  assert.match(lines[0] ?? '', /"op":"POST \/users\/:userId\/deposits","address":"127.0.0.1","code":403$/);
  assert.match(lines[20] ?? '', /"user":"AB1234","what":.*"code":404/);
  assert.match(kindsOf('Repeated')[0] ?? '', /"code":403,"count":10/);
});
