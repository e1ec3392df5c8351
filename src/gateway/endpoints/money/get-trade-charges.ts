/**
 * The operation `/getTradeCharges`: the charges of each trade of the day, levy by levy, and their sums, which with the
 * charges that belong to no trade are those of the day. The charges of an order are shared out over its trades by
 * value. Amounts are rounded as a running sum, so the rows of a segment add up to its rounded sum.
 */

import Type, { type Static } from 'typebox';
import { must } from '../../../base/assert.ts';
import { formatRupees } from '../../../base/decimal.ts';
import { type AccountId, type Exchange, exchangeOf, type OrderNumber } from '../../../base/ids.ts';
import type { Stretches } from '../../../base/logs/placed-rows.ts';
import {
  addPaise,
  amountOf,
  type Paise,
  type Quantity,
  subtractPaise,
  ZERO_PAISE,
  ZERO_QUANTITY,
} from '../../../base/money.ts';
import { convertedUnits, executedParts } from '../../../core/broker/settlement/converted-charges.ts';
import type { ChargeRates } from '../../../core/charges/charge-rates.ts';
import type { ChargeableDay, ContractNote } from '../../../core/charges/contract-note.ts';
import { roundToPaisa } from '../../../core/charges/exact-amount.ts';
import {
  addCharges,
  CHARGE_ITEMS,
  NO_CHARGES,
  type OrderCharges,
  orderCharges,
  shareOfCharges,
  subtractCharges,
} from '../../../core/charges/order-charges.ts';
import { RunningNote } from '../../../core/charges/running-note.ts';
import { copyOf } from '../../../core/order.ts';
import type { DecisionPorts } from '../../../core/ports.ts';
import { accountOf, orderOf, type State } from '../../../core/state.ts';
import type { Fill } from '../../../views/trade-book.ts';
import type { Views } from '../../../views/views.ts';
import type { Answer } from '../../answer.ts';
import type { GatewayParts } from '../../deps.ts';
import { anyText, exchangeWord, integer, listOf, orderNumberText, rupees, sideWord, t1 } from '../../fields/answers.ts';
import { UNAVAILABLE } from '../../fields/envelope.ts';
import { SIGNED_IN } from '../../fields/fields.ts';
import { formatT1 } from '../../fields/times.ts';
import { compileWriter } from '../../fields/writer.ts';
import { objectAnswer, type Piece } from '../../long-answer.ts';
import { operation, success } from '../../operation.ts';

type Item = (typeof CHARGE_ITEMS)[number];

const LEVIES = {
  brokerage: rupees,
  transaction: rupees,
  investorProtection: rupees,
  sebi: rupees,
  clearing: rupees,
  gst: rupees,
  stt: rupees,
  stamp: rupees,
} satisfies Record<Item, typeof rupees>;

const ROW = Type.Object({
  orderNumber: orderNumberText,
  fillId: integer,
  exchange: exchangeWord,
  tradingSymbol: anyText(),
  transactionType: sideWord,
  quantity: integer,
  price: rupees,
  value: rupees,
  ...LEVIES,
  total: rupees,
});
const writeRow = compileWriter(ROW);

const REST = Type.Object({
  totals: Type.Object({ value: rupees, ...LEVIES, total: rupees }),
  others: listOf(Type.Object({ text: anyText(), amount: rupees })),
  charges: rupees,
  requestTime: t1,
});
const writeRest = compileWriter(REST);

const answer = success('Charges of trades', Type.Object({ rows: listOf(ROW), ...REST.properties }));

const FILLS_AT_A_TIME = 1_000;
const ROWS_AT_A_TIME = 100;
const ROW_BYTES = 640;
const REST_BYTES = 2_048;

/** Source: docs/rules/wire-own.md, market-rules 6.1, R6.2. */
export const getTradeCharges = operation({
  path: '/getTradeCharges',
  summary: "The charges of today's trades, levy by levy, oldest first",
  request: Type.Object(SIGNED_IN),
  rate: 'other',
  answer,
  handle: async (deps, _fields, caller): Promise<Answer> => {
    const charges = await deps.engine.read(
      (state, views, ports) => new TradeCharges(deps, { state, views, ports }, caller.account),
    );
    return objectAnswer(deps, caller, {
      answer,
      list: 'rows',
      mostBytes: REST_BYTES + charges.size * ROW_BYTES,
      pieces: charges.pieces(),
      rest: () => charges.rest(),
    });
  },
});

/** The fills of one order. */
interface OrderSum {
  quantity: number;
  amount: Paise;
  /** Of its fills that have rows. */
  shown: Paise;
  /** Known when its first row is made. */
  charges: OrderCharges;
}

interface Moment {
  readonly state: State;
  readonly views: Views;
  readonly ports: DecisionPorts;
}

/** The trades of one account as they stand when this is made. */
class TradeCharges {
  private readonly parts: GatewayParts;
  private readonly rates: ChargeRates | undefined;
  private readonly note: RunningNote | undefined;
  private readonly settled: Required<Pick<ChargeableDay, 'exercises' | 'deliveries'>>;
  private readonly converted: ReadonlyMap<OrderNumber, Quantity>;
  private readonly fills: Stretches<Fill>;
  private readonly orders = new Map<OrderNumber, OrderSum>();
  /** The exact charges of the rows so far. */
  private readonly segments = new Map<Exchange, OrderCharges>();
  private readonly totals = new Map<Item, Paise>();
  private value: Paise = ZERO_PAISE;

  constructor(parts: GatewayParts, { state, views, ports }: Moment, id: AccountId) {
    const account = accountOf(state, id);
    this.parts = parts;
    this.rates = ports.charges.on(state.day);
    this.note = this.rates && new RunningNote(this.rates);
    this.settled = { exercises: account.exercises, deliveries: account.physicalDeliveries };
    this.converted = convertedUnits(account);
    this.fills = views.trades.fillsOf(id);
  }

  get size(): number {
    return this.fills.length;
  }

  *pieces(): Generator<Piece> {
    for (let from = 0; from < this.fills.length; from += FILLS_AT_A_TIME) {
      yield () => {
        for (const fill of this.fills.slice(from, from + FILLS_AT_A_TIME)) this.addUp(fill);
        return '';
      };
    }
    for (let from = 0; from < this.fills.length; from += ROWS_AT_A_TIME) {
      const some = this.fills.slice(from, from + ROWS_AT_A_TIME);
      yield () =>
        this.parts.engine.read((state) => {
          // The day may turn while a long answer is made; its orders are gone then.
          const hasAll = some.every(({ order }) => state.orders.get(order) !== undefined);
          return hasAll ? some.map((fill) => this.rowText(state, fill)).join(',') : UNAVAILABLE;
        });
    }
  }

  rest(): string {
    const others = this.note === undefined ? [] : this.others(this.note.note(this.settled));
    const total = this.total();
    let charges = total;
    for (const { amount } of others) charges = addPaise(charges, amount);
    return writeRest({
      totals: { value: formatRupees(this.value), ...this.texts(this.totals), total: formatRupees(total) },
      others: others.map(({ text, amount }) => ({ text, amount: formatRupees(amount) })),
      charges: formatRupees(charges),
      requestTime: formatT1(this.parts.engine.now()),
    });
  }

  private addUp({ order, price, quantity }: Fill): void {
    const sum = this.orders.get(order) ?? { quantity: 0, amount: ZERO_PAISE, shown: ZERO_PAISE, charges: NO_CHARGES };
    this.orders.set(order, sum);
    sum.quantity += quantity;
    sum.amount = addPaise(sum.amount, amountOf(price, quantity));
  }

  private rowText(state: State, fill: Fill): string {
    const instrument = must(this.parts.instruments.get(fill.instrument), 'a fill is in a listed instrument');
    const value = amountOf(fill.price, fill.quantity);
    const items = this.itemsOf(state, fill, value);
    let total = ZERO_PAISE;
    for (const [item, amount] of items) {
      total = addPaise(total, amount);
      this.totals.set(item, addPaise(this.totals.get(item) ?? ZERO_PAISE, amount));
    }
    this.value = addPaise(this.value, value);
    const row: Static<typeof ROW> = {
      orderNumber: String(fill.order),
      fillId: String(fill.trade),
      exchange: instrument.exchange,
      tradingSymbol: instrument.tradingSymbol,
      transactionType: orderOf(state, fill.order).side,
      quantity: String(fill.quantity),
      price: formatRupees(fill.price),
      value: formatRupees(value),
      ...this.texts(items),
      total: formatRupees(total),
    };
    return writeRow(row);
  }

  /** The charges of one fill: of each item, the rounded running sum with it less the one before it. */
  private itemsOf(state: State, fill: Fill, value: Paise): ReadonlyMap<Item, Paise> {
    const sum = must(this.orders.get(fill.order), 'every fill was added up');
    if (sum.shown === 0) sum.charges = this.chargesOf(state, fill.order, sum);
    const shown = addPaise(sum.shown, value);
    const share = subtractCharges(
      shareOfCharges(sum.charges, shown, sum.amount),
      shareOfCharges(sum.charges, sum.shown, sum.amount),
    );
    sum.shown = shown;
    const segment = exchangeOf(fill.instrument);
    const before = this.segments.get(segment) ?? NO_CHARGES;
    const exact = addCharges(before, share);
    this.segments.set(segment, exact);
    return new Map(
      CHARGE_ITEMS.map((item) => [item, subtractPaise(roundToPaisa(exact[item]), roundToPaisa(before[item]))]),
    );
  }

  /** The exact charges of the order's fills, which it notes for the sums of the day. */
  private chargesOf(state: State, number: OrderNumber, { quantity, amount }: OrderSum): OrderCharges {
    const { rates, note } = this;
    if (rates === undefined || note === undefined) return NO_CHARGES;
    const traded = { ...copyOf(orderOf(state, number)), filled: quantity as Quantity, filledAmount: amount };
    let charges = NO_CHARGES;
    for (const part of executedParts(traded, this.converted.get(number) ?? ZERO_QUANTITY)) {
      note.add(part);
      charges = addCharges(charges, orderCharges(rates, part));
    }
    return charges;
  }

  private total(): Paise {
    let total = ZERO_PAISE;
    for (const amount of this.totals.values()) total = addPaise(total, amount);
    return total;
  }

  private texts(items: ReadonlyMap<Item, Paise>): Record<Item, string> {
    const textOf = (item: Item): string => formatRupees(items.get(item) ?? ZERO_PAISE);
    return {
      brokerage: textOf('brokerage'),
      transaction: textOf('transaction'),
      investorProtection: textOf('investorProtection'),
      sebi: textOf('sebi'),
      clearing: textOf('clearing'),
      gst: textOf('gst'),
      stt: textOf('stt'),
      stamp: textOf('stamp'),
    };
  }

  /** The charges of the note that are not in the rows. */
  private others(note: ContractNote): { readonly text: string; readonly amount: Paise }[] {
    const beyond = (item: Item): Paise => {
      let amount = ZERO_PAISE;
      for (const section of note.sections) amount = addPaise(amount, section[item]);
      return subtractPaise(amount, this.totals.get(item) ?? ZERO_PAISE);
    };
    const { exercises, deliveries } = this.settled;
    const settled = exercises.length + deliveries.length > 0 ? 'exercises and physical deliveries, and ' : '';
    let squareOff = ZERO_PAISE;
    for (const section of note.sections) squareOff = addPaise(squareOff, section.squareOff);
    const all = [
      { text: 'square-off fees', amount: squareOff },
      { text: 'GST on square-off fees', amount: beyond('gst') },
      { text: `${settled}rounding of STT to the rupee`, amount: beyond('stt') },
      { text: `${settled}rounding of stamp duty to the rupee`, amount: beyond('stamp') },
      { text: 'depository charge', amount: note.depository },
      { text: 'GST on the depository charge', amount: note.depositoryGst },
    ];
    return all.filter(({ amount }) => amount !== 0);
  }
}
