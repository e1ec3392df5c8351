import assert from 'node:assert/strict';
import test from 'node:test';
import { type Paise, price, quantity } from '../../../src/base/money.ts';
import { basketMargin, type OrderQuestion, orderMargin } from '../../../src/core/broker/trials/basket-margin.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import { limitsOf } from '../../../src/core/query.ts';
import { refusalText } from '../../../src/core/refusals/refusal-text.ts';
import { equity, FIRST_DAY, listed, NIFTY_CALL, NIFTY_FUTURE, RELIANCE } from '../../kit/money/listed.ts';
import { type Quote, StillMarket } from '../../kit/money/still-market.ts';
import { World } from '../../kit/money/world.ts';
import { testPorts } from '../../kit/ports.ts';

const CRORE = 1_000_000_000;
const MOST_UNITS = 999_999_999;
const HIGHEST_PRICE = 99_999_999_999;

/** A share of a high price and without a freeze quantity. */
const DEAR = equity('NSE', { token: 2_277, symbol: 'MRF-EQ', isin: 'INE883A01011' });

function open() {
  const market = new StillMarket();
  const quote = (at: number): Quote => ({ bid: at, ask: at, last: at, close: at });
  market.quotes.set(RELIANCE.id, quote(1_000_00));
  market.quotes.set(DEAR.id, quote(132_665_00));
  market.quotes.set(NIFTY_FUTURE.id, quote(24_000_00));
  market.quotes.set(NIFTY_CALL.id, quote(400_00));
  const instruments = { get: (id: OrderQuestion['instrument']) => (id === DEAR.id ? DEAR : listed.get(id)) };
  const ports = testPorts({ instruments, market });
  const world = new World(ports, FIRST_DAY);
  return { market, quote, ports, world, check: () => checkInvariants(world.state, ports) };
}

function question(instrument: OrderQuestion['instrument'], words: Partial<OrderQuestion>, units: number, at: number) {
  const terms = {
    priceType: at === 0 ? 'MKT' : 'LMT',
    retention: 'DAY',
    quantity: quantity(units),
    price: price(at),
    trigger: price(0),
  } as const;
  return { instrument, side: 'B', product: 'M', terms, ...words } as const satisfies OrderQuestion;
}

test('an order of the largest quantity is refused for its value, not an end of the service', () => {
  const { world, check } = open();
  const by = world.user('AB1234', CRORE);
  for (const product of ['C', 'I'] as const) {
    const refusal = world.refusal({ by, of: DEAR.id, side: 'B', units: MOST_UNITS, at: 132_665_00, product });
    assert.equal(refusal.rule, 'AboveOrderValueCap');
    assert.match(refusalText(refusal, { userId: 'AB1234' }), /Current:INR 132664999867335\.00 Set:INR 100000000\.00/);
  }
  check();
});

test('the margin of orders beyond all money is answered, and is beyond all money', () => {
  const { world } = open();
  const by = world.user('AB1234', CRORE);
  const orders = [RELIANCE, DEAR, NIFTY_FUTURE, NIFTY_CALL].flatMap(({ id }) =>
    (['B', 'S'] as const).flatMap((side) => [
      question(id, { side, product: id === RELIANCE.id ? 'C' : 'M' }, MOST_UNITS, HIGHEST_PRICE),
      question(id, { side }, MOST_UNITS, HIGHEST_PRICE),
      question(id, { side }, MOST_UNITS, 0),
      question(id, { side }, 1, HIGHEST_PRICE),
    ]),
  );
  const basket = Array.from({ length: 50 }, (_, index) => orders[index % orders.length] as OrderQuestion);
  const { afterEach, onNewOrder, available } = basketMargin(world.state, world.portsNow(), world.account(by), basket);
  assert.equal(afterEach.length, 50);
  assert.ok(onNewOrder > available);
  for (const order of [orders[0], orders[2], orders[9]] as OrderQuestion[]) {
    assert.ok(orderMargin(world.state, world.portsNow(), world.account(by), order).onNewOrder > 1_000 * CRORE);
  }
});

test('a conversion that uses up the proceeds of a sale must find its money', () => {
  const { world, check } = open();
  const by = world.user('AB1234', 0);
  world.give(by, RELIANCE.id, 100, 100 * 700_00);
  world.place({ by, of: RELIANCE.id, side: 'S', units: 100, at: 1_000_00, product: 'C' });
  world.place({ by, of: RELIANCE.id, side: 'B', units: 500, at: 1_000_00, product: 'I' });
  const limits = () => limitsOf(world.account(by));
  assert.deepEqual([limits().totalMargin, limits().availableMargin], [100_000_00, 0]);
  const convert = (units: number) =>
    world.submit({
      type: 'ConvertPosition',
      account: by,
      instrument: RELIANCE.id,
      from: 'I',
      to: 'C',
      quantity: quantity(units),
      side: 'B',
      age: 'day',
    }).reply;
  assert.deepEqual(convert(100), {
    type: 'Refused',
    refusal: { rule: 'MarginShortfall', required: 80_000_00, available: 0 },
    at: world.at,
  });
  assert.deepEqual([limits().totalMargin, limits().availableMargin], [100_000_00, 0]);
  world.place({ by, of: RELIANCE.id, side: 'S', units: 400, at: 1_000_00, product: 'I' });
  assert.equal(convert(100).type, 'PositionConverted');
  assert.deepEqual([limits().totalMargin, limits().availableMargin], [0, 0]);
  check();
});

test('a stop market order is refused for the trigger that its client gave, never for the limit that the broker made', () => {
  const { market, quote, world } = open();
  const by = world.user('AB1234', CRORE);
  market.quotes.set(RELIANCE.id, { ...quote(1_000_00), band: [900_00, 1_100_00] });
  const stop = { by, of: RELIANCE.id, side: 'B', units: 1, type: 'SL-MKT', product: 'I' } as const;
  const say = (words: Partial<Parameters<World['place']>[0]>) =>
    refusalText(world.refusal({ ...stop, ...words }), { userId: 'AB1234' });
  assert.match(say({ trigger: 1_200_00 }), /^RED:RULE:\{Check circuit limit.*Current:INR 1200\.00 /);
  assert.match(say({ side: 'S', trigger: 800_00 }), /^RED:RULE:\{Check circuit limit.*Current:INR 800\.00 /);
  market.quotes.set(RELIANCE.id, quote(90));
  assert.equal(say({ trigger: 97 }), '16316:The trigger price is not multiple of the tick size.');
  assert.equal(say({ side: 'S', trigger: 3 }), '16316:The trigger price is not multiple of the tick size.');
});

test('a stop that has fired is a limit order: its limit may be on either side of the old trigger', () => {
  const { market, quote, world, check } = open();
  const by = world.user('AB1234', CRORE);
  const stop = world.place({
    by,
    of: RELIANCE.id,
    side: 'S',
    units: 10,
    at: 980_00,
    trigger: 990_00,
    type: 'SL-LMT',
    product: 'I',
  });
  market.quotes.set(RELIANCE.id, { bid: 970_00, ask: 971_00, last: 970_00, close: 1_000_00 });
  world.at = (world.at + 1_000) as typeof world.at;
  world.submit({ type: 'MoveMarket', instrument: RELIANCE.id, tick: Math.floor(world.at / 1_000) as never });
  assert.equal(stop.status, 'Open');
  market.quotes.set(RELIANCE.id, quote(970_00));
  const { reply } = world.submit({
    type: 'ModifyOrder',
    account: by,
    order: stop.number,
    terms: { ...stop.terms, price: price(995_00) },
  });
  assert.equal(reply.type, 'OrderModified');
  assert.deepEqual([stop.status, stop.terms.price], ['Open', 995_00]);
  check();
});

test('the margin of a short intraday sale is asked for at the price at which it would be filled', () => {
  const { market, world, check } = open();
  market.quotes.set(RELIANCE.id, { bid: 1_200_00, ask: 1_201_00, last: 1_200_00, close: 1_000_00 });
  const by = world.user('AB1234', 24_000_00);
  const sale = question(RELIANCE.id, { side: 'S', product: 'I' }, 100, 1_100_00);
  assert.equal(orderMargin(world.state, world.portsNow(), world.account(by), sale).onNewOrder, 24_000_00);
  assert.equal(
    world.place({ by, of: RELIANCE.id, side: 'S', units: 100, at: 1_100_00, product: 'I' }).status,
    'Complete',
  );
  assert.equal(limitsOf(world.account(by)).availableMargin, 0);
  check();
});

test('a pay-in beyond what all sums can hold is refused, and the books stay as they are', () => {
  const { world, check } = open();
  const by = world.user('AB1234', CRORE);
  const amount = 3_999_999_000_000_000 as Paise;
  assert.equal(world.submit({ type: 'DepositCash', account: by, amount, opening: false }).reply.type, 'Done');
  const { events, reply } = world.submit({ type: 'DepositCash', account: by, amount: 1 as Paise, opening: false });
  assert.deepEqual([events.length, reply.type === 'Refused' && reply.refusal.rule], [0, 'TooMuchMoney']);
  check();
});

test('a credit beyond what all sums can hold is refused, and the books stay as they are', () => {
  const { market, quote, world, check } = open();
  const [by, other] = [world.user('AB1234', 0), world.user('CD1234', 0)];
  const credit = (account: typeof by, instrument: OrderQuestion['instrument'], units: number, cost: number) => {
    const shares = { instrument, quantity: quantity(units), cost: cost as Paise };
    const { events, reply } = world.submit({ type: 'CreditHolding', account, ...shares });
    assert.ok(reply.type !== 'Refused' || events.length === 0);
    check();
    return reply.type === 'Refused' ? refusalText(reply.refusal, { userId: 'AB1234' }) : reply.type;
  };
  const tooMany = 'all accounts together would have more shares, or shares worth more, than the service counts exactly';
  assert.equal(credit(by, RELIANCE.id, MOST_UNITS, 90_000_00 * MOST_UNITS), tooMany, 'what it costs');
  assert.equal(credit(by, DEAR.id, MOST_UNITS, 0), tooMany, 'what it is worth');
  assert.equal(credit(by, RELIANCE.id, MOST_UNITS, 300_000_000_000_000), 'Done');
  assert.equal(credit(other, DEAR.id, 1, 100_000_000_000_000), 'Done');
  assert.equal(credit(other, DEAR.id, 1, 1), tooMany, 'what the shares of others cost counts');
  assert.equal(credit(by, RELIANCE.id, MOST_UNITS, 0), 'Done');
  assert.equal(credit(by, RELIANCE.id, MOST_UNITS, 0), 'Done');
  assert.equal(credit(other, RELIANCE.id, MOST_UNITS, 0), tooMany, 'what the shares of others are worth counts');
  market.quotes.set(RELIANCE.id, quote(5));
  for (let credits = 3; credits < 100; credits += 1) assert.equal(credit(other, RELIANCE.id, MOST_UNITS, 0), 'Done');
  assert.equal(credit(other, RELIANCE.id, 101, 0), tooMany, 'how many there are counts');
  assert.equal(credit(other, RELIANCE.id, 100, 0), 'Done');
  market.quotes.set(RELIANCE.id, quote(1_000_00));
  const pledge = { instrument: RELIANCE.id, quantity: quantity(MOST_UNITS) };
  assert.equal(world.submit({ type: 'PledgeShares', account: by, ...pledge }).reply.type, 'Done');
  check();
});
