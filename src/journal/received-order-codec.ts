/**
 * Shortens the stored form of an order's receipt: fields that only repeat the order's placement are left out, and
 * restored when the record is read.
 */

import type { Command, PlaceOrder } from '../core/command.ts';
import type { Event, OrderReceived } from '../core/event.ts';
import { sameTerms } from '../core/order.ts';

/** The fields of an order's receipt that repeat its placement. */
type Repeated = 'account' | 'instrument' | 'side' | 'product' | 'terms' | 'remarks';

/** The fields of the receipt alone, with room for the rare ones; JSON leaves out `undefined`. */
type OwnFields = { readonly [Field in keyof Required<Omit<OrderReceived, Repeated>>]: OrderReceived[Field] };

/**
 * The events of a record as they are stored: the first may be an order's receipt without the fields of its placement.
 */
export type StoredEvents = readonly [Event | OwnFields, ...Event[]];

/** The events as a record stores them: a receipt that repeats its placement leaves the repeated fields out. */
export function withoutRepeats(command: Command, events: readonly Event[]): readonly (Event | OwnFields)[] {
  const [first] = events;
  if (command.type !== 'PlaceOrder' || first?.type !== 'OrderReceived' || !repeats(first, command)) return events;
  const { type, order, kind, group, isin, gross, squareOff, gtt, tags, scenario, idempotency } = first;
  const said: (Event | OwnFields)[] = [
    { type, order, kind, group, isin, gross, squareOff, gtt, tags, scenario, idempotency },
  ];
  for (let place = 1; place < events.length; place += 1) said.push(events[place] as Event);
  return said;
}

/** The fields that a receipt has of its own and may lack. The compiler refuses this when a field is missing here. */
const MARKS = Object.keys({ gross: 0, squareOff: 0, gtt: 0, tags: 0, scenario: 0, idempotency: 0 } satisfies Record<
  Mark,
  0
>) as Mark[];

type Mark = Exclude<keyof OwnFields, 'type' | 'order' | 'kind' | 'group' | 'isin'>;

/** How many fields a receipt has beside its marks. */
const FIELDS_OF_ALL = 5;

/**
 * Restores the events from their stored form; `undefined` when a receipt needs its placement and the command is not
 * that.
 */
export function withRepeats(command: Command, said: StoredEvents): readonly Event[] | undefined {
  if (isWhole(said)) return said;
  const [first] = said;
  if (command.type !== 'PlaceOrder' || !lacksRepeated(first)) return undefined;
  const { type, order, kind, group, isin } = first;
  const { account, instrument, side, product, terms, remarks } = command;
  const whole: OrderReceived = { type, order, account, instrument, kind, group, isin, side, product, terms, remarks };
  if (hasMarks(first)) for (const mark of MARKS) if (mark in first) Object.assign(whole, { [mark]: first[mark] });
  const events: Event[] = [whole];
  for (let place = 1; place < said.length; place += 1) events.push(said[place] as Event);
  return events;
}

/** True for a receipt with more fields than all have: most have no mark, and looking for each takes longer. */
function hasMarks(first: OwnFields): boolean {
  let fields = 0;
  for (const _ in first) fields += 1;
  return fields > FIELDS_OF_ALL;
}

function isWhole(said: StoredEvents): said is readonly [Event, ...Event[]] {
  return !lacksRepeated(said[0]);
}

/** True for a receipt whose repeated fields were left out. */
function lacksRepeated(event: Event | OwnFields): event is OwnFields {
  return event.type === 'OrderReceived' && !('account' in event);
}

/** A market order has different terms: its receipt has the protected price. */
function repeats(received: OrderReceived, command: PlaceOrder): boolean {
  return (
    received.account === command.account &&
    received.instrument === command.instrument &&
    received.side === command.side &&
    received.product === command.product &&
    received.remarks === command.remarks &&
    sameTerms(received.terms, command.terms)
  );
}
