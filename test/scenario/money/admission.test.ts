import assert from 'node:assert/strict';
import test from 'node:test';
import { price, quantity } from '../../../src/base/money.ts';
import { basketMargin, type OrderQuestion, orderMargin } from '../../../src/core/broker/trials/basket-margin.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import { limitsOf } from '../../../src/core/query.ts';
import { FIRST_DAY, NIFTY_CALL, NIFTY_FUTURE, PAYTM, RELIANCE } from '../../kit/money/listed.ts';
import { StillMarket } from '../../kit/money/still-market.ts';
import { placement, World } from '../../kit/money/world.ts';
import { testPorts } from '../../kit/ports.ts';

const CRORE = 1_000_000_000;

function open() {
  const market = new StillMarket();
  const quote = (at: number) => ({ bid: at, ask: at, last: at, close: at });
  market.quotes.set(RELIANCE.id, quote(1_260_00));
  market.quotes.set(PAYTM.id, quote(7_07));
  market.quotes.set(NIFTY_FUTURE.id, quote(24_000_00));
  market.quotes.set(NIFTY_CALL.id, quote(400_00));
  const ports = testPorts({ market });
  const world = new World(ports, FIRST_DAY);
  return { market, quote, ports, world, check: () => checkInvariants(world.state, ports) };
}

function question(
  of: { readonly id: OrderQuestion['instrument'] },
  words: Partial<OrderQuestion>,
  units: number,
  at: number,
) {
  const terms = {
    priceType: 'LMT',
    retention: 'DAY',
    quantity: quantity(units),
    price: price(at),
    trigger: price(0),
  } as const;
  return { instrument: of.id, side: 'B', product: 'C', terms, ...words } as const satisfies OrderQuestion;
}

test('the same key and request give the same answer and no second order, for the day', () => {
  const { world } = open();
  const by = world.user('AB1234', CRORE);
  const other = world.user('CD5678', CRORE);
  const words = { by, of: RELIANCE.id, side: 'B', units: 1, at: 1_200_00, product: 'C' } as const;
  const idempotency = { key: 'once', bodyDigest: 'a' };
  const first = world.submit({ ...placement(words), idempotency });
  world.at = (world.at + 5_000) as typeof world.at;
  const again = world.submit({ ...placement(words), idempotency });
  assert.deepEqual(again.reply, { ...first.reply, again: true });
  assert.deepEqual(again.events, []);
  const reused = world.submit({ ...placement(words), idempotency: { key: 'once', bodyDigest: 'b' } });
  assert.ok(reused.reply.type === 'Refused' && reused.reply.refusal.rule === 'IdempotencyKeyReused');
  assert.equal(world.submit({ ...placement({ ...words, by: other }), idempotency }).events.length > 0, true);
  assert.equal(world.state.orders.size, 2);
  world.nextDay();
  assert.equal(world.submit({ ...placement(words), idempotency }).events.length > 0, true);
});

test('a basket is measured order by order and once all have traded, and nothing is changed', () => {
  const { world } = open();
  const by = world.user('AB1234', CRORE);
  const basket = [question(RELIANCE, {}, 100, 1_260_00), question(PAYTM, {}, 100, 7_07)];
  const margin = basketMargin(world.state, world.portsNow(), world.account(by), basket);
  assert.deepEqual(margin, {
    afterEach: [126_000_00, 126_707_00],
    onNewOrder: 126_707_00,
    previous: 0,
    traded: 126_707_00,
    available: CRORE,
  });
  assert.deepEqual(basketMargin(world.state, world.portsNow(), world.account(by), []).afterEach, []);
});

test('limits show the margin that basketMargin computed before', () => {
  const { world, check } = open();
  const by = world.user('AB1234', CRORE);
  const basket = [
    question(NIFTY_CALL, { side: 'S', product: 'M' }, 65, 400_00),
    question(NIFTY_FUTURE, { side: 'B', product: 'M' }, 65, 24_000_00),
    question(RELIANCE, { side: 'S', product: 'I' }, 10, 1_260_00),
  ];
  const foretold = basketMargin(world.state, world.portsNow(), world.account(by), basket);
  for (const { instrument, side, product, terms } of basket) {
    world.place({ by, of: instrument, side, product, units: terms.quantity, at: terms.price });
    check();
  }
  assert.equal(limitsOf(world.account(by)).marginUsed, foretold.traded);
  const closing = question(NIFTY_FUTURE, { side: 'S', product: 'M' }, 65, 24_000_00);
  const after = basketMargin(world.state, world.portsNow(), world.account(by), [closing]);
  assert.equal(after.onNewOrder, 0, 'a closing order needs nothing');
  assert.ok(after.traded < after.previous);
  const one = orderMargin(world.state, world.portsNow(), world.account(by), closing);
  assert.deepEqual(one, { cash: CRORE, available: after.available, onNewOrder: 0 });
});

test('closing orders are admitted without money, a second one that would open a short is not', () => {
  const { market, quote, world, check } = open();
  const by = world.user('AB1234', 300_000_00);
  world.place({ by, of: NIFTY_FUTURE.id, side: 'B', units: 65, at: 24_000_00 });
  market.quotes.set(NIFTY_FUTURE.id, { ...quote(23_900_00), close: 24_000_00 });
  const close = { by, of: NIFTY_FUTURE.id, side: 'S', units: 65, at: 23_950_00 } as const;
  assert.equal(world.place(close).status, 'Open');
  assert.equal(
    world.place(close).status,
    'Open',
    'either of the two closes, and a short of one lot is margined already',
  );
  assert.equal(world.refusal(close).rule, 'MarginShortfall');
  check();
});

test('an order that turns a position around must pay for the loss of the closed part', () => {
  const { market, quote, world, check } = open();
  const by = world.user('AB1234', 290_000_00);
  world.place({ by, of: NIFTY_FUTURE.id, side: 'B', units: 65, at: 24_000_00 });
  const { availableMargin } = limitsOf(world.account(by));
  const loss = Math.ceil(availableMargin / 65 / 500) * 500 + 500;
  world.at = (world.at + 60_000) as typeof world.at;
  market.quotes.set(NIFTY_FUTURE.id, { ...quote(24_000_00 - loss), close: 24_000_00 });
  const turn = { by, of: NIFTY_FUTURE.id, side: 'S', at: 24_000_00 - loss } as const;
  assert.equal(world.refusal({ ...turn, units: 130 }).rule, 'MarginShortfall');
  assert.equal(world.place({ ...turn, units: 65 }).status, 'Complete', 'closing alone is always admitted');
  assert.ok(limitsOf(world.account(by)).availableMargin > 0, 'the margin is free and the loss is paid');
  check();
});

test('a modification needs margin for the difference only, and a refused one leaves order and block', () => {
  const { world, check } = open();
  const by = world.user('AB1234', 130_000_00);
  const order = world.place({ by, of: RELIANCE.id, side: 'B', units: 100, at: 1_200_00, product: 'C' });
  const change = (words: Partial<typeof order.terms>) => {
    const { reply } = world.submit({
      type: 'ModifyOrder',
      account: by,
      order: order.number,
      terms: { ...order.terms, ...words },
    });
    check();
    return reply.type;
  };
  assert.equal(change({ price: price(1_250_00) }), 'OrderModified');
  assert.equal(limitsOf(world.account(by)).marginUsed, 125_000_00);
  assert.equal(change({ quantity: quantity(110) }), 'Refused');
  assert.equal(order.terms.quantity, 100);
  assert.equal(limitsOf(world.account(by)).marginUsed, 125_000_00);
  assert.equal(change({ quantity: quantity(50) }), 'OrderModified');
  assert.equal(limitsOf(world.account(by)).marginUsed, 62_500_00);
  world.submit({ type: 'CancelOrder', account: by, order: order.number });
  assert.equal(limitsOf(world.account(by)).marginUsed, 0);
  assert.equal(limitsOf(world.account(by)).peakMargin, 125_000_00);
});

test('orders of one account never trade with each other: the resting one is cancelled', () => {
  const { market, world, check } = open();
  const by = world.user('AB1234', CRORE);
  market.quotes.set(RELIANCE.id, { bid: 1_200_00, ask: 1_300_00, last: 1_260_00 });
  const resting = world.place({ by, of: RELIANCE.id, side: 'B', units: 5, at: 1_250_00, product: 'I' });
  const coming = world.place({ by, of: RELIANCE.id, side: 'S', units: 5, at: 1_250_00, product: 'I' });
  assert.deepEqual([resting.status, coming.status, coming.filled], ['Cancelled', 'Open', 0]);
  check();
});

test('a stop market order waits with a limit from its trigger, fires on the last price and trades', () => {
  const { market, world, check } = open();
  const by = world.user('AB1234', CRORE);
  const stop = world.place({ by, of: NIFTY_CALL.id, side: 'B', units: 65, trigger: 450_00, type: 'SL-MKT' });
  assert.deepEqual([stop.status, stop.terms.price, stop.terms.priceType], ['TriggerPending', 459_00, 'SL-MKT']);
  assert.equal(limitsOf(world.account(by)).premium, 65 * 459_00);
  market.quotes.set(NIFTY_CALL.id, { bid: 449_00, ask: 451_00, last: 450_00, close: 400_00 });
  world.at = (world.at + 1_000) as typeof world.at;
  world.submit({ type: 'MoveMarket', instrument: NIFTY_CALL.id, tick: Math.floor(world.at / 1_000) as never });
  assert.deepEqual([stop.status, stop.filled, stop.filledAmount], ['Complete', 65, 65 * 451_00]);
  assert.equal(limitsOf(world.account(by)).premium, 65 * 451_00);
  check();
});
