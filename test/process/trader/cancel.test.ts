/** `sauda cancel` and `sauda gtt cancel` of several: each is tried, and each that was not ended is named at the end. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  EXIT_DONE,
  EXIT_FAILED,
  EXIT_IN_DOUBT,
  EXIT_NO_SESSION,
  EXIT_UNAVAILABLE,
} from '../../../src/os/command-failed.ts';
import { type Answer, answers, fails, lost, succeeds } from '../../client/scripted-service.ts';
import { ScriptedTrader } from './scripted-trader.ts';

const [SEVEN, EIGHT, NINE] = ['2611230000000007', '2611230000000008', '2611230000000009'] as const;
const NAMED = `cancel ${SEVEN} ${EIGHT} ${NINE}`;
const requestTime = '10:15:00 23-11-2026';
const UNKNOWN = answers(400, {
  status: 'failed',
  code: '400',
  name: 'BAD_REQUEST',
  error: { field: 'orderNumber', message: 'Order not found' },
});

/** The answer that an order was cancelled, or why it was not. */
function cancelled(orderNumber: string, rejreason = ''): Answer {
  return succeeds({ orderNumber, rejreason, requestTime });
}

/** The answer to a request for all. */
function all(ended: readonly string[], refused: readonly string[], left: string): Answer {
  return succeeds({
    cancelled: ended.map((orderNumber) => ({ orderNumber })),
    refused: refused.map((orderNumber) => ({ orderNumber, reason: 'it filled' })),
    left,
    requestTime,
  });
}

let trader: ScriptedTrader;
before(async () => {
  trader = await ScriptedTrader.start();
});
after(() => trader.close());

function run(line: string, ...script: readonly Answer[]) {
  trader.service.next(...script);
  return trader.run(line);
}

test('orders behind one that is unknown are cancelled, and the unknown one is named', async () => {
  const { code, printed, refused } = await run(NAMED, cancelled(SEVEN), UNKNOWN, cancelled(NINE));
  assert.equal(printed, `order ${SEVEN} is cancelled\norder ${NINE} is cancelled`);
  assert.deepEqual([code, refused], [EXIT_FAILED, `order ${EIGHT} is as it was: Order not found`]);
});

test('an order of several whose answer is lost is in doubt, and so is the command', async () => {
  const { code, printed, refused } = await run(NAMED, cancelled(SEVEN, 'closed'), lost, cancelled(NINE));
  assert.equal(printed, `order ${NINE} is cancelled`);
  assert.equal(code, EXIT_IN_DOUBT);
  const [first, second] = refused.split('\n');
  assert.equal(first, `order ${SEVEN} is as it was: closed`);
  assert.match(second ?? '', new RegExp(`^order ${EIGHT}: the answer was lost .* it may have been done`));
});

test('failures of one kind end the command with their own code', async () => {
  const away = fails(503, 'SERVICE_UNAVAILABLE');
  assert.equal((await run(NAMED, cancelled(SEVEN), away, away)).code, EXIT_UNAVAILABLE);
  const ended = fails(401, 'INVALID_JKEY');
  assert.equal((await run(NAMED, ended, ended, ended)).code, EXIT_NO_SESSION);
  assert.equal((await run(NAMED, away, ended, ended)).code, EXIT_FAILED);
});

test('in JSON every named order has an answer', async () => {
  const { printed } = await run(`${NAMED} --json`, cancelled(SEVEN), UNKNOWN, lost);
  const rows = JSON.parse(printed) as { outcome: string; orderNumber: string; reason?: string }[];
  assert.deepEqual(
    rows.map(({ outcome, orderNumber }) => [outcome, orderNumber]),
    [
      ['taken', SEVEN],
      ['refused', EIGHT],
      ['in doubt', NINE],
    ],
  );
  assert.equal(rows[1]?.reason, 'Order not found');
});

test('an order that is named twice is cancelled once', async () => {
  const { code } = await run(`cancel ${SEVEN} ${SEVEN}`, cancelled(SEVEN), cancelled(SEVEN, 'closed'));
  assert.deepEqual([code, trader.service.taken.length], [EXIT_DONE, 1]);
});

test('all orders are cancelled in as many requests as it takes', async () => {
  const { code, printed } = await run('cancel --all', all([SEVEN], [], '500'), all([EIGHT], [], '0'));
  assert.deepEqual([code, printed], [EXIT_DONE, `order ${SEVEN} is cancelled\norder ${EIGHT} is cancelled`]);
});

test('an order that one request refused and the next one cancelled is cancelled', async () => {
  const { code, printed } = await run('cancel --all', all([SEVEN], [EIGHT], '1'), all([EIGHT, NINE], [], '0'));
  assert.deepEqual([code, printed.split('\n').length], [EXIT_DONE, 3]);
});

test('orders that no request came to are counted, and the command fails', async () => {
  const { code, printed, refused } = await run('cancel --all', all([SEVEN], [], '501'), all([], [EIGHT], '500'));
  assert.equal(printed, `order ${SEVEN} is cancelled`);
  assert.equal(code, EXIT_FAILED);
  assert.equal(refused, `order ${EIGHT} is as it was: it filled\n500 more open orders are as they were`);
});

test('a request of several that fails leaves what the ones before it did', async () => {
  const away = fails(503, 'SERVICE_UNAVAILABLE');
  const { code, printed, refused } = await run('cancel --all', all([SEVEN], [], '500'), away);
  assert.equal(printed, `order ${SEVEN} is cancelled`);
  assert.equal(code, EXIT_UNAVAILABLE);
  assert.match(refused, /^500 more open orders are as they were: the service takes no requests now/);
  const inDoubt = await run('cancel --all', all([SEVEN], [], '500'), lost);
  assert.equal(inDoubt.code, EXIT_IN_DOUBT);
  assert.match(inDoubt.refused, /^500 more open orders: the answer was lost/);
});

test('a request for all that comes to nothing says so', async () => {
  assert.equal((await run('cancel --all', all([], [], '0'))).printed, 'there was no open order');
  const refused = await run('cancel --all', all([], [EIGHT], '0'));
  assert.deepEqual([refused.code, refused.printed], [EXIT_FAILED, '']);
  const away = await run('cancel --all', fails(503, 'SERVICE_UNAVAILABLE'));
  assert.deepEqual([away.code, away.printed], [EXIT_UNAVAILABLE, '']);
  assert.match(away.refused, /^the service takes no requests now/);
});

test('the answers for all are an array in JSON, as those for named orders', async () => {
  const { printed } = await run('cancel --all --json', all([SEVEN], [EIGHT], '0'));
  assert.deepEqual(JSON.parse(printed), [
    { outcome: 'taken', orderNumber: SEVEN, requestTime, slices: [{ orderNumber: SEVEN }] },
    { outcome: 'refused', orderNumber: EIGHT, reason: 'it filled' },
  ]);
});

test('GTTs behind one that is not active are cancelled, and that one is named', async () => {
  const ids = ['2611239000000001', '2611239000000002', '2611239000000003'];
  const book = succeeds(ids.map((GTTid) => ({ GTTid })));
  const ended = succeeds({ requestTime });
  const { code, printed, refused } = await run('gtt cancel 1 2 3 3', book, ended, UNKNOWN, ended);
  assert.equal(printed, `GTT ${ids[0]} is cancelled\nGTT ${ids[2]} is cancelled`);
  assert.deepEqual([code, refused], [EXIT_FAILED, `GTT ${ids[1]} is as it was: Order not found`]);
});
