import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AccountId, ExchangeOrderNumber, InstrumentId, OrderNumber, Tick, TradeId } from '../base/ids.ts';
import { type ChunkStore, inMemory } from '../base/logs/byte-log.ts';
import { price, quantity } from '../base/money.ts';
import { Random } from '../base/random.ts';
import type { EpochMs, IstDay } from '../base/time.ts';
import type { CancelReason, Event, OrderReceived } from '../core/event.ts';
import type { OrderTerms } from '../core/order.ts';
import { OrderHistory } from './order-history.ts';
import type { HistoryEntry } from './order-record.ts';

const ORDER = 26112300000001 as OrderNumber;
const LIMIT: OrderTerms = {
  priceType: 'LMT',
  retention: 'DAY',
  quantity: quantity(100),
  price: price(126_000),
  trigger: price(0),
};
const STOP: OrderTerms = { ...LIMIT, priceType: 'SL-LMT', trigger: price(125_500) };
const EXCHANGE_ORDER = 1_100_000_000_000_001 as ExchangeOrderNumber;
const ACKNOWLEDGED: Event = { type: 'OrderAcknowledged', order: ORDER, exchangeOrder: EXCHANGE_ORDER };

function received(terms: OrderTerms, order = ORDER): OrderReceived {
  const instrument = 11_540 as InstrumentId;
  const words = { instrument, kind: 'equity', group: instrument, isin: 'INE002A01018', remarks: 'first' } as const;
  return { ...words, type: 'OrderReceived', order, account: 3 as AccountId, side: 'B', product: 'C', terms };
}

function bought(units: number, at: number): Event {
  return {
    type: 'Traded',
    trade: 1 as TradeId,
    instrument: 11_540 as InstrumentId,
    kind: 'equity',
    group: 11_540 as InstrumentId,
    tick: 1_795_000_000 as Tick,
    price: price(at),
    quantity: quantity(units),
    aggressor: 'B',
    buy: { order: ORDER, account: 3 as AccountId, product: 'C' },
  };
}

function cancelled(reason: CancelReason): Event {
  return { type: 'OrderCancelled', order: ORDER, reason };
}

/** Folds one event a second and gives the steps of the order. */
function lived(events: readonly Event[]): readonly HistoryEntry[] {
  const history = new OrderHistory();
  for (const [index, event] of events.entries()) history.apply(((index + 1) * 1_000) as EpochMs, event);
  const record = history.find(ORDER);
  assert.ok(record);
  assert.equal(record.receivedAt, 1_000);
  return record.entries;
}

const steps = (events: readonly Event[]) => lived(events).map(({ reportType, status }) => `${reportType}/${status}`);

describe('the history of an order', () => {
  it('of a limit order that is filled in two parts', () => {
    const events = [received(LIMIT), ACKNOWLEDGED, bought(40, 125_990), bought(60, 126_000)];
    assert.deepEqual(steps(events), ['Pending New/Pending', 'New Ack/Open', 'Fill/Open', 'Fill/Complete']);
    const entries = lived(events);
    assert.deepEqual(
      entries.map(({ filled }) => filled),
      [0, 0, 40, 100],
    );
    assert.equal(entries[2]?.filledAmount, 40 * 125_990);
    assert.equal(entries[3]?.filledAmount, 40 * 125_990 + 60 * 126_000);
    assert.deepEqual(
      entries.map(({ exchangeOrder }) => exchangeOrder),
      [0, EXCHANGE_ORDER, EXCHANGE_ORDER, EXCHANGE_ORDER],
    );
    assert.deepEqual(
      entries.map(({ at }) => at),
      [1_000, 2_000, 3_000, 4_000],
    );
  });

  it('of a stop that fires', () => {
    const events: Event[] = [
      received(STOP),
      ACKNOWLEDGED,
      { type: 'StopArmed', order: ORDER },
      { type: 'StopTriggered', order: ORDER },
      bought(100, 125_600),
    ];
    assert.deepEqual(steps(events), [
      'Pending New/Pending',
      'New Ack/TriggerPending',
      'Triggered/Open',
      'Fill/Complete',
    ]);
  });

  it('of an order that is refused keeps why, and has no exchange order number', () => {
    const refusal = { rule: 'NoHoldings' } as const;
    const events: Event[] = [received(LIMIT), { type: 'OrderRejected', order: ORDER, refusal }];
    assert.deepEqual(steps(events), ['Pending New/Pending', 'Rejected/Rejected']);
    assert.deepEqual(lived(events)[1]?.reason, refusal);
    assert.equal(lived(events)[1]?.exchangeOrder, 0);
  });

  it('of a cancellation names every reason but the wish of the client', () => {
    const reasonOf = (reason: CancelReason) => lived([received(LIMIT), ACKNOWLEDGED, cancelled(reason)])[2]?.reason;
    assert.equal(reasonOf('Client'), undefined);
    assert.equal(reasonOf('ImmediateOrCancel'), 'ImmediateOrCancel');
    assert.equal(reasonOf('SelfTrade'), 'SelfTrade');
    assert.equal(reasonOf('DayEnd'), 'DayEnd');
  });

  it('shows new terms from their step on, and a refused change with its reason and the terms that stay', () => {
    const terms = { ...LIMIT, price: price(125_000) };
    const events: Event[] = [
      received(LIMIT),
      ACKNOWLEDGED,
      { type: 'ReplaceRejected', order: ORDER, refusal: { rule: 'NotOpenToModify' } },
      { type: 'OrderReplaced', order: ORDER, terms, keepsPriority: false },
      cancelled('Client'),
      { type: 'CancelRejected', order: ORDER, refusal: { rule: 'NotOpenToCancel' } },
    ];
    assert.deepEqual(steps(events), [
      'Pending New/Pending',
      'New Ack/Open',
      'Replace Rejected/Open',
      'Replaced/Open',
      'Cancelled/Cancelled',
      'Cancel Rejected/Cancelled',
    ]);
    const entries = lived(events);
    assert.deepEqual(
      entries.map((entry) => entry.terms.price),
      [126_000, 126_000, 126_000, 125_000, 125_000, 125_000],
    );
    assert.deepEqual(
      entries.map(({ reason }) => reason),
      [undefined, undefined, { rule: 'NotOpenToModify' }, undefined, undefined, { rule: 'NotOpenToCancel' }],
    );
  });

  it('distinguishes a limit order that becomes a stop, a stop that becomes a limit order, and a stop that had fired', () => {
    const replaced = (terms: OrderTerms): Event => ({
      type: 'OrderReplaced',
      order: ORDER,
      terms,
      keepsPriority: false,
    });
    assert.equal(steps([received(LIMIT), ACKNOWLEDGED, replaced(STOP)]).at(-1), 'Replaced/TriggerPending');
    assert.equal(steps([received(STOP), ACKNOWLEDGED, replaced(LIMIT)]).at(-1), 'Replaced/Open');
    assert.equal(steps([received(STOP), ACKNOWLEDGED, replaced(STOP)]).at(-1), 'Replaced/TriggerPending');
    const fired: Event = { type: 'StopTriggered', order: ORDER };
    assert.equal(steps([received(STOP), ACKNOWLEDGED, fired, replaced(STOP)]).at(-1), 'Replaced/Open');
  });
});

describe('the histories that are kept', () => {
  it('hold thousands of orders whose steps come in any order, each order its own: seed 11', () => {
    const random = new Random(11);
    const history = new OrderHistory();
    const expected = new Map<OrderNumber, HistoryEntry[]>();
    const orders: OrderNumber[] = [];
    for (let step = 1; step <= 12_000; step += 1) {
      const at = step as EpochMs;
      const known = orders.length > 0 && random.below(3) > 0 ? random.pick(orders) : undefined;
      const order = known ?? ((ORDER + orders.length) as OrderNumber);
      const entries = expected.get(order) ?? [];
      const change = { at, terms: { ...LIMIT, quantity: quantity(at) } };
      if (known === undefined) {
        history.apply(at, received(change.terms, order));
        orders.push(order);
        expected.set(order, entries);
        const nothing = { filled: 0, filledAmount: 0, exchangeOrder: 0, reason: undefined };
        entries.push({
          reportType: 'Pending New',
          status: 'Pending',
          ...change,
          ...nothing,
        } as unknown as HistoryEntry);
      } else {
        history.apply(at, { type: 'OrderReplaced', order, terms: change.terms, keepsPriority: false });
        const last = entries.at(-1) as HistoryEntry;
        entries.push({ ...last, reportType: 'Replaced', status: 'Open', ...change });
      }
    }
    assert.ok(orders.length > 3_000, `${orders.length} orders`);
    for (const [order, entries] of expected) {
      assert.deepEqual(history.find(order)?.entries, entries);
      assert.deepEqual(history.last(order), entries.at(-1));
      assert.equal(history.ending(order), undefined);
    }
    const dump = rowsOf(history);
    assert.equal(rowsOf(loaded(dump)), dump);
  });

  it('answer how an order ended and how often it was modified in a few reads, after any number of refusals', () => {
    const store = new CountedChunks();
    const history = new OrderHistory(() => store.another());
    const refusals: Event[] = Array.from({ length: 3_000 }, (_, at) => {
      const refusal = { rule: at % 2 === 0 ? 'NotOpenToCancel' : 'NotOpenToModify' } as const;
      return { type: at % 2 === 0 ? 'CancelRejected' : 'ReplaceRejected', order: ORDER, refusal };
    });
    const filled = (ORDER + 1) as OrderNumber;
    for (const event of [received(LIMIT), ACKNOWLEDGED, cancelled('SelfTrade')]) history.apply(7 as EpochMs, event);
    history.apply(8 as EpochMs, received(LIMIT, filled));
    for (const event of refusals) {
      history.apply(9 as EpochMs, event);
      history.apply(9 as EpochMs, { ...event, order: filled } as Event);
    }
    const readsBefore = store.reads;
    assert.equal(history.ending(ORDER)?.reason, 'SelfTrade');
    assert.equal(history.ending(ORDER)?.at, 7);
    assert.equal(history.ending(filled), undefined);
    assert.equal(history.modifications(ORDER), 1_500);
    assert.equal(history.modifications(filled), 1_500);
    assert.ok(store.reads - readsBefore < 10, `${store.reads - readsBefore} reads`);
    const again = loaded(rowsOf(history));
    assert.deepEqual(again.ending(ORDER), history.ending(ORDER));
    assert.equal(again.modifications(filled), 1_500);
  });

  const rolled = (day: number): Event => ({ type: 'DayRolled', day: day as IstDay });

  it('are those of today and of the seven trading days before', () => {
    const history = new OrderHistory();
    const orderOfDay = (day: number) => (ORDER + day) as OrderNumber;
    for (let day = 1; day <= 20; day += 1) {
      history.apply(0 as EpochMs, rolled(day));
      history.apply(0 as EpochMs, received(LIMIT, orderOfDay(day)));
    }
    const kept = Array.from({ length: 20 }, (_, index) => index + 1).filter((day) => history.find(orderOfDay(day)));
    assert.deepEqual(kept, [13, 14, 15, 16, 17, 18, 19, 20]);
  });

  it('survive a dump with their days', () => {
    const history = new OrderHistory();
    history.apply(5 as EpochMs, rolled(1));
    for (const event of [received(LIMIT), ACKNOWLEDGED, cancelled('SelfTrade')]) history.apply(7 as EpochMs, event);
    history.apply(9 as EpochMs, rolled(2));
    const dump = rowsOf(history);
    const again = loaded(dump);
    assert.equal(rowsOf(again), dump);
    assert.deepEqual(again.find(ORDER), history.find(ORDER));
    for (let day = 3; day <= 8; day += 1) again.apply(11 as EpochMs, rolled(day));
    assert.ok(again.find(ORDER), 'on the seventh day after');
    again.apply(11 as EpochMs, rolled(9));
    assert.equal(again.find(ORDER), undefined);
  });
});

/** Stores of chunks in memory that count what is read of them. */
class CountedChunks {
  reads = 0;

  another(): ChunkStore {
    const store = inMemory();
    return {
      put: (chunk) => store.put(chunk),
      read: (from, into) => {
        this.reads += 1;
        store.read(from, into);
      },
    };
  }
}

/** The stored rows of a history, and the history of such rows. */
function rowsOf(history: OrderHistory): string {
  return JSON.stringify([...history.rows()]);
}

function loaded(rows: string): OrderHistory {
  const history = new OrderHistory();
  for (const row of JSON.parse(rows)) history.take(row);
  return history;
}
