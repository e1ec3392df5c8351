import assert from 'node:assert/strict';
import test from 'node:test';
import type { AccountId, InstrumentId } from '../../../src/base/ids.ts';
import { quantity } from '../../../src/base/money.ts';
import { holdingsOf } from '../../../src/core/query.ts';
import { GROSS, RELIANCE, RELIANCE_BSE } from '../../kit/money/listed.ts';
import { CRORE, Day, ofType } from '../../kit/settlement/day.ts';
import { listed } from '../../kit/settlement/expiring.ts';

const SHARES = { of: GROSS.id, product: 'C' } as const;

/** Ten settled shares that cost 88.00 each, quoted at 100.00. */
function holder(): { readonly day: Day; readonly by: AccountId } {
  const day = Day.charged();
  const by = day.world.user('AB1234', CRORE);
  day.world.give(by, GROSS.id, 10, 880_00);
  day.quote(GROSS.id, 100);
  return { day, by };
}

function held({ day, by }: { readonly day: Day; readonly by: AccountId }): unknown {
  const holding = day.world.account(by).holdings.get(GROSS.isin);
  return holding && [holding.settled, holding.unsettled, holding.cost];
}

test('shares bought and sold on one day are all received and all delivered: the new ones wait their day', () => {
  const { day, by } = holder();
  day.trade({ ...SHARES, by, side: 'S', units: 10, at: 100_00 });
  day.trade({ ...SHARES, by, side: 'B', units: 12, at: 100_00 });
  const [settled] = ofType(day.next(), 'SharesSettled');
  assert.deepEqual([settled?.delivered[0]?.units, settled?.received[0]?.units], [10, 12]);
  assert.deepEqual(held({ day, by }), [0, 12, 1_200_00], 'they cost what was paid for them');
  assert.equal(day.world.refusal({ ...SHARES, by, side: 'S', units: 1, at: 100_00 }).rule, 'NotEnoughHoldings');
  day.next();
  day.trade({ ...SHARES, by, side: 'S', units: 12, at: 100_00 });
});

test('salable shares are those that a sale takes: none that wait for their day', () => {
  const { day, by } = holder();
  day.trade({ ...SHARES, by, side: 'B', units: 12, at: 100_00 });
  day.next();
  day.trade({ ...SHARES, by, side: 'S', units: 4, at: 100_00 });
  const [holding] = holdingsOf(day.world.account(by), listed);
  assert.deepEqual([holding?.settled, holding?.unsettled, holding?.used, holding?.salable], [10, 12, 4, 6]);
  assert.equal(day.world.refusal({ ...SHARES, by, side: 'S', units: 7, at: 100_00 }).rule, 'NotEnoughHoldings');
  day.trade({ ...SHARES, by, side: 'S', units: 6, at: 100_00 });
});

test('sold units leave the depository account, whatever was bought beside them', () => {
  const { day, by } = holder();
  day.trade({ ...SHARES, by, side: 'S', units: 4, at: 100_00 });
  day.trade({ ...SHARES, by, side: 'B', units: 4, at: 100_00 });
  const [charged] = ofType(day.end(), 'ChargesPosted');
  assert.equal(charged?.note.depository, 13_50);
});

test('shares that were sold are used and cannot be pledged, whatever was bought beside them', () => {
  const { day, by } = holder();
  day.trade({ ...SHARES, by, side: 'S', units: 6, at: 100_00 });
  day.trade({ ...SHARES, by, side: 'B', units: 6, at: 100_00 });
  const pledge = { type: 'PledgeShares', account: by, instrument: GROSS.id } as const;
  assert.deepEqual(day.world.submit({ ...pledge, quantity: quantity(5) }).reply, {
    type: 'Refused',
    refusal: { rule: 'NotEnoughToPledge', quantity: 5, free: 4 },
    at: day.world.at,
  });
  assert.equal(day.world.submit({ ...pledge, quantity: quantity(4) }).reply.type, 'Done');
  day.next();
  assert.deepEqual(held({ day, by }), [4, 6, 4 * 88_00 + 600_00]);
});

test('shares that were sold trade for trade are not sold again on the other exchange, whatever was bought beside them', () => {
  const gross = { ...RELIANCE, tradeForTrade: true };
  const get = (id: InstrumentId) => (id === gross.id ? gross : listed.get(id));
  const day = new Day({ instruments: { get } });
  const by = day.world.user('AB1234', CRORE);
  day.world.give(by, gross.id, 10, 10_000_00);
  for (const { id } of [gross, RELIANCE_BSE]) day.quote(id, 1_000);
  const words = { by, units: 10, at: 1_000_00, product: 'C' } as const;
  day.trade({ ...words, of: gross.id, side: 'S' });
  day.trade({ ...words, of: gross.id, side: 'B' });
  assert.equal(day.world.refusal({ ...words, of: RELIANCE_BSE.id, side: 'S', units: 1 }).rule, 'NotEnoughHoldings');
  day.trade({ ...words, of: RELIANCE_BSE.id, side: 'B' });
  day.trade({ ...words, of: RELIANCE_BSE.id, side: 'S' });
  const [settled] = ofType(day.next(), 'SharesSettled');
  assert.deepEqual(
    [settled?.delivered.length, settled?.received.length],
    [1, 1],
    'those of the other exchange net off',
  );
});

test('shares bought on a trade-for-trade listing free no proceeds of unsettled ones on the other exchange', () => {
  for (const boughtToo of [false, true]) {
    const gross = { ...RELIANCE_BSE, tradeForTrade: true };
    const day = new Day({ instruments: { get: (id: InstrumentId) => (id === gross.id ? gross : listed.get(id)) } });
    for (const { id } of [RELIANCE, gross]) day.quote(id, 100);
    const by = day.world.user('AB1234', CRORE);
    day.world.give(by, RELIANCE.id, 100, 100 * 90_00);
    const [onNse, onBse] = [RELIANCE.id, gross.id].map((of) => ({
      by,
      of,
      units: 100,
      at: 100_00,
      product: 'C' as const,
    }));
    assert.ok(onNse && onBse);
    day.trade({ ...onNse, side: 'B' });
    day.next();
    if (boughtToo) day.trade({ ...onBse, side: 'B' });
    day.trade({ ...onBse, side: 'S' });
    day.trade({ ...onNse, side: 'S' });
    assert.equal(day.world.account(by).books.heldProceeds, 2 * 100 * 100_00);
  }
});
