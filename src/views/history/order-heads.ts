/**
 * The part of a day's orders that does not change, as rows of fixed width. The steps are in `step-cells.ts`.
 */

import type { AccountId, InstrumentId, OrderNumber } from '../../base/ids.ts';
import { ByteLog, type MakeStore } from '../../base/logs/byte-log.ts';
import { RowLog } from '../../base/logs/row-log.ts';
import { TextLog } from '../../base/logs/text-log.ts';
import type { EpochMs } from '../../base/time.ts';
import { PRODUCTS, type Product, type Side } from '../../core/order.ts';
import type { OrderRecord } from '../order-record.ts';

const SIDES: readonly Side[] = ['B', 'S'];

/** The part of an order that does not change. */
export type OrderHead = Omit<OrderRecord, 'entries'>;

/** The numbers of a row, by their place. */
const FIELD = {
  account: 0,
  instrument: 1,
  side: 2,
  product: 3,
  receivedAt: 4,
  /** Where the remarks stand, in bytes. */
  remarksAt: 5,
  remarksLength: 6,
} as const;

const WIDTH = 7;

/** The heads of a day's orders in logs: a row of fixed width for each, in the order of receipt, and its remarks. */
export class OrderHeads {
  private readonly log: RowLog;
  private readonly remarks: TextLog;
  private readonly numbers = new Float64Array(WIDTH);

  constructor(makeStore: MakeStore) {
    this.log = new RowLog(WIDTH, makeStore());
    this.remarks = new TextLog(new ByteLog(makeStore()));
  }

  /** Adds the next head. */
  add(head: OrderHead): void {
    const { at, length } = this.remarks.add(head.remarks);
    this.numbers[FIELD.account] = head.account;
    this.numbers[FIELD.instrument] = head.instrument;
    this.numbers[FIELD.side] = SIDES.indexOf(head.side);
    this.numbers[FIELD.product] = PRODUCTS.indexOf(head.product);
    this.numbers[FIELD.receivedAt] = head.receivedAt;
    this.numbers[FIELD.remarksAt] = at;
    this.numbers[FIELD.remarksLength] = length;
    this.log.append(this.numbers, 0);
  }

  /** The head of a row, which has this number. */
  read(row: number, number: OrderNumber): OrderHead {
    this.load(row);
    return {
      number,
      account: this.field('account') as AccountId,
      instrument: this.field('instrument') as InstrumentId,
      side: SIDES[this.field('side')] as Side,
      product: PRODUCTS[this.field('product')] as Product,
      remarks: this.remarks.read(this.field('remarksAt'), this.field('remarksLength')),
      receivedAt: this.field('receivedAt') as EpochMs,
    };
  }

  /** The account of a row. */
  account(row: number): AccountId {
    this.load(row);
    return this.field('account') as AccountId;
  }

  private load(row: number): void {
    this.log.read(row, this.numbers, 0);
  }

  private field(name: keyof typeof FIELD): number {
    return this.numbers[FIELD[name]] as number;
  }
}
