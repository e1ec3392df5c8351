import assert from 'node:assert/strict';
import test from 'node:test';
import type { AccountId } from '../../../src/base/ids.ts';
import { type Price, price, quantity } from '../../../src/base/money.ts';
import { Random } from '../../../src/base/random.ts';
import { availableMargin, marginUsed } from '../../../src/core/broker/account/funds.ts';
import { OrderPreview } from '../../../src/core/broker/trials/order-preview.ts';
import type { PlaceOrder } from '../../../src/core/command.ts';
import { type Instrument, marginGroup } from '../../../src/core/instrument.ts';
import { FIRST_DAY, NIFTY, NIFTY_CALL, NIFTY_FUTURE, NIFTY_PUT, PAYTM, RELIANCE } from '../../kit/money/listed.ts';
import { StillMarket } from '../../kit/money/still-market.ts';
import { rupees, World } from '../../kit/money/world.ts';
import { testPorts } from '../../kit/ports.ts';

/*
 * A preview of a list of orders says what placing the list does: each refusal with its figures, each fill, and the
 * margin in use afterwards, to the paisa. Instruments of a list differ, and the account may have any orders and
 * positions before. SAUDA_PREVIEW_SEEDS and SAUDA_PREVIEW_FIRST run more seeds, or one again.
 */

const SEEDS = Number(process.env.SAUDA_PREVIEW_SEEDS ?? 1_500);
const FIRST = Number(process.env.SAUDA_PREVIEW_FIRST ?? 1);
const CLOSES: readonly (readonly [Instrument, number])[] = [
  [NIFTY_CALL, 400_00],
  [NIFTY_PUT, 300_00],
  [NIFTY_FUTURE, 24_000_00],
  [RELIANCE, 1_000_00],
  [PAYTM, 500_00],
];
const GROUPS = new Set(CLOSES.map(([instrument]) => marginGroup(instrument)));

function somePlacement(random: Random, by: AccountId, [instrument, close]: (typeof CLOSES)[number]): PlaceOrder {
  const isShare = instrument.kind === 'equity';
  const atMarket = random.chance(20);
  const near = Math.round((close * random.between(90, 110)) / 1_000) * 10;
  return {
    type: 'PlaceOrder',
    account: by,
    instrument: instrument.id,
    side: random.pick(['B', 'S'] as const),
    product: isShare ? random.pick(['C', 'I'] as const) : random.pick(['M', 'I'] as const),
    terms: {
      priceType: atMarket ? 'MKT' : 'LMT',
      retention: random.chance(90) ? 'DAY' : 'IOC',
      quantity: quantity(isShare ? random.pick([10, 50, 100, 150]) : random.pick([64, 65, 130, 195, 1_950])),
      price: atMarket ? (0 as Price) : price(near),
      trigger: 0 as Price,
    },
    remarks: '',
  };
}

function worldOf(random: Random): { readonly world: World; readonly by: AccountId } {
  const market = new StillMarket();
  market.quotes.set(NIFTY.id, { last: 24_000_00 });
  for (const [{ id }, close] of CLOSES) {
    const size = random.pick([50, 100_000]);
    market.quotes.set(id, { bid: close, ask: close + 10, size, last: close, close, band: [close / 5, close * 3] });
  }
  const world = new World(testPorts({ market }), FIRST_DAY);
  const by = world.user('AB1234', rupees(random.pick([20_000, 250_000, 2_000_000])));
  if (random.chance(50)) world.give(by, RELIANCE.id, 100, 100);
  for (let order = random.below(8); order > 0; order -= 1) {
    world.submit(somePlacement(random, by, random.pick(CLOSES)));
  }
  return { world, by };
}

/** An order that rests at a price that the market does not come to. */
function restingPlacement(random: Random, by: AccountId): PlaceOrder {
  const [instrument, close] = random.pick(CLOSES);
  const order = somePlacement(random, by, [instrument, close]);
  const away = order.side === 'B' ? random.between(80, 95) : random.between(105, 120);
  const terms = { ...order.terms, priceType: 'LMT', retention: 'DAY' } as const;
  return { ...order, terms: { ...terms, price: price(Math.round((close * away) / 1_000) * 10) } };
}

test('a list of resting orders, several of one contract among them, blocks to the paisa as its preview says', () => {
  for (let seed = FIRST; seed < FIRST + SEEDS; seed += 1) {
    const random = new Random(seed);
    const { world, by } = worldOf(random);
    const orders = Array.from({ length: random.between(2, 10) }, () => restingPlacement(random, by));
    const preview = new OrderPreview(world.state, world.portsNow(), world.account(by), GROUPS);
    const refusals = orders.map((order) => preview.place(order).refusal);
    const placed = orders.map((order) => world.submit(order).events.find(({ type }) => type === 'OrderRejected'));
    assert.deepEqual(
      refusals,
      placed.map((event) => (event?.type === 'OrderRejected' ? event.refusal : undefined)),
      `seed ${seed}`,
    );
    assert.equal(preview.marginUsed(), marginUsed(world.account(by)), `seed ${seed}`);
    assert.equal(preview.availableMargin(), availableMargin(world.account(by)), `seed ${seed}`);
  }
});

test('a list of orders blocks, fills and is refused as its preview says', () => {
  let refused = 0;
  let filled = 0;
  for (let seed = FIRST; seed < FIRST + SEEDS; seed += 1) {
    const random = new Random(seed);
    const { world, by } = worldOf(random);
    const before = JSON.stringify([...world.account(by).positions], undefined, 0);
    const orders = CLOSES.filter(() => random.chance(60)).map((one) => somePlacement(random, by, one));
    const preview = new OrderPreview(world.state, world.portsNow(), world.account(by), GROUPS);
    const seen = orders.map((order) => preview.place(order));
    const [used, available] = [preview.marginUsed(), preview.availableMargin()];
    assert.equal(JSON.stringify([...world.account(by).positions]), before, `seed ${seed}: a preview changes nothing`);
    for (const [place, order] of orders.entries()) {
      const { events } = world.submit(order);
      const rejected = events.find((event) => event.type === 'OrderRejected');
      assert.deepEqual(seen[place]?.refusal, rejected?.refusal, `seed ${seed}, order ${place}`);
      const placed = world.order(world.state.lastOrder);
      assert.equal(seen[place]?.filled, placed.filled, `seed ${seed}, order ${place}`);
      assert.equal(seen[place]?.filledAmount, placed.filledAmount, `seed ${seed}, order ${place}`);
      refused += rejected === undefined ? 0 : 1;
      filled += placed.filled > 0 ? 1 : 0;
    }
    assert.equal(used, marginUsed(world.account(by)), `seed ${seed}: the margin in use`);
    assert.equal(available, availableMargin(world.account(by)), `seed ${seed}: the funds left`);
  }
  assert.ok(refused > SEEDS / 10 && filled > SEEDS / 10, `${refused} were refused, ${filled} filled`);
});
