import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import fc from 'fast-check';
import { must } from '../../base/assert.ts';
import { parseRupees } from '../../base/decimal.ts';
import type { Exchange } from '../../base/ids.ts';
import { type Paise, paise, quantity } from '../../base/money.ts';
import { parseIsoDay } from '../../base/time.ts';
import { ChargeRateTable } from '../../reference/rules/charge-table.ts';
import { readTable } from '../../reference/rules/data-table.ts';
import type { Side } from '../order.ts';
import type { TradeClass } from './charge-rates.ts';
import {
  type ChargeableDay,
  type ContractNote,
  contractNote,
  type ExecutedOrder,
  type NoteSection,
  noteTotals,
} from './contract-note.ts';
import { type ExactAmount, roundToPaisa, roundToRupee, shareOf, sumOf } from './exact-amount.ts';
import { type OrderCharges, orderCharges } from './order-charges.ts';

const FILE = join(import.meta.dirname, '../../../data/rules/charges.csv');
const RATES = new ChargeRateTable(readTable('charges.csv', readFileSync(FILE, 'utf8'))).on(
  must(parseIsoDay('2026-11-21'), 'a date'),
);

function rupees(text: string): Paise {
  return must(parseRupees(text), text);
}

function trade(exchange: Exchange, tradeClass: TradeClass, side: Side, amount: string, units = 100): ExecutedOrder {
  const isin = exchange === 'NFO' || exchange === 'BFO' ? '' : 'INE002A01018';
  return {
    exchange,
    tradeClass,
    side,
    amount: rupees(amount),
    quantity: quantity(units),
    isin,
    gross: false,
    squaredOff: false,
  };
}

function noteOf(...orders: readonly ExecutedOrder[]): ContractNote {
  return contractNote(RATES, { orders });
}

function totalOf(day: ChargeableDay): Paise {
  return noteTotals(contractNote(RATES, day)).total;
}

test('a day without trades is charged nothing', () => {
  assert.deepEqual(contractNote(RATES, { orders: [] }), { sections: [], depository: 0, depositoryGst: 0 });
  assert.equal(totalOf({ orders: [] }), 0);
});

test('a note adds up by segment, then rounds the tax and the stamp to the rupee and the rest to the paisa', () => {
  const note = noteOf(
    trade('NFO', 'option', 'B', '7800'),
    trade('NFO', 'option', 'S', '9750'),
    trade('NSE', 'intraday', 'B', '126000'),
    trade('NSE', 'intraday', 'S', '126500'),
  );
  assert.deepEqual(note.sections, [
    {
      segment: 'NSE',
      brokerage: rupees('40'),
      squareOff: 0,
      transaction: rupees('7.75'),
      investorProtection: 0,
      sebi: rupees('0.25'),
      clearing: 0,
      gst: rupees('8.64'),
      stt: rupees('32'),
      stamp: rupees('4'),
    },
    {
      segment: 'NFO',
      brokerage: rupees('40'),
      squareOff: 0,
      transaction: rupees('6.23'),
      investorProtection: 0,
      sebi: rupees('0.02'),
      clearing: rupees('0.79'),
      gst: rupees('8.33'),
      stt: rupees('15'),
      stamp: 0,
    },
  ]);
  assert.deepEqual([note.depository, note.depositoryGst], [0, 0]);
});

test('a day with very many orders has a note, with the brokerage of each order', () => {
  const orders = Array.from({ length: 200_000 }, (_, order) =>
    trade('NSE', 'intraday', 'B', order % 2 ? '100000' : '100'),
  );
  const { sections } = noteOf(...orders.slice(0, 4));
  assert.equal(sections[0]?.brokerage, rupees('40.06'));
  assert.equal(contractNote(RATES, { orders }).sections[0]?.brokerage, 50_000 * rupees('40.06'));
});

test('small taxes round together in one segment, and apart in two segments', () => {
  const small = (exchange: Exchange) => trade(exchange, 'delivery', 'B', '300');
  assert.deepEqual(
    noteOf(small('NSE'), small('NSE')).sections.map(({ stt }) => stt),
    [100],
  );
  assert.deepEqual(
    noteOf(small('NSE'), small('BSE')).sections.map(({ stt }) => stt),
    [0, 0],
  );
});

test('each scrip that leaves the demat account costs 15.93 a day, however often and wherever it is sold', () => {
  const sell = (exchange: Exchange, isin: string, units: number) => ({
    ...trade(exchange, 'delivery', 'S', '130000', units),
    isin,
  });
  const depositoryOf = (day: ChargeableDay): number => {
    const { depository, depositoryGst } = contractNote(RATES, day);
    return depository + depositoryGst;
  };
  const once = rupees('15.93');
  assert.equal(depositoryOf({ orders: [sell('NSE', 'A', 60), sell('BSE', 'A', 40)] }), once);
  assert.equal(depositoryOf({ orders: [sell('NSE', 'A', 60), sell('NSE', 'B', 1)] }), 2 * once);
  const bought = { ...sell('NSE', 'A', 60), side: 'B' as const };
  assert.equal(depositoryOf({ orders: [bought, sell('NSE', 'A', 60)] }), 0);
  assert.equal(depositoryOf({ orders: [bought, sell('NSE', 'A', 61)] }), once);
  const gross = [bought, sell('NSE', 'A', 60)].map((order) => ({ ...order, gross: true }));
  assert.equal(depositoryOf({ orders: gross }), once, 'of trade-for-trade shares nothing nets off');
  assert.equal(depositoryOf({ orders: [trade('NSE', 'intraday', 'S', '130000')] }), 0);
  const delivered = { exchange: 'NFO', isin: 'A', side: 'S', value: rupees('1') } as const;
  assert.equal(depositoryOf({ orders: [sell('NSE', 'A', 5)], deliveries: [delivered, delivered] }), once);
  assert.equal(depositoryOf({ orders: [], deliveries: [{ ...delivered, side: 'B' }] }), 0);
});

test('an order of the square-off costs 59 rupees more', () => {
  const plain = trade('NSE', 'intraday', 'S', '126500');
  assert.equal(totalOf({ orders: [{ ...plain, squaredOff: true }] }) - totalOf({ orders: [plain] }), rupees('59'));
  const { brokerage } = noteTotals(noteOf({ ...plain, squaredOff: true }));
  assert.equal(brokerage, rupees('70'));
});

test('exercised options and delivered shares are taxed in the segment of the contract', () => {
  const exercised = contractNote(RATES, { orders: [], exercises: [{ exchange: 'NFO', intrinsic: rupees('8476') }] });
  assert.deepEqual(noteTotals(exercised), { brokerage: 0, levies: rupees('13'), depository: 0, total: rupees('13') });
  const received = { exchange: 'NFO', isin: 'INE002A01018', side: 'B', value: rupees('630000') } as const;
  assert.equal(totalOf({ orders: [], deliveries: [received] }), rupees('725'), 'STT 630.00 and stamp duty of 94.50');
  const given = { ...received, side: 'S' } as const;
  assert.equal(totalOf({ orders: [], deliveries: [given] }), rupees('645.93'));
  assert.deepEqual(contractNote(RATES, { orders: [], deliveries: [given] }).sections[0]?.segment, 'NFO');
});

const anyOrder: fc.Arbitrary<ExecutedOrder> = fc
  .record({
    segment: fc.constantFrom<[Exchange, TradeClass]>(
      ['NSE', 'delivery'],
      ['BSE', 'delivery'],
      ['NSE', 'intraday'],
      ['BSE', 'intraday'],
      ['NFO', 'future'],
      ['BFO', 'future'],
      ['NFO', 'option'],
      ['BFO', 'option'],
    ),
    side: fc.constantFrom<Side>('B', 'S'),
    amount: fc.integer({ min: 1, max: 10 ** 12 }).map(paise),
    units: fc.integer({ min: 1, max: 1_000 }).map(quantity),
    isin: fc.constantFrom('A', 'B', 'C'),
    gross: fc.boolean(),
    squaredOff: fc.boolean(),
  })
  .map(({ segment: [exchange, tradeClass], side, amount, units, isin, gross, squaredOff }) => ({
    exchange,
    tradeClass,
    side,
    amount,
    quantity: units,
    isin,
    gross,
    squaredOff,
  }));

const anyDay: fc.Arbitrary<ChargeableDay> = fc.record({
  orders: fc.array(anyOrder, { maxLength: 20 }),
  exercises: fc.array(
    fc.record({
      exchange: fc.constantFrom<Exchange>('NFO', 'BFO'),
      intrinsic: fc.integer({ min: 0, max: 10 ** 9 }).map(paise),
    }),
    { maxLength: 3 },
  ),
  deliveries: fc.array(
    fc.record({
      exchange: fc.constantFrom<Exchange>('NFO', 'BFO'),
      isin: fc.constantFrom('A', 'D'),
      side: fc.constantFrom<Side>('B', 'S'),
      value: fc.integer({ min: 0, max: 10 ** 10 }).map(paise),
    }),
    { maxLength: 3 },
  ),
});

/** The items of a section that are the rounded sum of the same item of its orders. */
const ROUNDED_TO_PAISA = ['brokerage', 'transaction', 'investorProtection', 'sebi', 'clearing'] as const;

test('the note of a day is the sum of its parts, rounded once', () => {
  fc.assert(
    fc.property(anyDay, (day) => {
      const note = contractNote(RATES, day);
      for (const section of note.sections) {
        const orders = day.orders.filter(({ exchange }) => exchange === section.segment);
        const sum = (item: keyof OrderCharges): ExactAmount =>
          sumOf(...orders.map((order) => orderCharges(RATES, order)[item]));
        for (const item of ROUNDED_TO_PAISA) assert.equal(section[item], roundToPaisa(sum(item)), item);
        const fees = orders.filter(({ squaredOff }) => squaredOff).length * 5_000;
        assert.equal(section.squareOff, fees);
        assert.equal(section.gst, roundToPaisa(sum('gst')) + (fees * 18) / 100);
        const stamped = (day.deliveries ?? [])
          .filter(({ exchange, side }) => exchange === section.segment && side === 'B')
          .map(({ value }) => shareOf(value, RATES.physicalStamp));
        assert.equal(section.stamp, roundToRupee(sumOf(sum('stamp'), ...stamped)));
        const taxed = [
          ...(day.exercises ?? []).map((one) => [one.exchange, shareOf(one.intrinsic, RATES.exerciseStt)] as const),
          ...(day.deliveries ?? []).map((one) => [one.exchange, shareOf(one.value, RATES.physicalStt)] as const),
        ].filter(([exchange]) => exchange === section.segment);
        assert.equal(section.stt, roundToRupee(sumOf(sum('stt'), ...taxed.map(([, stt]) => stt))));
      }
      const totals = noteTotals(note);
      const items = note.sections.flatMap(({ segment: _, ...rest }: NoteSection) => Object.values(rest));
      const whole = items.reduce((a, b) => a + b, 0) + note.depository + note.depositoryGst;
      assert.equal(totals.total, whole);
      assert.equal(totals.brokerage + totals.levies + totals.depository, whole);
    }),
  );
});

test('the note of a segment does not depend on the order of the trades or on other segments', () => {
  fc.assert(
    fc.property(anyDay, (day) => {
      const turned = { ...day, orders: [...day.orders].reverse() };
      assert.deepEqual(contractNote(RATES, turned), contractNote(RATES, day));
      const without = (segment: Exchange) => ({
        orders: day.orders.filter(({ exchange }) => exchange !== segment),
        exercises: (day.exercises ?? []).filter(({ exchange }) => exchange !== segment),
        deliveries: (day.deliveries ?? []).filter(({ exchange }) => exchange !== segment),
      });
      const all = contractNote(RATES, day).sections;
      for (const { segment } of all) {
        const others = all.filter((section) => section.segment !== segment);
        assert.deepEqual(contractNote(RATES, without(segment)).sections, others);
      }
    }),
  );
});
