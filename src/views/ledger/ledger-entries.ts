/**
 * The entries of the ledger of one day, in the order in which they came: a row of fixed width for each, because nearly
 * all are of trades. Another event is kept as text: a day's end has some for each account. The lists by account and
 * book are in `../ledger.ts`.
 */

import type { Complete } from '../../base/codec.ts';
import type { AccountId, InstrumentId, TradeId } from '../../base/ids.ts';
import { ByteLog, type MakeStore } from '../../base/logs/byte-log.ts';
import { RowLog } from '../../base/logs/row-log.ts';
import { TextLog } from '../../base/logs/text-log.ts';
import type { Paise, Price, Quantity } from '../../base/money.ts';
import type { EpochMs } from '../../base/time.ts';
import type { Event, Traded } from '../../core/event.ts';
import { MONEY_BOOKS, type MoneyBook } from '../../core/ledger/books.ts';
import type { Side } from '../../core/order.ts';

/** A trade as the ledger of one of its accounts names it. */
export interface OwnTrade {
  readonly type: 'OwnTrade';
  readonly trade: TradeId;
  readonly instrument: InstrumentId;
  readonly side: Side;
  readonly price: Price;
  readonly quantity: Quantity;
}

/** The cause of a movement of money of one account: an event, or its side of a trade. */
export type Cause = Exclude<Event, Traded> | OwnTrade;

/** The amount that one event moved in one book of an account. */
export interface LedgerEntry {
  readonly at: EpochMs;
  readonly book: MoneyBook;
  readonly amount: Paise;
  readonly event: Cause;
}

/** The cause of an event in the ledger of an account that it concerns. */
export function causeOf(event: Event, account: AccountId): Cause {
  if (event.type !== 'Traded') return event;
  const { trade, instrument, price, quantity, buy } = event;
  return { type: 'OwnTrade', trade, instrument, side: buy?.account === account ? 'B' : 'S', price, quantity };
}

/** The numbers of a row, by their place. Those from `instrument` on are 0 in the row of another event. */
const FIELD = {
  account: 0,
  at: 1,
  book: 2,
  amount: 3,
  /** The length of the event's text, in bytes; 0 of a trade. */
  textLength: 4,
  /** The number of the trade, or where the event's text stands, in bytes. */
  cause: 5,
  instrument: 6,
  side: 7,
  price: 8,
  quantity: 9,
} as const;

const WIDTH = 10;

const SIDES: readonly Side[] = ['B', 'S'];

export class EntryLog {
  private readonly log: RowLog;
  /** The events beside trades, as JSON. */
  private readonly texts: TextLog;
  private readonly numbers = new Float64Array(WIDTH);

  constructor(makeStore: MakeStore) {
    this.log = new RowLog(WIDTH, makeStore());
    this.texts = new TextLog(new ByteLog(makeStore()));
  }

  get size(): number {
    return this.log.size;
  }

  /** Adds the next entry and returns its place. */
  add({ at, book, amount, event }: LedgerEntry, account: AccountId): number {
    const { numbers } = this;
    const trade = event.type === 'OwnTrade' ? event : undefined;
    const text = trade === undefined ? this.texts.add(JSON.stringify(event)) : undefined;
    numbers[FIELD.account] = account;
    numbers[FIELD.at] = at;
    numbers[FIELD.book] = MONEY_BOOKS.indexOf(book);
    numbers[FIELD.amount] = amount;
    numbers[FIELD.textLength] = text?.length ?? 0;
    numbers[FIELD.cause] = trade?.trade ?? text?.at ?? 0;
    numbers[FIELD.instrument] = trade?.instrument ?? 0;
    numbers[FIELD.side] = trade === undefined ? 0 : SIDES.indexOf(trade.side);
    numbers[FIELD.price] = trade?.price ?? 0;
    numbers[FIELD.quantity] = trade?.quantity ?? 0;
    const place = this.log.size;
    this.log.append(numbers, 0);
    return place;
  }

  read(place: number): LedgerEntry {
    this.load(place);
    return {
      at: this.field('at') as EpochMs,
      book: MONEY_BOOKS[this.field('book')] as MoneyBook,
      amount: this.field('amount') as Paise,
      event: this.cause(),
    } satisfies Complete<LedgerEntry>;
  }

  /** The account of the entry at a place. */
  account(place: number): AccountId {
    this.load(place);
    return this.field('account') as AccountId;
  }

  private cause(): Cause {
    const [cause, textLength] = [this.field('cause'), this.field('textLength')];
    if (textLength > 0) return JSON.parse(this.texts.read(cause, textLength)) as Exclude<Cause, OwnTrade>;
    return {
      type: 'OwnTrade',
      trade: cause as TradeId,
      instrument: this.field('instrument') as InstrumentId,
      side: SIDES[this.field('side')] as Side,
      price: this.field('price') as Price,
      quantity: this.field('quantity') as Quantity,
    } satisfies Complete<OwnTrade>;
  }

  private load(place: number): void {
    this.log.read(place, this.numbers, 0);
  }

  private field(name: keyof typeof FIELD): number {
    return this.numbers[FIELD[name]] as number;
  }
}
