import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { WhyReport } from '../../../src/engine/why/why-report.ts';
import { WHY_SHAPE } from '../../kit/wire/shapes/why-shape.ts';
import { assertShape } from '../../kit/wire/wire-checks.ts';
import { type Client, clientOf } from './demo-client.ts';
import { StartedService, sauda, temporaryFolder } from './started-service.ts';

/* Clients held up by operators, and reasons of orders, over crashes of one service. The tests follow each other. */

const folder = temporaryFolder();
const data = folder.path;
let service: StartedService;

before(async () => {
  service = await StartedService.start(data);
});

after(async () => {
  await folder.remove();
});

test('a kill switch stops a client of a running service, holds over a crash, and is lifted', async () => {
  let client = await clientOf(service);
  const { userId } = client;
  const resting = await client.order();
  assert.equal(resting.status, 'OPEN');

  const killed = await service.command('kill', 'account', userId, '--why', 'runaway program');
  assert.equal(killed.stdout.trim(), `the kill switch of ${userId} is on; open orders that it cancelled: 1`);
  const [row] = await client.rows();
  assert.deepEqual([row?.status, row?.rejectReason], ['CANCELED', 'Cancelled by the risk desk']);
  const refused = await client.order();
  assert.equal(refused.status, 'REJECTED');
  assert.match(refused.rejectReason ?? '', /^RED:RULE:\{Check kill switch\}Trading is blocked by the risk desk/);

  assert.equal(await service.end('SIGKILL'), 'SIGKILL');
  service = await StartedService.start(data);
  assert.match((await service.command('switches')).stdout, /^the kill switch of \w+ is on since .*: runaway program$/m);
  assert.match(service.output, /1 switch is set; see sauda switches/);
  assert.equal((await service.command('halt', 'NSE', '--why', 'a drill')).stdout.trim(), 'trading on NSE is halted');
  assert.equal((await service.command('kill', 'account', userId, '--lift', '--why', 'repaired')).code, 0);
  client = await clientOf(service);
  assert.equal((await client.order()).rejectReason, '16278:The markets have not been opened for trading.');
  assert.equal(
    (await service.command('halt', 'NSE', '--lift', '--why', 'over')).stdout.trim(),
    'trading on NSE is not halted',
  );
  assert.equal((await client.order()).status, 'OPEN');
});

test('a risk group holds back a client of a running service, also after a crash, until it is lifted', async () => {
  let client = await clientOf(service);
  const known = (await client.rows()).length;
  const { userId } = client;
  assert.equal((await client.order()).status, 'OPEN');

  const capped = await service.command(
    'user',
    'risk-group',
    userId,
    '--group',
    'NOVICE',
    '--cap',
    '1',
    '--why',
    'form 9',
  );
  const words = 'they are of the risk group NOVICE: C, M, I on NSE, BSE, NFO, BFO, in cash up to INR 1.00';
  assert.ok(capped.stdout.trim().endsWith(words), capped.stdout + capped.stderr);
  const above = await client.order();
  assert.match(
    above.rejectReason ?? '',
    new RegExp(`^RED:RULE:\\{Check single order value\\}Current:INR .* Set:INR 1\\.00 for C-${userId} \\[NOVICE\\]$`),
  );
  assert.equal((await service.command('user', 'risk-group', userId, '--products', 'C', '--why', 'form 10')).code, 0);

  assert.equal(await service.end('SIGKILL'), 'SIGKILL');
  service = await StartedService.start(data);
  client = await clientOf(service);
  const listed = JSON.parse((await service.command('users', '--json')).stdout) as {
    userId: string;
    riskGroup?: object;
  }[];
  const exchanges = ['NSE', 'BSE', 'NFO', 'BFO'];
  const group = { name: 'NOVICE', orderValueCap: '1.00', products: ['C'], exchanges };
  assert.deepEqual(listed.find((row) => row.userId === userId)?.riskGroup, group);
  const rows = (await client.rows()).slice(known);
  assert.deepEqual(
    rows.map(({ status, rejectReason }) => [status, rejectReason?.trim()]),
    [
      ['OPEN', ''],
      ['REJECTED', above.rejectReason],
    ],
    'resting orders rest, and given answers stay',
  );
  const refused = await client.order();
  assert.equal(refused.rejectReason, 'ORA:Product Intraday not enabled on exchange NSE');
  const why = await sauda(['why', refused.orderNumber ?? '', '--data', data]);
  assert.match(why.stdout, /the product and the exchange are enabled for the client/);
  assert.equal((await service.command('user', 'risk-group', userId, '--lift', '--why', 'asked')).code, 0);
  assert.equal((await client.order()).status, 'OPEN');
});

interface Step {
  readonly record: string;
  readonly reason: string;
  readonly checks: readonly {
    readonly check: string;
    readonly outcome: string;
    readonly figures: readonly { readonly name: string; readonly value: string }[];
  }[];
}

async function explained(client: Client, orderNumber: string): Promise<readonly Step[]> {
  const { status, body } = await client.call('getOrderWhy', { orderNumber });
  assert.equal(status, 200, JSON.stringify(body));
  assertShape(body.data, WHY_SHAPE);
  return (body.data as { readonly steps: readonly Step[] }).steps;
}

/** The figures of a report as the wire has them. */
function figuresOf(steps: WhyReport['steps']) {
  return steps.map(({ record, checks }) => ({
    record: String(record),
    checks: checks.map(({ check, outcome, figures }) => {
      return { check, outcome, figures: Object.entries(figures).map(([name, value]) => ({ name, value })) };
    }),
  }));
}

test('a client learns why orders were judged as they were, with the figures of the command, also after a crash', async () => {
  let client = await clientOf(service);
  const { orderNumber = '' } = await client.order();
  const change = { orderNumber, priceType: 'LMT', product: 'I', quantity: '900000000', triggerPrice: '0' };
  const modified = await client.call('modifyAMO', change);
  const { rejreason = '' } = modified.body.data as Record<string, string>;
  const steps = await explained(client, orderNumber);
  assert.deepEqual(
    steps.map(({ reason }) => reason),
    ['', rejreason],
  );
  const printed = JSON.parse((await sauda(['why', orderNumber, '--json', '--data', data])).stdout) as WhyReport;
  assert.deepEqual(
    steps.map(({ record, checks }) => ({
      record,
      checks: checks.map(({ check, outcome, figures }) => ({ check, outcome, figures })),
    })),
    figuresOf(printed.steps),
  );
  const unknown = await client.call('getOrderWhy', { orderNumber: '26112099999999' });
  assert.equal(unknown.status, 400);

  assert.equal(await service.end('SIGKILL'), 'SIGKILL');
  service = await StartedService.start(data);
  client = await clientOf(service);
  assert.deepEqual(await explained(client, orderNumber), steps);

  // The service ends in its usual way while the journal is read.
  const next = await client.order();
  const asked = client.call('getOrderWhy', { orderNumber: next.orderNumber }).catch(() => undefined);
  assert.equal(await service.end('SIGTERM'), 0);
  await asked;
});
