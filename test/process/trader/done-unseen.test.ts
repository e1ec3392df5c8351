/** Changes that were made, and whose state could not be read afterwards: each is reported as done, with its number. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { EXIT_DONE } from '../../../src/os/command-failed.ts';
import { type Answer, fails, succeeds } from '../../client/scripted-service.ts';
import { ScriptedTrader } from './scripted-trader.ts';

const NUMBER = '2611230000000001';
const GTT = '2611239000000001';
const TIME = '10:15:00 23-11-2026';
const ITC = { exchange: 'NSE', tradingSymbol: 'ITC-EQ' };
const INFO = succeeds({ ...ITC, lotSize: '1', segment: 'EQT', symbolName: 'ITC' });
const TAKEN = succeeds({ orderNumber: NUMBER, requestTime: TIME });
const ROW = {
  ...ITC,
  orderNumber: NUMBER,
  transactionType: 'B',
  quantity: '10',
  product: 'C',
  priceType: 'LMT',
  price: '269.50',
  triggerPrice: '0.00',
  fillShares: '',
  averagePrice: '0.00',
  rejectReason: ' ',
  status: 'PENDING',
};
const TOO_MANY = fails(429, 'RATE_LIMIT_EXCEEDED');

/** The ways in which a look fails, with the words for them. */
const LOOKS: readonly (readonly [name: string, answers: readonly Answer[], words: RegExp])[] = [
  ['too many requests', [TOO_MANY], /too many requests/],
  ['an ended session', [fails(401, 'INVALID_JKEY')], /the session of SD1001 at .* has ended/],
  ['a service that is away', Array<Answer>(4).fill(fails(503, 'SERVICE_UNAVAILABLE')), /takes no requests now/],
];

let trader: ScriptedTrader;
before(async () => {
  trader = await ScriptedTrader.start();
});
after(() => trader.close());

for (const [name, look, words] of LOOKS) {
  /** Runs a line whose change is made and whose look fails; gives what was printed. */
  const unseen = async (line: string, ...changed: readonly Answer[]): Promise<string> => {
    trader.service.next(...changed, ...look);
    const { code, printed, noted, refused } = await trader.run(line);
    assert.deepEqual([code, refused], [EXIT_DONE, ''], line);
    assert.match(noted, /^sauda: its state could not be read: /, line);
    assert.match(noted, words, line);
    return printed;
  };

  test(`an order that was placed is reported as placed after a look that meets ${name}`, async () => {
    const words = `order ${NUMBER} is taken in: buy 10 NSE:ITC-EQ at 269.50, product C`;
    assert.equal(await unseen('buy ITC-EQ 10 @ 269.50', INFO, TAKEN), words);
    const printed = await unseen('buy ITC-EQ 10 @ 269.50 --json', INFO, TAKEN);
    assert.deepEqual(JSON.parse(printed), [{ orderNumber: NUMBER }]);
  });

  test(`the last state that was read stands when the next look meets ${name}`, async () => {
    const words = `order ${NUMBER} is on its way: buy 10 NSE:ITC-EQ at 269.50, product C`;
    assert.equal(await unseen('buy ITC-EQ 10 @ 269.50', INFO, TAKEN, succeeds([ROW])), words);
  });

  test(`a GTT that was placed is reported as placed after a look that meets ${name}`, async () => {
    const placed = succeeds({ GTTid: GTT, requestTime: TIME });
    const line = 'gtt place sell ITC-EQ 10 @ 280 --when 280';
    assert.equal(await unseen(line, INFO, placed), `GTT ${GTT} is taken in`);
    assert.deepEqual(JSON.parse(await unseen(`${line} --json`, INFO, placed)), { GTTid: GTT });
  });

  test(`an order that was changed is reported as changed after a look that meets ${name}`, async () => {
    const open = succeeds([{ ...ROW, status: 'OPEN' }]);
    const line = `modify ${NUMBER} --quantity 9`;
    assert.equal(await unseen(line, open, TAKEN), `order ${NUMBER} is changed`);
    assert.deepEqual(JSON.parse(await unseen(`${line} --json`, open, TAKEN)), { orderNumber: NUMBER });
  });
}

test('a GTT that has triggered meanwhile is not said to wait', async () => {
  const placed = succeeds({ GTTid: GTT, requestTime: TIME });
  const row = {
    ...ITC,
    GTTid: GTT,
    value: '280.00',
    condition: 'ABOVE',
    OrderParams: { ...ROW, transactionType: 'S' },
  };
  const words = `sell 10 NSE:ITC-EQ at 269.50, product C, when the last price rises to 280.00`;
  for (const [status, state] of [
    ['ACTIVE', 'waits'],
    ['TRIGGERED', 'is triggered'],
    ['FIRED', 'is fired'],
    ['REJECTED', 'is rejected'],
  ]) {
    trader.service.next(INFO, placed, succeeds([{ ...row, status }]));
    const { printed } = await trader.run('gtt place sell ITC-EQ 10 @ 280 --when 280');
    assert.equal(printed, `GTT ${GTT} ${state}: ${words}`);
  }
});

test('each slice of an order that was placed and not seen has its own quantity', async () => {
  const slices = [
    { orderNumber: '2611230000000000', quantity: '6', requestTime: TIME },
    { orderNumber: '2611230000000001', quantity: '4', requestTime: TIME },
  ];
  trader.service.next(INFO, succeeds(slices), TOO_MANY);
  const { printed } = await trader.run('buy ITC-EQ 10');
  assert.match(printed, /^order \d+0 is taken in: buy 6 .*\norder \d+1 is taken in: buy 4 /);
});

test('an order of a day that has just ended has its number in JSON too', async () => {
  trader.service.next(INFO, TAKEN, succeeds([]));
  const { code, printed } = await trader.run('buy ITC-EQ 10 --json');
  assert.deepEqual([code, JSON.parse(printed)], [EXIT_DONE, [{ orderNumber: NUMBER }]]);
});

test('a look that comes too soon is made again when the service allows it', async () => {
  const soon = fails(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '1' });
  trader.service.next(INFO, TAKEN, soon, succeeds([{ ...ROW, status: 'OPEN' }]));
  const { code, printed, noted } = await trader.run('buy ITC-EQ 10 @ 269.50');
  assert.deepEqual([code, noted], [EXIT_DONE, '']);
  assert.match(printed, /^order \d{16} is open: /);
});
