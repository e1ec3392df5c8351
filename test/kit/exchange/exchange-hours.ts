import { must } from '../../../src/base/assert.ts';
import type { AccountId, OrderNumber } from '../../../src/base/ids.ts';
import { type Price, price, quantity } from '../../../src/base/money.ts';
import { type EpochMs, type IstDay, istInstant, MINUTE_MS, parseIsoDay, SECOND_MS } from '../../../src/base/time.ts';
import { ordersToRelease } from '../../../src/core/broker/orders/after-market.ts';
import { NO_SHARE_BANDS, type ShareBands } from '../../../src/core/exchange/guards/share-band.ts';
import { type Instrument, isDerivative } from '../../../src/core/instrument.ts';
import type { Order, OrderTerms } from '../../../src/core/order.ts';
import { type Ports, portsAt } from '../../../src/core/ports.ts';
import { refusalText } from '../../../src/core/refusals/refusal-text.ts';
import { futuresOn } from '../futures-on.ts';
import { World } from '../money/world.ts';
import { DATA, exchangePorts } from './exchange-ports.ts';
import type { FallingMarket } from './falling-market.ts';

const RICH = 1_000_000_000_00;

/**
 * The names of a test for instruments: a share with contracts, one without, a near future, an option near the money, a
 * share on BSE.
 */
export type Role = 'share' | 'small share' | 'future' | 'option' | 'BSE share';
export type Shape = 'LMT' | 'MKT' | 'SL-LMT' | 'IOC';

export function dayOf(text: string): IstDay {
  return must(parseIsoDay(text), text);
}

/**
 * The real instruments and the synthetic market in the exchange's hours, with a core whose clock a test moves through a
 * day.
 */
export class ExchangeHours {
  readonly market: FallingMarket;
  readonly world: World;
  readonly user: AccountId;
  private readonly instruments: ReturnType<typeof exchangePorts>['instruments'];
  private readonly known = new Map<string, Instrument>();
  readonly ports: Ports;

  /** Begins in the night before `date`. */
  constructor(date: string, seed = 4, strictTrigger = true) {
    const ports = exchangePorts(seed, () => this.shareBands());
    this.instruments = ports.instruments;
    this.market = ports.market;
    this.ports = { ...ports, strictTrigger };
    this.world = new World(this.ports, DATA.calendar.previousTradingDay('NSE', dayOf(date)));
    this.user = this.world.user('TRADER', RICH);
    this.passTo(date, '00:01');
  }

  /** The bands that operators set so far; nothing before the first command. */
  private shareBands(): ShareBands {
    return (this.world as World | undefined)?.state.shareBands ?? NO_SHARE_BANDS;
  }

  /**
   * Lets the clock come to a time, and what is due at it happen: the turn of days, orders that waited, the market's
   * moves.
   */
  passTo(date: string, time: string): void {
    const { world } = this;
    world.passTo(istInstant(dayOf(date), millisecondsOf(time)));
    world.submit({ type: 'CheckBreaker' });
    for (const order of this.due()) world.submit({ type: 'ReleaseOrder', order });
    const tick = this.market.tickAt(world.at);
    for (const [instrument, book] of [...world.state.books]) {
      if (book.hasInterest()) world.submit({ type: 'MoveMarket', instrument, tick });
    }
  }

  /** The orders that wait and are due now. */
  due(): OrderNumber[] {
    const { state, at } = this.world;
    return [...ordersToRelease(state, portsAt(this.ports, state, at))].filter((order) => order !== undefined);
  }

  /** An instrument of the day, the same all day long. */
  instrument(role: Role): Instrument {
    const key = `${role} ${this.world.state.day}`;
    const known = this.known.get(key) ?? this.find(role);
    this.known.set(key, known);
    return known;
  }

  private find(role: Role): Instrument {
    const { instruments, world } = this;
    const at = istInstant(world.state.day, 10 * 60 * MINUTE_MS);
    switch (role) {
      case 'share':
        return must(instruments.find('NSE', 'RELIANCE-EQ', at), role);
      case 'BSE share':
        return must(instruments.find('BSE', 'RELIANCE', at), role);
      case 'small share':
        return must(
          [...instruments.list('NSE', at)].find(
            (one) => one.kind === 'equity' && !one.hasDerivatives && one.series === 'EQ',
          ),
          role,
        );
      case 'future':
        return must(futuresOn(instruments, 'NFO', 'NIFTY', at)[0], role);
      default:
        return this.option(at);
    }
  }

  private option(at: EpochMs): Instrument {
    const { instruments, market } = this;
    const nifty = must(instruments.find('NSE', 'Nifty 50', at), 'NIFTY').id;
    const spot = market.lastPrint(nifty, market.tickAt(at)).price;
    const expiry = must(instruments.expiries(nifty, at).at(1), 'an expiry that trades');
    const chain = instruments
      .chain(nifty, expiry, at)
      .toSorted((a, b) => Math.abs(a.strike - spot) - Math.abs(b.strike - spot));
    return must(chain[0], 'an option');
  }

  /** Terms of a purchase near the market: a limit 1 % below the last price, a stop above it. */
  terms(of: Instrument, shape: Shape): OrderTerms {
    const last = this.last(of);
    const onTick = (value: number) => price(Math.max(1, Math.round(value / of.tick)) * of.tick);
    const plain = {
      retention: shape === 'IOC' ? 'IOC' : 'DAY',
      quantity: quantity(of.lot),
      trigger: price(0),
    } as const;
    if (shape === 'MKT') return { ...plain, priceType: 'MKT', price: price(0) };
    if (shape !== 'SL-LMT') return { ...plain, priceType: 'LMT', price: onTick(last * 0.99) };
    return { ...plain, priceType: 'SL-LMT', trigger: onTick(last * 1.01), price: onTick(last * 1.02) };
  }

  /** A limit of a purchase that the market does not come to over a weekend: a part of the last price. */
  farBelow(of: Instrument, part = 0.93): Price {
    return price(Math.round((this.last(of) * part) / of.tick) * of.tick);
  }

  last(of: Instrument): number {
    return this.market.lastPrint(of.id, this.market.tickAt(this.world.at)).price;
  }

  /** Places a purchase; shares for delivery. */
  place(of: Instrument, shape: Shape, more: Partial<OrderTerms> = {}): Order {
    return this.placeTerms(of, { ...this.terms(of, shape), ...more });
  }

  private placeTerms(of: Instrument, terms: OrderTerms): Order {
    const { events } = this.world.submit({
      type: 'PlaceOrder',
      account: this.user,
      instrument: of.id,
      side: 'B',
      product: isDerivative(of) ? 'M' : 'C',
      terms,
      remarks: '',
    });
    const received = must(
      events.find((event) => event.type === 'OrderReceived'),
      'an order is numbered',
    );
    return this.world.order(received.order);
  }

  /** Places an order whose terms have their fields in the other order. */
  placeReversed(of: Instrument, shape: Shape, more: Partial<OrderTerms> = {}): Order {
    const fields = Object.entries({ ...this.terms(of, shape), ...more }).reverse();
    return this.placeTerms(of, Object.fromEntries(fields) as unknown as OrderTerms);
  }

  /** An order as today has it: one that waits goes over into the orders of the next day. */
  now({ number }: Order): Order {
    return this.world.order(number);
  }

  modify(order: Order, terms: Partial<OrderTerms>): string {
    const { number, account } = order;
    const wished = { ...order.terms, ...terms };
    return this.answer(this.world.submit({ type: 'ModifyOrder', account, order: number, terms: wished }).reply, order);
  }

  cancel(order: Order): string {
    const { number, account } = order;
    return this.answer(this.world.submit({ type: 'CancelOrder', account, order: number }).reply, order);
  }

  /** The words of the refusal of an order, or `taken`, or `waits`. */
  outcome(order: Order): string {
    const rejected = this.world.records
      .flatMap(({ events }) => events)
      .find((event) => event.type === 'OrderRejected' && event.order === order.number);
    if (rejected?.type === 'OrderRejected')
      return refusalText(rejected.refusal, { userId: 'TRADER', kind: order.kind });
    return order.status === 'AfterMarket' ? 'waits' : 'taken';
  }

  private answer(reply: ReturnType<World['submit']>['reply'], { kind }: Order): string {
    return reply.type === 'Refused' ? refusalText(reply.refusal, { userId: 'TRADER', kind }) : 'taken';
  }
}

/** `HH:MM` or `HH:MM:SS` in milliseconds. */
function millisecondsOf(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return (hours * 60 + minutes) * MINUTE_MS + seconds * SECOND_MS;
}
