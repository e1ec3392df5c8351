import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { generateSync } from 'otplib';
import { must } from '../../../src/base/assert.ts';
import { SETTING_NAMES } from '../../../src/config.ts';
import { dataFolder } from '../../../src/folder/data-folder.ts';
import { type DemoUser, StartedService, temporaryFolder } from '../../process/start/started-service.ts';

/*
 * A day of a real service, by users and an operator, right and wrong; then every byte that it left is searched for what
 * must stay secret.
 * Source: reliability I47, contract 3.22.
 */

const ORDERS = 3;
const WRONG_PASSWORD = 'a password that was mistyped once';
const folder = temporaryFolder();
const files = dataFolder(folder.path);
/** The files that are there to hold secrets; each is its owner's alone. */
const HOLDERS: readonly string[] = [files.keys, files.demoUsers, files.operatorToken];

/** Everything that came back to anybody but the one reply that hands a secret out. */
const answers: string[] = [];
/** The secrets that must be found nowhere, by their kind. */
const secrets = new Map<string, string>();
const outputs: { readonly afterReport: string; readonly whole: string }[] = [];
const processes: string[] = [];

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** One base of bytes for each way in which a secret may stand in a file. */
function formsOf(secret: string): Buffer[] {
  const forms = [
    Buffer.from(secret),
    Buffer.from(secret, 'utf16le'),
    Buffer.from(Buffer.from(secret).toString('base64')),
  ];
  const isHex = /^(?:[0-9a-f]{2}){8,}$/.test(secret);
  return isHex ? [...forms, Buffer.from(secret, 'hex'), Buffer.from(secret.toUpperCase())] : forms;
}

/** The names of the secrets that some bytes hold. */
function heldBy(bytes: Buffer): string[] {
  const held = [...secrets].filter(([, secret]) => formsOf(secret).some((form) => bytes.includes(form)));
  return held.map(([name]) => name);
}

function keepUser(user: DemoUser): void {
  const { userId, password, totpSecret, apiKey } = user;
  secrets.set(`the password of ${userId}`, password);
  secrets.set(`the password digest of ${userId}`, sha256(password));
  if (totpSecret !== undefined) secrets.set(`the one-time seed of ${userId}`, totpSecret);
  secrets.set(`the API key of ${userId}`, apiKey);
}

async function call(service: StartedService, path: string, body: Record<string, unknown>): Promise<number> {
  const answer = await service.call(path, body);
  answers.push(JSON.stringify(answer.body));
  return answer.status;
}

/** Logs in wrongly, then rightly; the token is a secret from then on. */
async function logIn(service: StartedService, user: DemoUser): Promise<string> {
  const { userId, password, totpSecret, vendorCode, apiKey } = user;
  const TOTP = totpSecret === undefined ? '' : generateSync({ secret: totpSecret });
  const body = { userId, password: sha256(password), TOTP, vendorCode, apiKey };
  assert.equal(await call(service, 'login', { ...body, password: sha256(WRONG_PASSWORD) }), 401);
  assert.equal(await call(service, 'login', { ...body, password, TOTP: apiKey, vendorCode: apiKey }), 400);
  const reply = await service.call('login', body);
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  const token = String((reply.body.data as { susertoken: string }).susertoken);
  secrets.set(`a session token of ${userId} (${secrets.size})`, token);
  return token;
}

/** The requests of a user: trades, and errors with secrets where they do not belong. */
async function trade(service: StartedService, user: DemoUser): Promise<void> {
  const { userId, password, apiKey } = user;
  const jKey = await logIn(service, user);
  const who = { userId, jKey };
  const share = { exchange: 'NSE', tradingSymbol: 'RELIANCE-EQ' };
  const order = {
    ...share,
    retention: 'DAY',
    product: 'C',
    priceType: 'MKT',
    transactionType: 'B',
    price: '0',
    quantity: '1',
  };
  for (let count = 0; count < ORDERS; count += 1) {
    assert.equal(await call(service, 'placeOrder', { ...who, ...order, remarks: 'Test' }), 200);
  }
  for (const [field, value] of [
    ['tradingSymbol', jKey],
    ['price', password],
    ['exchange', apiKey],
    ['quantity', jKey],
  ] as const) {
    assert.equal(await call(service, 'placeOrder', { ...who, ...order, remarks: 'Test', [field]: value }), 400);
  }
  assert.equal(await call(service, 'cancelOrder', { ...who, orderNumber: jKey }), 400);
  assert.equal(await call(service, 'limit', { userId: jKey, jKey }), 401);
  assert.equal(await call(service, 'limit', { userId, jKey: password }), 401);
  assert.equal(await call(service, 'searchScrips', { ...who, stext: apiKey }), 200);
  for (const path of ['orderBook', 'tradeBook', 'positionBook', 'limit', 'userDetails']) {
    assert.equal(await call(service, path, who), 200);
  }
}

async function operate(service: StartedService): Promise<DemoUser> {
  const token = readFileSync(files.operatorToken, 'utf8').trim();
  secrets.set('the operator token', token);
  const post = async (path: string, authorization: string, body: object): Promise<string> => {
    const headers = { 'content-type': 'application/json', authorization };
    const response = await fetch(service.operator + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return response.text();
  };
  const person = { userId: 'OP1001', name: 'BY OPERATOR', email: 'op@example.com', totp: true };
  answers.push(await post('/users', `Bearer ${token.slice(1)}0`, person));
  answers.push(await post('/users', `Bearer ${token}`, { ...person, userId: token }));
  const issued = JSON.parse(await post('/users', `Bearer ${token}`, person)) as DemoUser;
  assert.equal(issued.userId, person.userId);
  answers.push(await post('/users', `Bearer ${token}`, person));
  answers.push(await post('/users/OP1001/deposits', `Bearer ${token}`, { rupees: '100000', opening: true }));
  answers.push(await (await fetch(`${service.operator}/metrics`)).text());
  secrets.set('the API key before its renewal', issued.apiKey);
  const renewed = await post('/users/OP1001/api-keys', `Bearer ${token}`, { by: 'desk', why: 'it leaked' });
  return { ...issued, apiKey: (JSON.parse(renewed) as DemoUser).apiKey };
}

/** The command line and the environment of a process and of all that it started, as others may read them. */
function lookAtProcess(pid: number): void {
  const proc = `/proc/${pid}`;
  if (!existsSync(proc)) return;
  processes.push(readFileSync(join(proc, 'cmdline'), 'latin1'), readFileSync(join(proc, 'environ'), 'latin1'));
  const children = readFileSync(join(proc, 'task', String(pid), 'children'), 'utf8').trim();
  for (const child of children === '' ? [] : children.split(' ')) lookAtProcess(Number(child));
}

async function endDay(service: StartedService): Promise<void> {
  lookAtProcess(must(service.child.pid, 'a process'));
  assert.equal(await service.end('SIGTERM'), 0);
  // A first start prints the credentials of the demo users once, on purpose.
  const report = service.output.lastIndexOf('remarks":"first trade"');
  outputs.push({ whole: service.output, afterReport: service.output.slice(Math.max(0, report)) });
}

before(async () => {
  const settings = { SAUDA_LOG: 'debug', SAUDA_SNAPSHOT_RECORDS: '100' };
  const first = await StartedService.start(folder.path, settings);
  const users = first.demoUsers();
  for (const user of users) keepUser(user);
  const issued = await operate(first);
  keepUser(issued);
  for (const user of users) await trade(first, user);
  await endDay(first);
  const second = await StartedService.start(folder.path, settings);
  await trade(second, must(users[0], 'a demo user'));
  await trade(second, issued);
  await endDay(second);
  const [, , sealing = '', pepper = ''] = readFileSync(files.keys, 'utf8').trim().split(' ');
  secrets.set('the sealing key', sealing);
  secrets.set('the pepper', pepper);
});

after(() => folder.remove());

/** Every file of the data folder. */
function everyFile(): string[] {
  const entries = readdirSync(folder.path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

test('the search finds a secret where there is one', () => {
  assert.ok(secrets.size >= 20, `${secrets.size} secrets`);
  const [name, secret] = must([...secrets][0], 'a secret');
  assert.deepEqual(heldBy(Buffer.from(`x${secret}y`)), [name]);
  assert.deepEqual(heldBy(Buffer.from(`x${secret}y`, 'utf16le')), [name]);
  assert.ok(heldBy(readFileSync(files.keys)).includes('the pepper'));
  assert.ok(heldBy(readFileSync(files.demoUsers)).length > 3);
});

test('no file of the data folder holds a secret but those that are there for it, and only their owner reads these', () => {
  const paths = everyFile();
  assert.ok(
    paths.some((path) => path.includes('snapshot')),
    'there is a snapshot to look at',
  );
  assert.ok(
    paths.some((path) => path.includes('journal')),
    'there is a journal to look at',
  );
  for (const path of paths) {
    if (HOLDERS.includes(path)) assert.equal(statSync(path).mode & 0o777, 0o600, path);
    else assert.deepEqual(heldBy(readFileSync(path)), [], path);
  }
});

test('no answer, no metric and no answer to an operator holds a secret', () => {
  assert.ok(answers.length > 50);
  for (const answer of answers) assert.deepEqual(heldBy(Buffer.from(answer)), [], answer.slice(0, 300));
});

test('nothing that the service prints holds a secret, but the credentials of demo users once', () => {
  const [first, second] = outputs;
  assert.deepEqual(heldBy(Buffer.from(first?.afterReport ?? '')), []);
  assert.deepEqual(heldBy(Buffer.from(second?.whole ?? '')), []);
  const printed = heldBy(Buffer.from(first?.whole ?? ''));
  assert.deepEqual(
    printed.filter((name) => !/^the (password|one-time seed|API key) of SD\d+$/.test(name)),
    [],
  );
});

test('no command line and no environment of its processes holds a secret, and none asks for memory to be written out', () => {
  assert.ok(processes.length >= 2);
  for (const text of processes) assert.deepEqual(heldBy(Buffer.from(text, 'latin1')), []);
  const dumping = /--heapsnapshot|--heap-prof|--cpu-prof|--report-|--diagnostic-dir|--abort-on-uncaught|--inspect/;
  for (const text of processes) assert.doesNotMatch(text, dumping);
});

test('no setting is a secret: they may stand in an environment', () => {
  assert.deepEqual(
    SETTING_NAMES.filter((name) => /password|secret|token|pepper|seed$/i.test(name) && name !== 'seed'),
    [],
  );
});
