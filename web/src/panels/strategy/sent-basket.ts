/**
 * The baskets that were sent, by their orders: kept while the page is open, however often the panel is shown. A basket
 * keeps its key until its outcome is known, so that a second press asks and never places twice.
 */
import { computed, signal } from '@preact/signals';
import type { NewOrder } from '../../../../client/src/orders.ts';
import type { BasketRow } from '../../../../client/src/wire.ts';
import type { BasketPlaced } from '../../orders/placing-basket.ts';
import { desk } from '../../store/session.ts';
import { type Leg, orderOf } from './basket.ts';

export interface SentBasket {
  readonly legs: readonly Leg[];
  /** The key that it went under. */
  readonly key: string;
  /** The day of the market on which it was sent. The service forgets keys at the end of the day. */
  readonly day: string;
  /** `not known`: it was in doubt when its day ended, so no key can be asked for. */
  readonly state: 'sending' | 'not known' | BasketPlaced['state'];
  /** A row for each leg; none before the answer. */
  readonly rows: readonly BasketRow[];
  /** Why nothing was placed; blank otherwise. */
  readonly reason: string;
}

const sent = signal<ReadonlyMap<string, SentBasket>>(new Map());

/** The basket that waits for its answer; undefined while none does. */
export const onTheWay = computed(() => [...sent.value.values()].find(({ state }) => state === 'sending'));

/**
 * A sent basket as it is known on a day of the market; undefined when it was not sent. A basket whose outcome is known
 * is over: new legs of the same orders are another one.
 */
export function sentOf(legs: readonly Leg[], day: string): SentBasket | undefined {
  const known = sent.value.get(nameOf(legs));
  if (known === undefined || known.state === 'sending') return known;
  if (known.state === 'in doubt') return known.day === day ? known : { ...known, state: 'not known' };
  return known.legs.every(({ number }, place) => number === legs[place]?.number) ? known : undefined;
}

/** Places a basket, or asks for one in doubt under its key. A press that is passed over changes nothing. */
export async function placeLegs(
  legs: readonly Leg[],
  day: string,
  place: (orders: readonly NewOrder[], idempotencyKey: string, day: string) => Promise<BasketPlaced | undefined>,
): Promise<void> {
  const name = nameOf(legs);
  const before = sentOf(legs, day);
  const key = before?.state === 'in doubt' ? before.key : crypto.randomUUID();
  const now = { legs, key, day, rows: [], reason: '' };
  note(name, { ...now, state: 'sending' });
  const placed = await place(legs.map(orderOf), key, day);
  note(name, placed === undefined ? before : { ...now, ...placed });
}

/** Forgets all baskets, also those in doubt. */
export function forgetSent(): void {
  sent.value = new Map();
}

function note(name: string, basket: SentBasket | undefined): void {
  const next = new Map(sent.peek());
  if (basket === undefined) next.delete(name);
  else next.set(name, basket);
  sent.value = next;
}

/** The orders of a user as one text. */
function nameOf(legs: readonly Leg[]): string {
  return JSON.stringify([desk.peek()?.userId, legs.map(orderOf)]);
}
