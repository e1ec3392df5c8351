/**
 * Orders that nobody has placed, as placing would treat them one after the other: judged by the checks of admission,
 * filled from the depth that stands now, and blocked on a copy of the account. Nothing else changes. `basket-margin.ts`
 * measures orders that have all filled; here an order rests where it would rest.
 */

import type { InstrumentId, OrderNumber } from '../../../base/ids.ts';
import { addPaise, amountOf, type Paise, type Quantity, ZERO_PAISE, ZERO_QUANTITY } from '../../../base/money.ts';
import type { IstDay } from '../../../base/time.ts';
import { type Account, type Portfolio, type Position, positionKey } from '../../account.ts';
import type { Event, Traded } from '../../event.ts';
import type { AdmittedOrder } from '../../exchange/matching/admitted-order.ts';
import { decideSubmission } from '../../exchange/matching/submit.ts';
import { isGathering } from '../../exchange/phase.ts';
import { copyOfBooks } from '../../ledger/books.ts';
import { isStop, type OrderTerms, remaining } from '../../order.ts';
import type { DecisionPorts } from '../../ports.ts';
import { positionFacts } from '../../position.ts';
import type { Refusal } from '../../refusals/refusal.ts';
import { orderOf, type State } from '../../state.ts';
import { availableMargin, marginUsed } from '../account/funds.ts';
import { admit, type OrderCheck } from '../orders/admission.ts';
import { warningAtIntake } from '../orders/after-market.ts';
import type { OrderWish } from '../orders/order-wish.ts';
import { type Placement, placementWish } from '../orders/orders.ts';
import { WhatIf } from './what-if.ts';

/** An order of a preview has no number. No order of a book has this one. */
const NO_NUMBER = 0 as OrderNumber;

/** The treatment of one order that was not placed. */
export interface PreviewedOrder {
  /** With the protected price of a market order; 0 when the market gives no reference. */
  readonly terms: OrderTerms;
  /** The refusal, and the check that refuses. */
  readonly refusal?: Refusal;
  readonly check?: Pick<OrderCheck, 'name' | 'source'>;
  /** The trading day that the order waits for at the broker, and the money that it would lack now. */
  readonly waitsFor?: IstDay;
  readonly warning?: Refusal;
  /** Units that trade at once, and their value. */
  readonly filled: Quantity;
  readonly filledAmount: Paise;
  /** Units that neither trade nor rest: of an immediate order, or beyond the execution range of a contract. */
  readonly ended: Quantity;
}

/**
 * A sequence of orders on a copy of an account. The book is not copied: two orders of a sequence find the same depth,
 * and do not meet each other. A stop rests until its trigger, also where it would fire as it comes.
 */
export class OrderPreview {
  private readonly state: State;
  private readonly ports: DecisionPorts;
  private readonly account: Account;
  /** Resting orders of the account that the sequence has ended. */
  private readonly gone = new Set<OrderNumber>();

  /** `groups`: the underlyings of all orders that will be placed. */
  constructor(state: State, ports: DecisionPorts, account: Account, groups: ReadonlySet<InstrumentId>) {
    this.state = state;
    this.ports = ports;
    this.account = copyOf(account, groups);
  }

  marginUsed(): Paise {
    return marginUsed(this.account);
  }

  availableMargin(): Paise {
    return availableMargin(this.account);
  }

  /** Treats the next order as if those before it had been placed. */
  place(placement: Placement): PreviewedOrder {
    const wish = { ...placementWish(this.state, this.ports, placement), account: this.account };
    const { terms, waitsFor } = wish;
    const nothing = { terms, filled: ZERO_QUANTITY, filledAmount: ZERO_PAISE, ended: ZERO_QUANTITY };
    const admission = admit(wish, NO_NUMBER);
    if (admission.refusal !== undefined) return { ...nothing, ...admission };
    if (waitsFor !== undefined) return { ...nothing, waitsFor, ...warningAtIntake(wish) };
    return { terms, ...this.enter(wish, admission.admitted) };
  }

  /** Blocks an admitted order, and books its fills. */
  private enter(wish: OrderWish, admitted: AdmittedOrder): Pick<PreviewedOrder, 'filled' | 'filledAmount' | 'ended'> {
    const { account, instrument, side, product, terms } = wish;
    const tried = new WhatIf(this.ports, account);
    const facts = positionFacts(instrument);
    tried.rest(facts, product, side, terms.quantity, terms.price);
    let filled = 0;
    let filledAmount = ZERO_PAISE;
    let ended = 0;
    for (const event of eventsOf(wish, admitted)) {
      if (isOwnFill(event, account)) {
        tried.withdraw(facts, product, side, event.quantity, terms.price);
        tried.fill(facts, product, side, event.quantity, event.price);
        filled += event.quantity;
        filledAmount = addPaise(filledAmount, amountOf(event.price, event.quantity));
      } else if (event.type === 'OrderCancelled' && event.order === NO_NUMBER) {
        ended = terms.quantity - filled;
        tried.withdraw(facts, product, side, ended as Quantity, terms.price);
      } else if (event.type === 'OrderCancelled') {
        this.end(tried, event.order);
      }
    }
    tried.keep();
    return { filled: filled as Quantity, filledAmount, ended: ended as Quantity };
  }

  /** Takes out a resting order of the account that the new one would trade with, once. */
  private end(tried: WhatIf, number: OrderNumber): void {
    if (this.gone.has(number)) return;
    this.gone.add(number);
    const order = orderOf(this.state, number);
    tried.withdraw(order, order.product, order.side, remaining(order), order.terms.price);
  }
}

/** The events of the exchange; none for an order that waits for an auction or for its trigger. */
function eventsOf({ venue, terms }: OrderWish, admitted: AdmittedOrder): readonly Event[] {
  const events: Event[] = [];
  const waits = isStop(terms) || isGathering(venue.phase) || venue.book.auction !== undefined;
  if (!waits) decideSubmission(venue, admitted, events);
  return events;
}

function isOwnFill(event: Event, { id }: Account): event is Traded {
  if (event.type !== 'Traded') return false;
  return [event.buy, event.sell].some((one) => one !== undefined && one.account === id && one.order === NO_NUMBER);
}

/** An account whose rows and margins on some underlyings may be changed; the others are shared with the real one. */
function copyOf(account: Account, groups: ReadonlySet<InstrumentId>): Account {
  const positions = new Map(account.positions);
  const portfolios = new Map(account.portfolios);
  for (const group of groups) {
    const portfolio = account.portfolios.get(group);
    if (portfolio !== undefined) portfolios.set(group, copyOfPortfolio(portfolio, positions));
  }
  const deliveries = new Map<string, Position[]>();
  for (const [isin, rows] of account.deliveries) {
    deliveries.set(
      isin,
      rows.map((row) => positions.get(positionKey(row.instrument, row.product)) ?? row),
    );
  }
  return { ...account, books: copyOfBooks(account.books), positions, portfolios, deliveries };
}

function copyOfPortfolio({ group, parts, shares, legs }: Portfolio, positions: Map<number, Position>): Portfolio {
  const copies = new Map<InstrumentId, readonly Position[]>();
  for (const [id, rows] of legs) copies.set(id, copyOfRows(rows, positions));
  return { group, parts, shares: copyOfRows(shares, positions), legs: copies, sums: undefined, touched: [] };
}

function copyOfRows(rows: readonly Position[], positions: Map<number, Position>): readonly Position[] {
  const copies = rows.map((row) => ({ ...row }));
  for (const copy of copies) positions.set(positionKey(copy.instrument, copy.product), copy);
  return copies;
}
