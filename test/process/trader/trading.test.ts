/**
 * The commands of traders against a started service: a day of a trader from login to logout, as text and as JSON, with
 * the exit codes that scripts go by.
 */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { after, before, test } from 'node:test';
import {
  EXIT_DONE,
  EXIT_FAILED,
  EXIT_NO_SESSION,
  EXIT_UNAVAILABLE,
  EXIT_USAGE,
} from '../../../src/os/command-failed.ts';
import { StartedService, temporaryFolder } from '../start/started-service.ts';
import { TraderLines } from './trader-lines.ts';

const folder = temporaryFolder();
const trader = new TraderLines(folder.path);
const run = trader.run.bind(trader);
const rows = trader.rows.bind(trader);
let service: StartedService;
let url: string;

before(async () => {
  service = await StartedService.start(trader.data);
  url = service.base.replace(/\/V1$/, '');
});
after(async () => {
  await service.end('SIGKILL');
  await folder.remove();
});

test('a trader logs in, and the session is kept without the password', async () => {
  assert.deepEqual(await run('orders'), {
    code: EXIT_NO_SESSION,
    printed: '',
    noted: '',
    refused: 'nobody is logged in: begin with sauda login',
  });
  const login = await run(`login --demo SD1001 --url ${url}`);
  assert.equal(login.printed, `logged in as SD1001 (DEMO ONE) at ${url}`);
  assert.equal(statSync(join(trader.state, 'sauda', 'session.json')).mode & 0o777, 0o600);
  assert.match((await run('login --demo NOBODY')).refused, /there is no demo user NOBODY/);
});

test('quotes, candles and chains are printed for people and for programs', async () => {
  assert.match((await run('quote itc')).printed, /^NSE:ITC-EQ {2}ITC Limited .*\n {2}open[\s\S]*quantity +bid +ask/);
  assert.match((await run('quote ITC NIFTY')).printed, /^instrument +last.*\nNSE:ITC-EQ .*\nNSE:NIFTY /);
  assert.equal((await rows('quote ITC'))[0]?.tradingSymbol, 'ITC-EQ');
  assert.match((await run('candles ITC --last 2 --interval 1d')).printed, /^time .*\n\d{4}-\d\d-\d\d .*\n\d{4}-/);
  assert.match((await run('chain NIFTY --count 1')).printed, /^NSE:NIFTY .*\n +call +strike +put(\n[ ,.\d]+){3}$/);
  assert.match((await run('chain NIFTY --count 1 --greeks')).printed, /delta/);
});

test('a wrong instrument is refused with those that it may be', async () => {
  const { code, refused } = await run('buy ITCC 1');
  assert.deepEqual([code, refused.slice(0, 40)], [EXIT_FAILED, 'there is no NSE:ITCC; did you mean NSE:I']);
  assert.equal((await run('quote XSE:ITC')).code, EXIT_USAGE);
  assert.equal((await run('buy ITC ten')).code, EXIT_USAGE);
});

test('an order is previewed, placed, modified and cancelled, and each says what became of it', async () => {
  assert.match((await run('buy ITC 10 --preview')).printed, /^buy 10 NSE:ITC-EQ at market, product C\n {2}price/);
  assert.match((await run('margin sell NIFTY 1 @ 1')).refused, /./);
  const bought = await run('buy ITC 10');
  assert.match(bought.printed, /^bought 10 NSE:ITC-EQ at [\d.]+ \([\d,.]+\), order \d{16}$/);
  const [quote] = await rows('quote ITC');
  const low = (Math.floor(Number(quote?.lastTradedPrice) * 0.95 * 10) / 10).toFixed(2);
  const resting = await run(`buy ITC 7 @ ${low} --product I --remarks mine`);
  const order = /^order (\d{16}) is open: buy 7 NSE:ITC-EQ at [\d.]+, product I$/.exec(resting.printed)?.[1] ?? '';
  const [row] = await rows('orders --open');
  assert.deepEqual([row?.orderNumber, row?.remarks, row?.quantity], [order, 'mine', '7']);
  assert.match((await run(`modify ${Number(order.slice(-8))} --quantity 9`)).printed, /is open: buy 9 NSE:ITC-EQ/);
  assert.match((await run(`orders ${order}`)).printed, /replaced/);
  assert.equal((await run(`cancel ${order}`)).printed, `order ${order} is cancelled`);
  assert.match((await run('orders')).printed, / {2}cancelled$/m);
  const again = await run(`cancel ${order}`);
  assert.deepEqual(again, {
    code: EXIT_FAILED,
    printed: '',
    noted: '',
    refused: `order ${order} is as it was: SAF:order is not open to cancel`,
  });
  const refused = await run('buy ITC 100000000');
  assert.equal(refused.code, EXIT_FAILED);
  assert.match(refused.refused, /^order \d{16} is refused: .+; see sauda why \d{16}$/);
  assert.match((await run('cancel')).refused, /name the orders, or --all/);
});

test('books, positions, holdings and limits are tables, and JSON as the wire has it', async () => {
  assert.match((await run('trades')).printed, /^time .*\n\d\d:\d\d:\d\d {2}\d{16} {2}buy +NSE:ITC-EQ +10 /);
  assert.match((await run('positions')).printed, /\nNSE:ITC-EQ {2}C +10 [\s\S]*\nall /);
  assert.match((await run('holdings')).printed, /\nNSE:RELIANCE-EQ +50 [\s\S]*\nall /);
  assert.match((await run('limits')).printed, /^ {2}available +\d,\d\d,\d\d\d\.\d\d\n/);
  assert.equal((await rows('positions'))[0]?.netQuantity, '10');
});

test('a GTT is placed with two prices, listed and cancelled', async () => {
  const placed = await run('gtt place sell ITC 10 @ 290 --when 290 --or-when 250');
  assert.match(placed.printed, /^GTT \d{16} waits: sell 10 .* rises to 290.00; or sell 10 .* falls to 250.00$/);
  assert.match((await run('gtt')).printed, /^GTT .*\n\d{16} +NSE:ITC-EQ +>= 290.00 .*active\n +or +<= 250.00/);
  assert.match((await run('gtt cancel 1')).printed, /^GTT \d{16} is cancelled$/);
  assert.equal((await run('gtt list')).printed, 'no GTT waits');
});

test('watch prints each change as a line of JSON until nobody reads any more', async () => {
  const output = new PassThrough();
  const watching = run('watch ITC NIFTY --json', output);
  const seen = new Set<string>();
  let text = '';
  for await (const chunk of output) {
    text += String(chunk);
    for (const line of text.split('\n').slice(0, -1)) seen.add((JSON.parse(line) as { instrument: string }).instrument);
    if (seen.size === 2) break;
  }
  output.emit('error', new Error('the reader is gone'));
  assert.deepEqual([...seen].sort(), ['NSE:ITC-EQ', 'NSE:NIFTY']);
  assert.equal((await watching).code, EXIT_DONE);
});

test('a session that has ended and a service that is down have exit codes of their own', async () => {
  const again = `login --demo SD1002 --url ${url}`;
  assert.equal((await run(again)).code, EXIT_DONE);
  assert.equal((await run('logout')).printed, `SD1002 is logged out at ${url}`);
  assert.equal((await run('logout')).code, EXIT_NO_SESSION);
  assert.equal((await run(`login --demo SD1001 --url ${url}`)).code, EXIT_DONE);
  await service.end('SIGKILL');
  const down = await run('limits');
  assert.deepEqual([down.code, down.refused], [EXIT_UNAVAILABLE, `no service answers at ${url}: is it running?`]);
  assert.match((await run('logout')).refused, /^the session is forgotten here, and may live on: no service answers/);
});
