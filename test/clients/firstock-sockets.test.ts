import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { type Frame, VendorSockets } from './vendor-sockets.ts';

/* The vendor's npm client streams from a started service. More connections are opened by `npm run faults`. */

const IN_PARALLEL = 9;
const IN_TURN = 20;

let vendor: VendorSockets;
before(async () => {
  vendor = await VendorSockets.start(IN_PARALLEL);
});
after(() => vendor.end());

async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + 60_000;
  while (!(await holds())) {
    assert.ok(performance.now() < end, what);
    await sleep(10);
  }
}

test('no connection of the client loses its first frame, one after the other or all at once', async () => {
  await vendor.openInTurn(IN_TURN);
  await vendor.openTogether(IN_PARALLEL);
});

test('the callbacks of the client get prices, orders and positions, and go on when the service was killed', async () => {
  const [user] = vendor.users;
  assert.ok(user);
  const feed: Frame[] = [];
  const orders: Frame[] = [];
  const positions: Frame[] = [];
  const again: WebSocket[] = [];
  const [socket, failure] = await vendor.open(user.userId, {
    tokens: ['NSE:2885', 'NSE:26000'],
    order_data: (frame) => orders.push(frame),
    position_data: (frame) => positions.push(frame),
    subscribe_feed_data: (frame) => feed.push(frame),
    on_reconnect: (reconnected) => again.push(reconnected),
  });
  assert.equal(failure, null);
  const place = async (): Promise<string> => {
    const { body } = await vendor.service.call('placeOrder', {
      ...user,
      exchange: 'NSE',
      tradingSymbol: 'RELIANCE-EQ',
      product: 'I',
      transactionType: 'B',
      priceType: 'MKT',
      retention: 'DAY',
      quantity: '2',
      price: '0',
      triggerPrice: '0',
      remarks: 'over the socket',
    });
    return String((body.data as Record<string, string>).orderNumber);
  };
  const names = (): string => [...new Set(feed.flatMap((frame) => Object.keys(frame)))].sort().join();
  await until(() => feed.length >= 4 && names() === 'NSE:26000,NSE:2885', 'prices come');
  const metricsNow = async (): Promise<string> => (await fetch(`${vendor.service.operator}/metrics`)).text();
  const metrics = await metricsNow();
  assert.match(metrics, /^sauda_sockets 1$/m);
  assert.match(metrics, /^sauda_sockets_subscriptions 2$/m);
  assert.match(metrics, /^sauda_sockets_instruments 2$/m);
  assert.match(metrics, /^sauda_sockets_frames_total [1-9]\d*$/m);
  assert.match(metrics, /^sauda_sockets_cut_off_total\{reason="slow"\} 0$/m);
  const number = await place();
  await until(() => positions.length === 1, 'the position comes');
  assert.deepEqual(
    orders.map(({ norenordno, status, reporttype }) => `${norenordno} ${status}/${reporttype}`),
    ['ORDER ACK/NewAck', 'ORDER PENDING/PendingNew', 'OPEN/New', 'COMPLETE/Fill'].map((words) => `${number} ${words}`),
  );
  assert.deepEqual([positions[0]?.tsym, positions[0]?.netqty], ['RELIANCE-EQ', '2']);
  await vendor.restart();
  await until(() => again.length === 1, 'the client connects again');
  const before = feed.length;
  await until(() => feed.length >= before + 4, 'prices come again');
  await place();
  await until(() => positions.length === 2, 'positions come again');
  assert.equal(positions[1]?.netqty, '4');
  await vendor.client.unsubscribe(again[0] ?? null, ['NSE:2885', 'NSE:26000']);
  await until(async () => /^sauda_sockets_subscriptions 0$/m.test(await metricsNow()), 'nothing is followed');
  await sleep(300);
  const ended = feed.length;
  await sleep(1_500);
  assert.equal(feed.length, ended);
  await vendor.client.closeWebsocket(again[0] ?? null);
  assert.equal(socket?.readyState, 3);
});
