import assert from 'node:assert/strict';
import test, { describe, it } from 'node:test';
import type { AccountId } from '../../../src/base/ids.ts';
import { paise, price, quantity } from '../../../src/base/money.ts';
import { Random } from '../../../src/base/random.ts';
import { availableMargin } from '../../../src/core/broker/account/funds.ts';
import {
  BasketWay,
  basketMargin,
  measuredOrder,
  type OrderQuestion,
  orderMargin,
} from '../../../src/core/broker/trials/basket-margin.ts';
import type { Order, Side } from '../../../src/core/order.ts';
import { ordersOf } from '../../../src/core/query.ts';
import { CALL_25000, CONTRACTS, FUTURE, LOT, TODAY, workedWorld } from '../../kit/money/worked-options.ts';
import { type OrderWords, placement, World } from '../../kit/money/world.ts';

const CALL_PRICE = 70_80;
const LAKH = 10_000_000;
const SEED = Number(process.env.SAUDA_TEST_SEED ?? 20_261_121);
/** Enough for one more call while the bid stands, and not once it has ended. */
const LEFT = LAKH;

/** Takes money out until `left` paise are available. */
function leaveAvailable(world: World, account: AccountId, left: number): void {
  const amount = paise(availableMargin(world.account(account)) - left);
  assert.equal(world.submit({ type: 'PayOutCash', account, amount }).reply.type, 'Done');
}

/**
 * A writer of five calls who wants to buy three of them back, which halves what the purchase of futures beside it would
 * be added to.
 */
function writer(strictTrigger = true) {
  const { ports: worked, market } = workedWorld();
  const ports = { ...worked, strictTrigger };
  const world = new World(ports, TODAY);
  const by = world.user('AB1234', 200 * LAKH);
  const call = (side: Side, lots: number, at: number, product: 'M' | 'I' = 'M') => {
    return { by, of: CALL_25000.id, side, units: lots * LOT, at, product } as const;
  };
  world.place(call('S', 5, CALL_PRICE));
  // From here on nobody else bids for the call: who sells it meets the writer's own bid.
  market.quotes.set(CALL_25000.id, { ask: CALL_PRICE + 500, last: CALL_PRICE, close: CALL_PRICE });
  world.place({ by, of: FUTURE.id, side: 'B', units: 9 * LOT, at: 24_000_00 });
  const bid = world.place(call('B', 3, CALL_PRICE, 'I'));
  const available = () => availableMargin(world.account(by));
  const leave = (left: number) => leaveAvailable(world, by, left);
  const status = ({ number }: Order) => world.order(number).status;
  /** The margin that `basketMargin` gives for a basket that sells calls at the price of the bid, one lot an order. */
  const askForSales = (orders: number) => {
    const sales = Array.from({ length: orders }, () => SALE);
    return basketMargin(world.state, world.portsNow(), world.account(by), sales);
  };
  const askForSale = () => orderMargin(world.state, world.portsNow(), world.account(by), SALE);
  return { world, by, call, bid, available, leave, status, askForSales, askForSale };
}

const SALE: OrderQuestion = {
  instrument: CALL_25000.id,
  side: 'S',
  product: 'M',
  terms: {
    priceType: 'LMT',
    retention: 'DAY',
    quantity: quantity(LOT),
    price: price(CALL_PRICE),
    trigger: price(0),
  },
};

describe('an order that meets a bid of its own account', () => {
  it('is refused for the margin that is needed once the bid has ended', () => {
    const { world, call, bid, leave, available, status } = writer();
    leave(LEFT);
    const refusal = world.refusal(call('S', 1, CALL_PRICE));
    assert.ok(refusal.rule === 'MarginShortfall' && refusal.available === LEFT && refusal.required > LEFT);
    assert.equal(status(bid), 'Open');
    assert.equal(available(), LEFT);
  });

  it('is admitted with just that margin, ends the bid, and leaves nobody below nothing', () => {
    const { world, by, call, bid, leave, available, status } = writer();
    leave(LEFT);
    const refusal = world.refusal(call('S', 1, CALL_PRICE));
    assert.ok(refusal.rule === 'MarginShortfall');
    const amount = paise(refusal.required - refusal.available - 1);
    world.submit({ type: 'DepositCash', account: by, amount, opening: false });
    assert.equal(world.refusal(call('S', 1, CALL_PRICE)).rule, 'MarginShortfall');
    world.submit({ type: 'DepositCash', account: by, amount: paise(1), opening: false });
    assert.equal(status(world.place(call('S', 1, CALL_PRICE))), 'Open');
    assert.equal(status(bid), 'Cancelled');
    assert.ok(available() >= 0);
  });

  it('counts the bid as standing when it is filled before it comes to it', () => {
    const { world, call, bid, leave, available, status } = writer();
    const other = world.user('CD5678', 200 * LAKH);
    world.place({ ...call('B', 1, CALL_PRICE + 100), by: other });
    leave(LEFT);
    assert.equal(status(world.place(call('S', 1, CALL_PRICE))), 'Complete');
    assert.equal(status(bid), 'Open');
    assert.ok(available() >= 0);
  });

  it('waits beside the bid as a stop', () => {
    const { world, call, bid, leave, status } = writer();
    leave(LEFT);
    const stop = world.place({ ...call('S', 1, CALL_PRICE - 100), type: 'SL-LMT', trigger: CALL_PRICE - 50 });
    assert.equal(status(stop), 'TriggerPending');
    assert.equal(status(bid), 'Open');
  });

  it('is asked for the same as a stop that fires as it comes', () => {
    const { world, by: account, call, bid, leave, available, status, askForSale } = writer(false);
    const sale = { ...call('S', 1, CALL_PRICE), type: 'SL-LMT', trigger: CALL_PRICE } as const;
    const { onNewOrder } = askForSale();
    leave(onNewOrder - 1);
    const refusal = world.refusal(sale);
    assert.ok(refusal.rule === 'MarginShortfall' && refusal.required === onNewOrder);
    assert.equal(status(bid), 'Open');
    world.submit({ type: 'DepositCash', account, amount: paise(1), opening: false });
    assert.equal(status(world.place(sale)), 'Open');
    assert.equal(status(bid), 'Cancelled');
    assert.ok(available() >= 0);
  });

  it('is modified into a stop that waits beside the bid, and ends nothing', () => {
    const { world, by: account, call, bid, leave, status } = writer();
    const { number: order, terms } = world.place(call('S', 1, CALL_PRICE + 200));
    leave(LEFT);
    const stop = { priceType: 'SL-LMT', price: price(CALL_PRICE - 100), trigger: price(CALL_PRICE - 50) } as const;
    const { reply } = world.submit({ type: 'ModifyOrder', account, order, terms: { ...terms, ...stop } });
    assert.equal(reply.type, 'OrderModified', JSON.stringify(reply));
    assert.equal(world.order(order).status, 'TriggerPending');
    assert.equal(status(bid), 'Open');
  });

  it('is asked for the same when a modification lets it meet the bid', () => {
    const { world, by: account, call, bid, leave, available, status } = writer();
    const { number: order, terms } = world.place(call('S', 1, CALL_PRICE + 200));
    leave(LEFT);
    const down = { type: 'ModifyOrder', account, order, terms: { ...terms, price: bid.terms.price } } as const;
    const { reply } = world.submit(down);
    assert.ok(reply.type === 'Refused' && reply.refusal.rule === 'MarginShortfall');
    const { required, available: free } = reply.refusal;
    world.submit({ type: 'DepositCash', account, amount: paise(required - free), opening: false });
    assert.equal(world.submit(down).reply.type, 'OrderModified');
    assert.equal(status(bid), 'Cancelled');
    assert.ok(available() >= 0);
  });

  it('is foretold by the margin of the order, to the paisa', () => {
    const { world, by, call, bid, leave, available, status, askForSale } = writer();
    const { onNewOrder } = askForSale();
    assert.ok(onNewOrder > 0);
    leave(onNewOrder - 1);
    const refusal = world.refusal(call('S', 1, CALL_PRICE));
    assert.ok(refusal.rule === 'MarginShortfall' && refusal.required === onNewOrder);
    assert.equal(status(bid), 'Open', 'a question changes nothing');
    world.submit({ type: 'DepositCash', account: by, amount: paise(1), opening: false });
    assert.equal(status(world.place(call('S', 1, CALL_PRICE))), 'Open');
    assert.ok(available() >= 0);
  });

  it('is measured in a basket as if the bid had been cancelled before, and its end counts once', () => {
    const { world, by: account, bid, available, askForSales } = writer();
    const standing = [1, 2, 3].map(askForSales);
    const before = available();
    world.submit({ type: 'CancelOrder', account, order: bid.number });
    const freed = available() - before;
    assert.notEqual(freed, 0);
    for (const [index, { afterEach, onNewOrder, traded }] of standing.entries()) {
      const cancelled = askForSales(index + 1);
      assert.deepEqual([afterEach, traded], [cancelled.afterEach, cancelled.traded]);
      assert.equal(onNewOrder, cancelled.onNewOrder - freed);
    }
  });
});

/**
 * An account with positions and with orders that rest, in a market in which nobody else trades: what it places rests
 * too, or meets its own. `strictTrigger` off: what is asked is a stop that fires as it comes.
 */
function restingAccount(random: Random, strictTrigger: boolean) {
  const { ports: worked, market } = workedWorld();
  const ports = { ...worked, strictTrigger };
  const world = new World(ports, TODAY);
  const by = world.user('AB1234', 2_000 * LAKH);
  const contracts = [random.pick(CONTRACTS), random.pick(CONTRACTS)];
  const draw = () => {
    const { id: of } = random.pick(contracts);
    const { last } = market.quotes.get(of) ?? assert.fail('it is quoted');
    const at = Math.round((last * random.between(98, 102)) / 500) * 5;
    const side: Side = random.chance(50) ? 'B' : 'S';
    return { by, of, side, units: LOT * random.between(1, 4), at, product: random.pick(['M', 'I'] as const) };
  };
  const crossing = () => {
    const words = draw();
    const { last } = market.quotes.get(words.of) ?? assert.fail('it is quoted');
    const trigger = words.side === 'B' ? Math.min(words.at, last) : Math.max(words.at, last);
    return { ...words, type: 'SL-LMT', trigger } as const;
  };
  for (let held = random.between(0, 3); held > 0; held -= 1) world.place(draw());
  for (const { id } of CONTRACTS) {
    const { last } = market.quotes.get(id) ?? assert.fail('it is quoted');
    market.quotes.set(id, { last, close: last });
  }
  for (let resting = random.between(1, 6); resting > 0; resting -= 1) world.place(draw());
  const account = world.account(by);
  const ask = (words: OrderWords) => {
    return orderMargin(world.state, world.portsNow(), account, placement(words)).onNewOrder;
  };
  return { world, market, by, account, draw, words: strictTrigger ? draw() : crossing(), ask };
}

for (const strictTrigger of [true, false]) {
  const what = strictTrigger ? 'an order' : 'a stop that fires as it comes';
  test(`a question foretells admission of ${what} beside resting orders of the account, seed ${SEED}`, () =>
    foretell(strictTrigger));
}

function foretell(strictTrigger: boolean): void {
  const random = new Random(SEED);
  const tally = { refused: 0, free: 0, ended: 0 };
  for (let round = 0; round < 300; round += 1) {
    const where = `seed ${SEED}, round ${round}`;
    const { world, by, account, words, ask } = restingAccount(random, strictTrigger);
    const needed = ask(words);
    const tooLittle = Math.max(0, needed - 1);
    leaveAvailable(world, by, tooLittle);
    if (needed > 0) {
      const refusal = world.refusal(words);
      assert.ok(refusal.rule === 'MarginShortfall' && refusal.required === needed, where);
      world.submit({ type: 'DepositCash', account: by, amount: paise(1), opening: false });
      tally.refused += 1;
    } else tally.free += 1;
    const open = () => ordersOf(world.state, account).filter(({ status }) => status === 'Open').length;
    const before = open();
    assert.equal(world.place(words).status, 'Open', where);
    assert.ok(availableMargin(account) >= 0, where);
    if (open() <= before) tally.ended += 1;
  }
  assert.ok(tally.refused > 100 && tally.free > 30 && tally.ended > 80, JSON.stringify(tally));
}

test(`a basket ends the resting orders that its orders would end one by one, seed ${SEED}`, () => {
  const random = new Random(SEED);
  let ended = 0;
  for (let round = 0; round < 300; round += 1) {
    const { world, market, account, draw } = restingAccount(random, true);
    const other = world.user('CD5678', 2_000 * LAKH);
    for (let resting = random.between(0, 6); resting > 0; resting -= 1) world.place({ ...draw(), by: other });
    for (const { id } of CONTRACTS) {
      const quote = market.quotes.get(id) ?? assert.fail('it is quoted');
      market.quotes.set(id, { ...quote, ask: quote.last + 5, bid: quote.last - 5, size: LOT * random.between(1, 3) });
    }
    const questions = Array.from({ length: random.between(2, 8) }, () => placement(draw()));
    const ports = () => world.portsNow();
    const way = new BasketWay(ports(), account);
    const afterEach = questions.map((question) => {
      const measured = measuredOrder(world.state, ports(), account, question);
      if (measured.ends.length > 0) ended += 1;
      way.take(measured);
      return way.marginUsed();
    });
    const basket = basketMargin(world.state, ports(), account, questions);
    assert.deepEqual([basket.afterEach, basket.onNewOrder], [afterEach, way.peak], `seed ${SEED}, round ${round}`);
  }
  assert.ok(ended > 300, `${ended} orders that end others`);
});

test('a basket looks at each resting order of the account a few times, however many of its orders meet it', () => {
  const { world, by, call } = writer();
  const real = world.state.orders;
  for (let resting = 0; resting < 200; resting += 1) world.place(call('B', 1, CALL_PRICE - 5 * (resting % 40), 'I'));
  let looks = 0;
  const orders = Object.create(real, {
    get: {
      value: (number: Order['number']) => {
        looks += 1;
        return real.get(number);
      },
    },
  });
  const state = { ...world.state, orders };
  const low = { ...SALE, terms: { ...SALE.terms, price: price(CALL_PRICE - 200) } };
  const sales = Array.from({ length: 50 }, () => low);
  const { traded } = basketMargin(state, world.portsNow(), world.account(by), sales);
  assert.ok(traded > 0);
  assert.ok(looks > 200 && looks < 2_000, `${looks} looks`);
});
