import assert from 'node:assert/strict';
import test from 'node:test';
import { must } from '../../../src/base/assert.ts';
import type { AccountId } from '../../../src/base/ids.ts';
import { availableMargin, floorBeyondPremium } from '../../../src/core/broker/account/funds.ts';
import { checkInvariants } from '../../../src/core/invariants.ts';
import type { Order } from '../../../src/core/order.ts';
import type { Ports } from '../../../src/core/ports.ts';
import { limitsOf } from '../../../src/core/query.ts';
import { stateHash } from '../../../src/core/snapshot/hash.ts';
import { Ledger } from '../../../src/views/ledger.ts';
import { explainLimit } from '../../../src/views/limit-explained.ts';
import { CALL_21600, FUTURE, LOT, PUT_23000, TODAY, workedWorld } from '../../kit/money/worked-options.ts';
import { World } from '../../kit/money/world.ts';
import { reloaded } from '../../kit/stored-state.ts';

/*
 * Premium that a client received today pays for the options that he orders. It pays for premium alone, so the margin
 * that other orders need stays blocked. Source: market-rules R4.24, R4.27.
 */

const SALE = { of: FUTURE.id, side: 'S', units: LOT, at: 24_138_50 } as const;

/** A client who sold options that he held, and has an order for a deep call resting that their premium pays for. */
function afterSale(cash: number): { ports: Ports; world: World; by: AccountId; call: Order } {
  const { ports } = workedWorld();
  const world = new World(ports, TODAY);
  const by = world.user('AB1234', cash);
  world.place({ by, of: PUT_23000.id, side: 'B', units: 40 * LOT, at: 65_95 });
  world.nextDay();
  world.place({ by, of: PUT_23000.id, side: 'S', units: 40 * LOT, at: 65_95 });
  const call = world.place({ by, of: CALL_21600.id, side: 'B', units: LOT, at: 2_535_00 });
  assert.equal(call.status, 'Open');
  return { ports, world, by, call };
}

function availableAfter(cash: number): number {
  const { world, by } = afterSale(cash);
  return availableMargin(world.account(by));
}

/** The margin of a sold future alone. */
function marginOfFuture(): number {
  const { ports } = workedWorld();
  const world = new World(ports, TODAY);
  const by = world.user('AB1234', 100_000_000);
  const before = availableMargin(world.account(by));
  world.place({ by, ...SALE });
  return before - availableMargin(world.account(by));
}

test('a call that rests, and is paid by premium received, does not cover the future that is sold beside it', () => {
  const rich = 100_000_000;
  const spent = rich - availableAfter(rich);
  const justEnough = spent + marginOfFuture();
  const { world, by } = afterSale(justEnough - 1);
  const refusal = world.refusal({ by, ...SALE });
  assert.equal(refusal.rule, 'MarginShortfall');

  const other = afterSale(justEnough);
  assert.equal(other.world.place({ by: other.by, ...SALE }).status, 'Complete');
  assert.equal(availableMargin(other.world.account(other.by)), 0);
  other.world.submit({ type: 'CancelOrder', account: other.by, order: other.call.number });
  assert.equal(availableMargin(other.world.account(other.by)), 0, 'the cancelled call gave no margin');
});

test('the margin that premium received does not pay is blocked beside it, and free again once its position is closed', () => {
  const { world, by, call } = afterSale(100_000_000);
  const free = availableMargin(world.account(by));
  world.place({ by, ...SALE });
  assert.equal(free - availableMargin(world.account(by)), marginOfFuture());
  assert.ok(world.account(by).books.premiumFloor > 0);
  world.place({ by, ...SALE, side: 'B' });
  assert.equal(availableMargin(world.account(by)), free);
  world.submit({ type: 'CancelOrder', account: by, order: call.number });
  const { parts } = must(world.account(by).portfolios.get(FUTURE.underlying), 'it was measured');
  assert.deepEqual(parts, { span: 0, exposure: 0, premium: 0, cash: 0 });
  assert.equal(world.account(by).books.premiumFloor, 0);
});

test('limit shows that margin under premium, with its reason, and a snapshot keeps it', () => {
  const { ports, world, by } = afterSale(100_000_000);
  world.place({ by, ...SALE });
  checkInvariants(world.state, ports);
  const account = world.account(by);
  const { premium, span, exposure, marginUsed } = limitsOf(account);
  assert.ok(premium > 0 && premium === floorBeyondPremium(account));
  assert.equal(span + exposure + premium, marginUsed);
  const figure = explainLimit(account, new Ledger(), (id) => `I${id}`).find(({ name }) => name === 'premium');
  assert.deepEqual(figure?.entries.at(-1), {
    text: 'margin of open orders, which premium received does not pay',
    amount: premium,
  });
  const loaded = reloaded(world.state);
  assert.equal(stateHash(loaded), stateHash(world.state));
  assert.deepEqual(loaded.accounts.at(by)?.books.premiumFloor, premium);
});
