/** `place_order` where the session ends under it: an order that is placed, or may be, is never said to be refused. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { orderTools } from '../../src/mcp/order-tools.ts';
import { Previews } from '../../src/mcp/previews.ts';
import { SignedIn } from '../../src/mcp/signed-in.ts';
import { TradingCaps } from '../../src/mcp/trading-caps.ts';
import { ORDER } from '../client/an-order.ts';
import { type Answer, fails, lost, ScriptedService, succeeds } from '../client/scripted-service.ts';

const NUMBER = '2611230000000001';
const PLACED = { orderNumber: NUMBER, requestTime: '10:15:00 23-11-2026' };
const QUOTE = succeeds([{ lastTradedPrice: '269.50' }]);
const ENDED = fails(401, 'INVALID_JKEY');
const LOGIN = { password: 'x', apiKey: 'x', vendorCode: undefined, totpSecret: undefined };

let service: ScriptedService;
before(async () => {
  service = await ScriptedService.start();
});
after(() => service.close());

/** Places an order at a service that answers so; gives the answer of the tool and the orders that are left. */
async function place(login: typeof LOGIN | undefined, ...script: readonly Answer[]) {
  const elapsed = (): number => performance.now();
  const jKey = login === undefined ? 'f00d' : undefined;
  const settings = { origin: service.url, userId: 'SD1001', jKey, login, bearer: undefined, operator: undefined };
  const caps = new TradingCaps({ maxOrderValue: 1_000_000n, maxOrders: 1 });
  const previews = new Previews(elapsed);
  const tool = orderTools(new SignedIn(settings, elapsed), { previews, caps }).find(
    ({ name }) => name === 'place_order',
  );
  assert.ok(tool);
  const fields = Object.fromEntries(Object.entries(ORDER).map(([name, value]) => [name, String(value)]));
  const token = previews.keep({ retention: 'DAY', remarks: '', price: '0', ...fields });
  service.next(...script);
  const { isError = false, content } = await tool.run({ ...ORDER, token });
  const [part] = content;
  assert.ok(part?.type === 'text');
  return { isError, data: JSON.parse(part.text) as Record<string, unknown>, left: caps.left };
}

test('an order that is placed has its number although the session ends before its row is read', async () => {
  const { isError, data, left } = await place(undefined, QUOTE, succeeds(PLACED), ENDED);
  assert.equal(isError, false);
  assert.deepEqual([data.orders, data.rows, left], [[PLACED], [], 0]);
});

test('an order in doubt stays in doubt when the session has ended as it is asked for again', async () => {
  const { isError, data, left } = await place(undefined, QUOTE, lost, ENDED);
  assert.deepEqual([isError, data.error, data.mayHaveBeenDone, left], [true, 'INVALID_JKEY', true, 0]);
});

test('an order in doubt stays in doubt when the new login is refused', async () => {
  const entered = succeeds({ susertoken: 'f00d', userName: 'ONE', userId: 'SD1001' });
  const { data, left } = await place(LOGIN, entered, QUOTE, lost, ENDED, fails(401, 'INVALID_CREDENTIALS'));
  assert.deepEqual([data.mayHaveBeenDone, left], [true, 0]);
});

test('an order that a session which had ended kept from the service is not placed', async () => {
  const { data, left } = await place(undefined, QUOTE, ENDED);
  assert.deepEqual([data.error, left], ['REFUSED', 1]);
});
