import type { Random } from '../../src/base/random.ts';

/** The shares that every user trades. */
export const SYMBOLS = ['MARUTI', 'RELIANCE', 'TCS', 'INFY', 'HDFCBANK', 'ICICIBANK', 'SBIN', 'ITC', 'AXISBANK', 'LT'];

/** A user places nothing while he has this number of open orders. */
const MOST_OPEN = 8;
/** One placement in this number is at the market's price. */
const MARKET_ORDER_IN = 12;

export interface Credentials {
  readonly userId: string;
  readonly password: string;
  readonly vendorCode: string;
  readonly apiKey: string;
}

const KINDS = ['place', 'modify', 'cancel', 'ltp', 'quotes', 'orderBook', 'positions', 'history'] as const;
export type Kind = (typeof KINDS)[number];

/** One request, and what its answer means to the user. */
export interface Wish {
  readonly kind: Kind;
  readonly user: User;
  readonly path: string;
  readonly body: string;
  /** Takes the answer of a success in; a message when it contradicts what was acknowledged before. */
  readonly taken: (data: unknown) => string | undefined;
  /** The request was not answered with success. `isKnown` is false when nobody can know whether it was carried out. */
  readonly failed: (isKnown: boolean) => void;
}

interface Row {
  readonly orderNumber: string;
  readonly remarks: string;
  readonly quantity: string;
  readonly price: string;
  readonly status: string;
}

/** An order that the service acknowledged. */
interface Acknowledged {
  readonly number: string;
  readonly symbol: string;
  readonly remark: string;
  readonly isMarket: boolean;
  price: string;
  quantity: number;
  /** A modification or cancellation is under way or was left without an answer. */
  isMoving: boolean;
  isCancelled: boolean;
}

/** The orders that an order book lacks or has too much, compared with those that were acknowledged. */
export interface Differences {
  readonly acknowledged: number;
  readonly missing: readonly string[];
  /** Orders whose placement was refused. */
  readonly unwanted: readonly string[];
  /** Orders whose placement was never answered: the user finds them in the order book. */
  readonly unanswered: number;
  readonly wrong: readonly string[];
}

/** A user with his session, his open orders, and the ledger of what the service acknowledged today. */
export class User {
  readonly credentials: Credentials;
  jKey = '';
  private readonly ledger = new Map<string, Acknowledged>();
  private readonly open: Acknowledged[] = [];
  /** Remarks of placements that are under way, and of those that were never answered. */
  private readonly pending = new Set<string>();
  private readonly unknown = new Set<string>();
  private readonly prices: ReadonlyMap<string, number>;
  private placed = 0;

  constructor(credentials: Credentials, prices: ReadonlyMap<string, number>) {
    this.credentials = credentials;
    this.prices = prices;
  }

  get acknowledged(): number {
    return this.ledger.size;
  }

  /** Forgets the orders of a day that is over. */
  newDay(): void {
    this.ledger.clear();
    this.open.length = 0;
    this.pending.clear();
    this.unknown.clear();
  }

  /** The next request of an order: a placement, a modification or a cancellation. */
  nextOrder(random: Random): Wish {
    const chance = random.below(10);
    const open = this.open.length;
    if (open < 2 || (chance < 4 && open + this.pending.size < MOST_OPEN)) return this.place(random);
    const order = this.open.find(({ isMoving }) => !isMoving);
    if (order === undefined) return this.place(random);
    return chance < 6 ? this.modify(order, random) : this.cancel(order);
  }

  nextPoll(random: Random): Wish {
    const chance = random.below(100);
    if (chance < 40) return this.poll('ltp', '/getQuote/ltp', { exchange: 'NSE', tradingSymbol: symbolOf(random) });
    if (chance < 60) return this.poll('quotes', '/getMultiQuotes', { data: SYMBOLS.map(named) });
    if (chance < 64) return this.orderBook();
    const [known] = this.open;
    if (chance < 80 && known !== undefined) return this.history(known);
    return this.poll('positions', '/positionBook', {});
  }

  /** Compares an order book with the ledger. */
  compare(rows: readonly Row[]): Differences {
    const byNumber = new Map(rows.map((row) => [row.orderNumber, row]));
    const strangers = rows.filter(({ orderNumber }) => !this.ledger.has(orderNumber));
    const found = [...this.ledger.values()].map((order) => [order, byNumber.get(order.number)] as const);
    return {
      acknowledged: this.ledger.size,
      missing: found.filter(([, row]) => row === undefined).map(([{ number }]) => number),
      unwanted: strangers.filter(({ remarks }) => !this.unknown.has(remarks)).map(({ remarks }) => remarks),
      unanswered: strangers.filter(({ remarks }) => this.unknown.has(remarks)).length,
      wrong: found.flatMap(([order, row]) => (row === undefined ? [] : faultsOf(order, row))),
    };
  }

  private place(random: Random): Wish {
    this.placed += 1;
    const symbol = symbolOf(random);
    const remark = `${this.credentials.userId}-${this.placed}`;
    const isMarket = random.below(MARKET_ORDER_IN) === 0;
    const price = isMarket ? '0' : this.lowPrice(symbol, random);
    const order = {
      exchange: 'NSE',
      retention: 'DAY',
      product: 'I',
      priceType: isMarket ? 'MKT' : 'LMT',
      tradingSymbol: symbol,
      transactionType: isMarket && random.below(2) === 0 ? 'S' : 'B',
      price,
      triggerPrice: '0',
      quantity: '1',
      remarks: remark,
    };
    this.pending.add(remark);
    return this.wish('place', '/placeOrder', order, {
      taken: (data) => {
        this.pending.delete(remark);
        const number = textOf(data, 'orderNumber');
        if (this.ledger.has(number)) return `order ${number} was acknowledged twice`;
        const entry = { number, symbol, remark, isMarket, price, quantity: 1, isMoving: false, isCancelled: false };
        this.ledger.set(number, entry);
        if (!isMarket) this.open.push(entry);
        return undefined;
      },
      failed: (isKnown) => {
        this.pending.delete(remark);
        if (!isKnown) this.unknown.add(remark);
      },
    });
  }

  private modify(order: Acknowledged, random: Random): Wish {
    const price = this.lowPrice(order.symbol, random);
    const quantity = (order.quantity % 5) + 1;
    const fields = {
      orderNumber: order.number,
      product: 'I',
      priceType: 'LMT',
      tradingSymbol: order.symbol,
      price,
      quantity: String(quantity),
      retention: 'DAY',
    };
    order.isMoving = true;
    return this.wish('modify', '/modifyOrder', fields, {
      taken: (data) => {
        order.isMoving = false;
        if (hasReason(data)) return `the open order ${order.number} was not modified: ${JSON.stringify(data)}`;
        order.price = price;
        order.quantity = quantity;
        return undefined;
      },
      failed: (isKnown) => this.leave(order, isKnown),
    });
  }

  private cancel(order: Acknowledged): Wish {
    order.isMoving = true;
    return this.wish(
      'cancel',
      '/cancelOrder',
      { orderNumber: order.number },
      {
        taken: (data) => {
          if (hasReason(data)) return `the open order ${order.number} was not cancelled: ${JSON.stringify(data)}`;
          order.isMoving = false;
          order.isCancelled = true;
          this.open.splice(this.open.indexOf(order), 1);
          return undefined;
        },
        failed: (isKnown) => this.leave(order, isKnown),
      },
    );
  }

  /** A refused request may be tried again; one that was not answered is left alone, and nothing is said of it. */
  private leave(order: Acknowledged, isKnown: boolean): void {
    if (isKnown) order.isMoving = false;
    else this.open.splice(this.open.indexOf(order), 1);
  }

  /** The order book must have every order that was acknowledged before it was asked for. */
  private orderBook(): Wish {
    const before = [...this.ledger.keys()];
    return this.wish(
      'orderBook',
      '/orderBook',
      {},
      {
        taken: (data) => {
          const listed = new Set((data as readonly Row[]).map(({ orderNumber }) => orderNumber));
          const lost = before.filter((number) => !listed.has(number));
          return lost.length === 0 ? undefined : `the order book lacks ${lost.length} orders, such as ${lost[0]}`;
        },
        failed: () => undefined,
      },
    );
  }

  private history(order: Acknowledged): Wish {
    return this.wish(
      'history',
      '/singleOrderHistory',
      { orderNumber: order.number },
      {
        taken: (data) => (Array.isArray(data) && data.length > 0 ? undefined : `no history of ${order.number}`),
        failed: () => undefined,
      },
    );
  }

  private poll(kind: Kind, path: string, fields: object): Wish {
    return this.wish(kind, path, fields, {
      taken: (data) => (data === undefined ? `${kind} has no data` : undefined),
      failed: () => undefined,
    });
  }

  private wish(kind: Kind, path: string, fields: object, then: Pick<Wish, 'taken' | 'failed'>): Wish {
    const body = JSON.stringify({ userId: this.credentials.userId, jKey: this.jKey, ...fields });
    return { kind, user: this, path: `/V1${path}`, body, ...then };
  }

  /** A price that rests: within the day's band, far below the market, and on every tick there is. In whole rupees. */
  private lowPrice(symbol: string, random: Random): string {
    const close = this.prices.get(symbol) ?? Number.NaN;
    return Math.ceil(close * (0.92 + random.below(10) / 1000)).toFixed(2);
  }
}

function faultsOf(order: Acknowledged, row: Row): string[] {
  const { number } = order;
  if (order.isMoving || order.isMarket) return [];
  if (row.status !== (order.isCancelled ? 'CANCELED' : 'OPEN')) return [`${number} is ${row.status}`];
  const isSame = Number(row.price) === Number(order.price) && Number(row.quantity) === order.quantity;
  return isSame ? [] : [`${number} is ${row.quantity} at ${row.price}, not ${order.quantity} at ${order.price}`];
}

function symbolOf(random: Random): string {
  return `${SYMBOLS[random.below(SYMBOLS.length)]}-EQ`;
}

function named(symbol: string): object {
  return { exchange: 'NSE', tradingSymbol: `${symbol}-EQ` };
}

function textOf(data: unknown, field: string): string {
  return String((data as Readonly<Record<string, unknown>>)[field]);
}

function hasReason(data: unknown): boolean {
  const { rejreason = '' } = data as { rejreason?: string };
  return rejreason !== '';
}
