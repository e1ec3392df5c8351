import assert from 'node:assert/strict';
import test from 'node:test';
import type { AccountId } from '../../../src/base/ids.ts';
import { type Price, price, quantity } from '../../../src/base/money.ts';
import { Random } from '../../../src/base/random.ts';
import type { EpochMs } from '../../../src/base/time.ts';
import type { Account } from '../../../src/core/account.ts';
import { availableMargin, marginUsed, totalMargin } from '../../../src/core/broker/account/funds.ts';
import { isLive } from '../../../src/core/broker/orders/life-cycle.ts';
import type { PlaceOrder } from '../../../src/core/command.ts';
import { type Instrument, isDerivative } from '../../../src/core/instrument.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import { copyOfBooks } from '../../../src/core/ledger/books.ts';
import type { Product, Side } from '../../../src/core/order.ts';
import type { Ports } from '../../../src/core/ports.ts';
import { netQuantity } from '../../../src/core/position.ts';
import { FIRST_DAY, NIFTY_CALL, NIFTY_FUTURE, NIFTY_PUT, RELIANCE, RELIANCE_BSE } from '../../kit/money/listed.ts';
import { RandomCommands, tickOf } from '../../kit/money/random-commands.ts';
import { ScriptedMarket } from '../../kit/money/scripted-market.ts';
import { World } from '../../kit/money/world.ts';
import { testPorts } from '../../kit/ports.ts';

const SEED = Number(process.env.SAUDA_TEST_SEED ?? 20_261_121);
const USERS = 12;
const COMMANDS = 6_000;
const TRADED: readonly Instrument[] = [RELIANCE, RELIANCE_BSE, NIFTY_FUTURE, NIFTY_CALL, NIFTY_PUT];

function begin(seed: number): { world: World; ports: Ports; random: Random; commands: RandomCommands } {
  const random = new Random(seed);
  const market = new ScriptedMarket(seed);
  const ports: Ports = testPorts({ market });
  const world = new World(ports, FIRST_DAY);
  for (let user = 0; user < USERS; user += 1) {
    const by = world.user(`U${user}`, random.between(5_00_000_00, 60_00_000_00));
    world.give(by, RELIANCE.id, random.between(1, 300), 300 * 1_000_00);
  }
  return { world, ports, random, commands: new RandomCommands(random, market) };
}

/** An order so far from the market that it only rests. */
function farOrder({ world, ports, random }: ReturnType<typeof begin>, account: AccountId): PlaceOrder {
  const instrument = random.pick(TRADED);
  const side: Side = random.chance(50) ? 'B' : 'S';
  const band = ports.market.band(instrument.id, tickOf(world.at));
  const product: Product = isDerivative(instrument) ? random.pick(['M', 'I']) : random.pick(['C', 'I']);
  return {
    type: 'PlaceOrder',
    account,
    instrument: instrument.id,
    side,
    product,
    terms: {
      priceType: 'LMT',
      retention: 'DAY',
      quantity: quantity(instrument.lot * random.between(1, 8)),
      price: (side === 'B' ? Math.ceil(band.lower / 5) * 5 : Math.floor(band.upper / 5) * 5) as Price,
      trigger: price(0),
    },
    remarks: '',
  };
}

/** Everything of an account that an order could leave behind. */
function tracesOf({ books, portfolios, holdings }: Account): unknown {
  const blocked = [...portfolios.values()].filter(({ parts }) => Object.values(parts).some((part) => part !== 0));
  return structuredClone({
    books: copyOfBooks(books),
    parts: blocked.map(({ group, parts }) => [group, parts]),
    holdings: [...holdings.values()],
  });
}

test(`an order that is cancelled leaves nothing behind, and margins add up at every step, seed ${SEED}`, () => {
  const stage = begin(SEED);
  const { world, ports, random, commands } = stage;
  let cancelled = 0;
  for (let done = 0; done < COMMANDS; done += 1) {
    world.at = (world.at + random.below(900)) as EpochMs;
    world.submit(commands.next(world.state, tickOf(world.at)));
    for (const account of world.state.accounts) {
      const where = `seed ${SEED}, command ${done}, ${account.userId}`;
      assert.ok(marginUsed(account) >= 0, where);
      assert.equal(availableMargin(account) + marginUsed(account), totalMargin(account), where);
    }
    const id = random.below(USERS) as AccountId;
    const order = farOrder(stage, id);
    world.submit({ type: 'MoveMarket', instrument: order.instrument, tick: tickOf(world.at) });
    const before = tracesOf(world.account(id));
    const { reply } = world.submit(order);
    assert.ok(reply.type === 'OrderPlaced');
    if (world.order(reply.order).status !== 'Rejected') {
      assert.equal(world.order(reply.order).status, 'Open');
      world.submit({ type: 'CancelOrder', account: id, order: reply.order });
      cancelled += 1;
    }
    assert.deepEqual(tracesOf(world.account(id)), before, `seed ${SEED}, command ${done}`);
  }
  assert.ok(cancelled > COMMANDS / 4, `${cancelled} orders were taken and cancelled`);
  closeEverything(stage);
  checkInvariants(world.state, ports);
  for (const { userId, books, positions } of world.state.accounts) {
    if ([...positions.values()].some((row) => row.product !== 'C' && netQuantity(row) !== 0)) continue;
    const { span, exposure, restingPremium, cashSegment } = books;
    assert.deepEqual([span, exposure, restingPremium, cashSegment], [0, 0, 0, 0], `${userId} holds nothing`);
  }
});

/** Cancels every open order. */
function closeEverything({ world }: ReturnType<typeof begin>): void {
  for (const { number, account, status } of [...world.state.orders.values()]) {
    if (isLive(status)) world.submit({ type: 'CancelOrder', account, order: number });
  }
}
