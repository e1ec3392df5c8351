import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { AccountId, InstrumentId } from '../../../src/base/ids.ts';
import type { Reply } from '../../../src/core/reply.ts';
import { FIRST_DAY, LISTED, PAYTM, RELIANCE, RELIANCE_BSE } from '../../kit/money/listed.ts';
import { StillMarket } from '../../kit/money/still-market.ts';
import { STOCK_CONTRACTS, STOCK_FUTURE, STOCK_LOT } from '../../kit/money/stock-contracts.ts';
import { World } from '../../kit/money/world.ts';
import { testPorts } from '../../kit/ports.ts';
import { leg } from './gtt-service.ts';

const ON_INSTRUMENT = 5_000;
const OF_A_USER = 100;

it('all users together have at most 5,000 active GTTs for an instrument and 20,000 in all, and what ends makes room', () => {
  const market = new StillMarket();
  const all = [...LISTED, ...STOCK_CONTRACTS];
  for (const { id } of all) market.quotes.set(id, { bid: 999_95, ask: 1_000_05, last: 1_000_00 });
  const instruments = { get: (id: InstrumentId) => all.find((one) => one.id === id) };
  const world = new World(testPorts({ market, instruments }), FIRST_DAY);
  const words = leg({ trigger: 900_00, at: 800_00, units: STOCK_LOT, product: 'I' });
  let users = 0;
  const place = (account: number, instrument: InstrumentId): Reply =>
    world.submit({ type: 'PlaceGtt', account: account as AccountId, instrument, legs: [words], remarks: '' }).reply;
  const fill = (instrument: InstrumentId): void => {
    for (let placed = 0; placed < ON_INSTRUMENT; placed += 1) {
      if (placed % OF_A_USER === 0) {
        world.user(`USER${users}`, 0);
        users += 1;
      }
      assert.equal(place(users - 1, instrument).type, 'GttPlaced');
    }
  };
  const newcomer = world.user('NEWCOMER', 0);
  users += 1;
  const isFull = (reply: Reply) => reply.type === 'Refused' && reply.refusal.rule === 'GttsFull';
  fill(RELIANCE.id);
  assert.ok(isFull(place(newcomer, RELIANCE.id)));
  const first = world.state.gtts.of(1 as AccountId)[0];
  assert.ok(first);
  world.submit({ type: 'CancelGtt', account: first.account, gtt: first.number });
  assert.equal(place(newcomer, RELIANCE.id).type, 'GttPlaced');
  for (const { id } of [RELIANCE_BSE, PAYTM, STOCK_FUTURE]) fill(id);
  assert.ok(isFull(place(newcomer, STOCK_CONTRACTS[1]?.id as InstrumentId)));
  assert.equal(world.state.gtts.liveCount, 20_000);
});
