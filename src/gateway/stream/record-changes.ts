/**
 * Works out which accounts a durable record concerns, and what it changed for each: the only place that knows which
 * facts of the journal show in which book.
 */

import type { AccountId, AlertNumber, GttNumber, InstrumentId, OrderNumber } from '../../base/ids.ts';
import type { Event, Traded, TradeSide } from '../../core/event.ts';
import type { Product } from '../../core/order.ts';
import { begunBy, type NumberRange } from '../../core/portions/portion.ts';
import type { DurableRecord } from '../../engine/feed/durable-record.ts';
import type { AccountChange, AccountEvent, OrderStep } from './account-change.ts';

/** The accounts whose changes are wanted. */
export interface WantedAccounts extends Iterable<AccountId> {
  has(account: AccountId): boolean;
}

/** The account of an order; `undefined` for an order of a day that is not kept. */
export type AccountOfOrder = (order: OrderNumber) => AccountId | undefined;

/** The changes of the wanted accounts in a record. Its cost follows the size of the record. */
export function changesOf(
  record: DurableRecord,
  wanted: WantedAccounts,
  accountOf: AccountOfOrder,
): readonly AccountChange[] {
  const { seq, at, events } = record;
  const began = begunIn(events);
  if (began !== undefined) {
    const concerned = Array.from(wanted).filter((account) => account >= began.from && account < began.to);
    return concerned.map((account) => ({ account, seq, at, events: [{ type: 'day' }] }));
  }
  const changed = new Changed(wanted, accountOf);
  for (const event of events) changed.take(event);
  return changed.list(seq, at);
}

/** The accounts for which a day begins in a record: all, or those of one portion. */
function begunIn(events: DurableRecord['events']): NumberRange | undefined {
  for (const event of events) if (event.type === 'DayRolled' || event.type === 'AccountsRolled') return begunBy(event);
  return undefined;
}

/** The changes of one account in one record, each thing once. */
class OneAccount {
  private readonly orders = new Map<OrderNumber, OrderStep[]>();
  private readonly trades: Extract<AccountEvent, { type: 'trade' }>[] = [];
  private readonly positions = new Map<string, Extract<AccountEvent, { type: 'position' }>>();
  private limits = false;
  private readonly alerts = new Set<AlertNumber>();
  private readonly gtts = new Set<GttNumber>();

  step(order: OrderNumber, step: OrderStep): void {
    const steps = this.orders.get(order);
    if (steps === undefined) this.orders.set(order, [step]);
    else steps.push(step);
  }

  trade(order: OrderNumber, traded: Traded): void {
    this.trades.push({ type: 'trade', order, traded });
  }

  position(instrument: InstrumentId, product: Product): void {
    this.positions.set(`${instrument}${product}`, { type: 'position', instrument, product });
  }

  limit(): void {
    this.limits = true;
  }

  alert(alert: AlertNumber): void {
    this.alerts.add(alert);
  }

  gtt(gtt: GttNumber): void {
    this.gtts.add(gtt);
  }

  events(): AccountEvent[] {
    const events: AccountEvent[] = [];
    for (const [order, steps] of this.orders) events.push({ type: 'order', order, steps });
    events.push(...this.trades, ...this.positions.values());
    if (this.limits) events.push({ type: 'limit' });
    for (const alert of this.alerts) events.push({ type: 'alert', alert });
    for (const gtt of this.gtts) events.push({ type: 'gtt', gtt });
    return events;
  }
}

/** Gathers the changes of one record. */
class Changed {
  private readonly wanted: WantedAccounts;
  private readonly accountOf: AccountOfOrder;
  private readonly accounts = new Map<AccountId, OneAccount>();

  constructor(wanted: WantedAccounts, accountOf: AccountOfOrder) {
    this.wanted = wanted;
    this.accountOf = accountOf;
  }

  list(seq: AccountChange['seq'], at: AccountChange['at']): AccountChange[] {
    return Array.from(this.accounts, ([account, one]) => ({ account, seq, at, events: one.events() }));
  }

  take(event: Event): void {
    switch (event.type) {
      case 'OrderReceived':
        return this.of(event.account)?.step(event.order, event);
      case 'OrderRejected':
      case 'AfterMarketTaken':
      case 'AfterMarketReplaced':
      case 'AfterMarketReleased':
      case 'OrderAcknowledged':
      case 'StopTriggered':
      case 'OrderCancelled':
      case 'OrderReplaced':
      case 'ReplaceRejected':
      case 'CancelRejected':
        return this.of(this.accountOf(event.order))?.step(event.order, event);
      case 'Traded':
        this.fill(event.buy, event);
        return this.fill(event.sell, event);
      case 'PositionConverted':
        return this.convert(event);
      case 'PositionSettled':
        return this.row(event);
      case 'MarginBlocked':
      case 'PositionMarked':
      case 'SharesSettled':
      case 'ConversionCharged':
      case 'ChargesPosted':
      case 'CashDeposited':
      case 'CashPaidOut':
      case 'SharesPledged':
      case 'SharesReleased':
      case 'CollateralRevalued':
      case 'DividendPaid':
      case 'HoldingAdjusted':
        return this.of(event.account)?.limit();
      case 'AlertPlaced':
      case 'AlertFired':
      case 'AlertCancelled':
      case 'AlertExpired':
        return this.of(event.account)?.alert(event.alert);
      case 'GttPlaced':
      case 'GttModified':
      case 'GttCancelled':
      case 'GttTriggered':
      case 'GttFired':
        return this.of(event.account)?.gtt(event.gtt);
      default:
    }
  }

  private fill(side: TradeSide | undefined, traded: Traded): void {
    const one = side && this.of(side.account);
    if (side === undefined || one === undefined) return;
    one.step(side.order, traded);
    one.trade(side.order, traded);
    one.position(traded.instrument, side.product);
    one.limit();
  }

  private convert({ account, instrument, from, to }: Extract<Event, { type: 'PositionConverted' }>): void {
    const one = this.of(account);
    one?.position(instrument, from);
    one?.position(instrument, to);
    one?.limit();
  }

  private row({ account, instrument, product }: Extract<Event, { type: 'PositionSettled' }>): void {
    const one = this.of(account);
    one?.position(instrument, product);
    one?.limit();
  }

  private of(account: AccountId | undefined): OneAccount | undefined {
    if (account === undefined || !this.wanted.has(account)) return undefined;
    const known = this.accounts.get(account);
    if (known !== undefined) return known;
    const one = new OneAccount();
    this.accounts.set(account, one);
    return one;
  }
}
