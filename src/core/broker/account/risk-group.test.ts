import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRST_DAY, NIFTY_FUTURE, RELIANCE } from '../../../../test/kit/money/listed.ts';
import { StillMarket } from '../../../../test/kit/money/still-market.ts';
import { at, type OrderWords, rupees, World } from '../../../../test/kit/money/world.ts';
import { testPorts } from '../../../../test/kit/ports.ts';
import { closingCommands } from '../../../../test/kit/settlement/closing-commands.ts';
import { reloaded, storedParts } from '../../../../test/kit/stored-state.ts';
import { EXCHANGES } from '../../../base/ids.ts';
import { quantity } from '../../../base/money.ts';
import type { EpochMs } from '../../../base/time.ts';
import { applyRecord } from '../../apply.ts';
import type { ConvertPosition, SetRiskGroup } from '../../command.ts';
import { checkInvariants } from '../../invariants.ts';
import type { Order } from '../../order.ts';
import { type Ports, portsAt } from '../../ports.ts';
import { netQuantity } from '../../position.ts';
import type { Refusal } from '../../refusals/refusal.ts';
import { refusalText } from '../../refusals/refusal-text.ts';
import { stateHash } from '../../snapshot/hash.ts';
import { emptyState } from '../../state.ts';
import { MOST_COUNTED } from '../orders/exact-sum-limits.ts';
import { USUAL_RISK_GROUP } from './risk-group.ts';

const CRORE = 10_000_000;

/** One client with ten crore rupees beside a share at 1000.00 and a future at 24000.00. */
class Desk {
  readonly market = new StillMarket();
  readonly ports: Ports = testPorts({ market: this.market });
  readonly world = new World(this.ports, FIRST_DAY);
  readonly by = this.world.user('AB1234', rupees(10 * CRORE));

  constructor() {
    this.market.quotes.set(RELIANCE.id, { bid: 1_000_00, ask: 1_000_00, last: 1_000_00 });
    this.market.quotes.set(NIFTY_FUTURE.id, { bid: 24_000_00, ask: 24_000_00, last: 24_000_00 });
  }

  /** The number of events of a change of the client's risk group; without a change the group is lifted. */
  set(change?: SetRiskGroup['change']): number {
    const grounds = { by: 'desk', why: 'asked' };
    const command: SetRiskGroup = { type: 'SetRiskGroup', account: this.by, ...(change && { change }), ...grounds };
    const { events } = this.world.submit(command);
    checkInvariants(this.world.state);
    return events.length;
  }

  own() {
    return this.world.account(this.by).riskGroup;
  }

  share(words: Partial<OrderWords> = {}): OrderWords {
    return { by: this.by, of: RELIANCE.id, side: 'B', units: 10, at: at(990), product: 'I', ...words };
  }

  future(words: Partial<OrderWords> = {}): OrderWords {
    return { by: this.by, of: NIFTY_FUTURE.id, side: 'B', units: 65, at: at(23_900), product: 'M', ...words };
  }

  say(words: OrderWords): string {
    return this.text(this.world.refusal(words));
  }

  /** The words of the refusal of a change of an order. */
  modify({ account, number, terms }: Order, units: number): string {
    const wished = { ...terms, quantity: quantity(units) };
    const { reply } = this.world.submit({ type: 'ModifyOrder', account, order: number, terms: wished });
    return reply.type === 'Refused' ? this.text(reply.refusal) : reply.type;
  }

  convert(words: Pick<ConvertPosition, 'from' | 'to'> & Partial<ConvertPosition>): string {
    const what = { instrument: RELIANCE.id, quantity: quantity(1), side: 'B', age: 'day' } as const;
    const { reply } = this.world.submit({ type: 'ConvertPosition', account: this.by, ...what, ...words });
    return reply.type === 'Refused' ? this.text(reply.refusal) : reply.type;
  }

  private text(refusal: Refusal): string {
    return refusalText(refusal, { userId: 'AB1234' });
  }
}

test('a change of a risk group keeps the other limits, does nothing twice, and is kept in one form', () => {
  const desk = new Desk();
  assert.equal(desk.own(), undefined);
  assert.equal(desk.set(USUAL_RISK_GROUP), 0, 'it is the usual one already');
  assert.equal(desk.set({ name: 'HNI' }), 1);
  assert.deepEqual(desk.own(), { ...USUAL_RISK_GROUP, name: 'HNI' });
  assert.equal(desk.set({ products: ['I', 'C', 'I'], orderValueCap: rupees(5) }), 1);
  assert.deepEqual(desk.own(), { name: 'HNI', orderValueCap: 500, products: ['C', 'I'], exchanges: EXCHANGES });
  assert.equal(desk.set({ products: ['C', 'I'], name: 'HNI' }), 0);
  assert.equal(desk.set({ exchanges: ['NFO', 'NSE'] }), 1);
  assert.deepEqual(desk.own()?.exchanges, ['NSE', 'NFO']);
  assert.equal(desk.set(), 1);
  assert.equal(desk.own(), undefined);
  assert.equal(desk.set(), 0);
  desk.set({ orderValueCap: MOST_COUNTED });
  desk.set(USUAL_RISK_GROUP);
  assert.equal(desk.own(), undefined, 'a group that is the usual one is none of its own');
});

test('an invalid risk group is a defect of the caller', () => {
  const desk = new Desk();
  for (const change of [
    { name: '' },
    { name: ' A' },
    { name: 'A]' },
    { name: 'A\n' },
    { name: 'A'.repeat(33) },
    { orderValueCap: rupees(0) },
    { orderValueCap: 0.5 as typeof MOST_COUNTED },
    { orderValueCap: (MOST_COUNTED + 1) as typeof MOST_COUNTED },
    { products: [] },
    { exchanges: [] },
  ]) {
    assert.throws(() => desk.set(change), /a risk group is named, capped, and lets something be traded/);
  }
  assert.equal(desk.set({ name: 'A'.repeat(32), orderValueCap: rupees(0.01) }), 1);
});

test('the cap of a client bounds his cash orders, placed and modified, and names his group', () => {
  const desk = new Desk();
  const resting = desk.world.place(desk.share({ units: 20 }));
  desk.set({ name: 'HNI 2', orderValueCap: rupees(9_900) });
  assert.equal(desk.world.place(desk.share()).status, 'Open', 'the cap itself is allowed');
  const text = (value: string) =>
    `RED:RULE:{Check single order value}Current:INR ${value} Set:INR 9900.00 for C-AB1234 [HNI 2]`;
  assert.equal(desk.say(desk.share({ units: 11 })), text('10890.00'));
  assert.equal(resting.status, 'Open');
  assert.equal(desk.modify(resting, 19), text('18810.00'));
  assert.equal(resting.terms.quantity, 20);
  assert.equal(desk.modify(resting, 10), 'OrderModified');
  assert.equal(desk.world.place(desk.future()).status, 'Open', 'a contract has its freeze quantity');
  desk.set({ orderValueCap: rupees(20 * CRORE) });
  assert.equal(desk.world.place(desk.share({ units: 110_000, at: at(999.95) })).status, 'Open', 'above the usual cap');
});

test('orders of a product or an exchange that is not enabled are refused; resting ones stay and can be cancelled', () => {
  const desk = new Desk();
  const [share, future] = [desk.world.place(desk.share()), desk.world.place(desk.future())];
  desk.set({ products: ['C'], exchanges: ['NSE', 'BSE'] });
  assert.equal(desk.say(desk.share()), 'ORA:Product Intraday not enabled on exchange NSE');
  assert.equal(desk.say(desk.share({ side: 'S', product: 'M' })), 'ORA:Product Regular not enabled on exchange NSE');
  assert.equal(desk.say(desk.future()), 'ORA:Product Regular not enabled on exchange NFO');
  assert.equal(desk.modify(share, 9), 'ORA:Product Intraday not enabled on exchange NSE');
  assert.equal(desk.world.place(desk.share({ product: 'C' })).status, 'Open');
  desk.set({ products: ['C', 'M', 'I'] });
  assert.equal(desk.modify(share, 9), 'OrderModified');
  assert.equal(desk.modify(future, 130), 'ORA:Product Regular not enabled on exchange NFO', 'the exchange is not');
  desk.market.quotes.set(NIFTY_FUTURE.id, { bid: 23_800_00, ask: 23_800_00, last: 23_800_00 });
  desk.world.submit({ type: 'MoveMarket', instrument: NIFTY_FUTURE.id, tick: desk.market.tickAt(desk.world.at) });
  assert.equal(future.status, 'Complete', 'a resting order still trades');
  const cancelled = desk.world.submit({ type: 'CancelOrder', account: desk.by, order: share.number });
  assert.equal(cancelled.reply.type, 'OrderCancelled');
});

test('a position in a product or on an exchange that is no longer enabled can only be closed', () => {
  const desk = new Desk();
  desk.world.place(desk.share({ at: at(1_000) }));
  desk.world.place(desk.future({ at: at(24_000), units: 130 }));
  desk.set({ products: ['C'], exchanges: ['NSE'] });
  const intraday = 'ORA:Product Intraday not enabled on exchange NSE';
  const regular = 'ORA:Product Regular not enabled on exchange NFO';
  assert.equal(desk.say(desk.share()), intraday);
  assert.equal(desk.say(desk.share({ side: 'S', units: 11 })), intraday, 'that would open a short one');
  assert.equal(desk.say(desk.share({ side: 'S', product: 'M' })), 'ORA:Product Regular not enabled on exchange NSE');
  assert.equal(desk.say(desk.future({ side: 'S', product: 'I' })), 'ORA:Product Intraday not enabled on exchange NFO');
  const resting = desk.world.place(desk.future({ side: 'S', at: at(24_100) }));
  assert.equal(resting.status, 'Open');
  assert.equal(
    desk.say(desk.future({ side: 'S', units: 130, at: at(24_100) })),
    regular,
    'with what rests it is too much',
  );
  assert.equal(desk.modify(resting, 195), regular);
  assert.equal(desk.modify(resting, 130), 'OrderModified');
  assert.equal(desk.say(desk.future({ side: 'S', at: at(24_100) })), regular);
  for (const words of [
    desk.share({ side: 'S', type: 'MKT', at: 0, units: 4 }),
    desk.share({ side: 'S', type: 'MKT', at: 0, units: 6 }),
  ]) {
    assert.equal(desk.world.place(words).status, 'Complete');
  }
  assert.equal(desk.say(desk.share({ side: 'S', units: 1 })), intraday, 'it is flat');
});

test('shares can be sold when deliveries are no longer enabled, but not bought back', () => {
  const desk = new Desk();
  desk.world.give(desk.by, RELIANCE.id, 10, 10_000_00);
  desk.set({ products: ['I'], exchanges: ['NFO'] });
  const delivery = 'ORA:Product Delivery not enabled on exchange NSE';
  assert.equal(desk.world.place(desk.share({ side: 'S', product: 'C', at: at(1_000), units: 9 })).status, 'Complete');
  assert.equal(desk.say(desk.share({ product: 'C', units: 9 })), delivery);
  assert.equal(
    desk.say(desk.share({ side: 'S', product: 'C', units: 2 })),
    'RED:RULE:{Check Holdings Including BTST}Eligible Sell:1',
  );
});

test('a position is not converted into a product that is not enabled', () => {
  const desk = new Desk();
  desk.world.place(desk.share({ at: at(1_000) }));
  desk.world.place(desk.share({ at: at(1_000), product: 'C' }));
  desk.set({ products: ['C', 'M'] });
  assert.equal(desk.convert({ from: 'C', to: 'I' }), 'ORA:Product Intraday not enabled on exchange NSE');
  assert.equal(desk.convert({ from: 'I', to: 'C' }), 'PositionConverted', 'out of one that is not');
  desk.set({ products: ['C', 'M', 'I'], exchanges: ['NFO'], name: 'HNI' });
  assert.equal(desk.convert({ from: 'C', to: 'I' }), 'ORA:Product Intraday not enabled on exchange NSE');
  const text = 'RED:RULE:{Check product conversion}I to M not allowed for C-AB1234 [HNI]';
  assert.equal(desk.convert({ from: 'I', to: 'M' }), text, 'a conversion that is never allowed is refused first');
});

test('units that an exit will close in a product that is not enabled cannot be converted', () => {
  const desk = new Desk();
  desk.world.place(desk.share({ at: at(1_000) }));
  const exit = desk.world.place(desk.share({ side: 'S', at: at(1_040), units: 6 }));
  const converted = (units: number): string => desk.convert({ from: 'I', to: 'C', quantity: quantity(units) });
  desk.set({ products: ['C'] });
  assert.equal(converted(5), 'RED:RULE:{Check product conversion}Current:5 Position:4 for C-AB1234 [ONLINE]');
  assert.equal(converted(4), 'PositionConverted');
  assert.equal(converted(1), 'RED:RULE:{Check product conversion}Current:1 Position:0 for C-AB1234 [ONLINE]');
  desk.market.quotes.set(RELIANCE.id, { bid: 1_040_00, ask: 1_040_00, last: 1_040_00 });
  desk.world.at = (desk.world.at + 2_000) as EpochMs;
  desk.world.submit({ type: 'MoveMarket', instrument: RELIANCE.id, tick: desk.market.tickAt(desk.world.at) });
  assert.equal(exit.status, 'Complete');
  const [row] = desk.world.account(desk.by).positions.values();
  assert.deepEqual([row?.product, row && netQuantity(row)], ['I', 0]);
});

test('the risk desk squares off positions that the risk group would not let the client trade', () => {
  const desk = new Desk();
  desk.world.place(desk.share({ at: at(1_000) }));
  desk.set({ products: ['C'], exchanges: ['BSE'], orderValueCap: rupees(0.01) });
  assert.equal(desk.say(desk.share()), 'ORA:Product Intraday not enabled on exchange NSE');
  desk.world.submit({ type: 'SquareOff', day: desk.world.state.day, segment: 'SharesWithContracts' });
  const { state } = desk.world;
  const [exit, ...more] = closingCommands(state, portsAt(desk.ports, state, desk.world.at));
  assert.ok(exit !== undefined && more.length === 0);
  desk.world.submit(exit);
  const [row] = desk.world.account(desk.by).positions.values();
  assert.equal(row?.daySellQuantity, 10);
});

test('a refusal keeps the name that the group had at that time', () => {
  const desk = new Desk();
  const said = (): string[] =>
    desk.world.records.flatMap(({ events }) =>
      events.flatMap((event) =>
        event.type === 'OrderRejected' ? refusalText(event.refusal, { userId: 'AB1234' }) : [],
      ),
    );
  const dear = desk.share({ units: 1_000_000, at: at(1_000), product: 'C' });
  for (const name of ['ONLINE', 'HNI', 'DESK']) {
    desk.set({ name });
    desk.world.refusal(dear);
  }
  desk.set();
  const text = 'RED:RULE:{Check single order value}Current:INR 1000000000.00 Set:INR 100000000.00 for C-AB1234';
  assert.deepEqual(said(), [`${text} [ONLINE]`, `${text} [HNI]`, `${text} [DESK]`]);
  const [usual] = desk.world.records.flatMap(({ events }) => events.filter(({ type }) => type === 'OrderRejected'));
  assert.deepEqual(Object.keys(usual && 'refusal' in usual ? usual.refusal : {}), ['rule', 'value', 'cap']);
});

test('risk groups are in the snapshot and in the replay, and a snapshot without them does not mention them', () => {
  const desk = new Desk();
  const { state, records } = desk.world;
  desk.world.place(desk.share());
  const before = { ...storedParts(state), seq: 0 };
  assert.doesNotMatch(JSON.stringify(before), /riskGroup/);
  desk.set({ name: 'HNI', products: ['C'] });
  const replayed = emptyState();
  for (const record of records) applyRecord(replayed, record);
  assert.equal(stateHash(replayed), stateHash(state));
  const loaded = reloaded(state);
  assert.equal(stateHash(loaded), stateHash(state));
  assert.deepEqual(loaded.accounts.at(desk.by)?.riskGroup, desk.own());
  desk.set();
  const last = records.at(-1);
  assert.ok(last);
  applyRecord(loaded, last);
  assert.equal(stateHash(loaded), stateHash(state));
  assert.deepEqual({ ...storedParts(state), seq: 0 }, before);
});
