import type { Command, PlaceOrder } from '../core/command.ts';
import type { Event, OrderReceived } from '../core/event.ts';
import { sameTerms } from '../core/order.ts';

/** The fields that the receipt of an order repeats of the placement that it follows from. */
type Repeated = 'account' | 'instrument' | 'side' | 'product' | 'terms' | 'remarks';

/** The rest, with room for what few orders have; JSON leaves out what is `undefined`. */
type Own = { readonly [Field in keyof Required<Omit<OrderReceived, Repeated>>]: OrderReceived[Field] };

/**
 * The events of a record as they are said: the first may be the receipt of an order without what its placement has
 * said.
 */
export type Said = readonly [Event | Own, ...Event[]];

/** The events as a record says them: a receipt that repeats its placement says only what the command does not. */
export function withoutRepeats(command: Command, events: readonly Event[]): readonly (Event | Own)[] {
  const [first] = events;
  if (command.type !== 'PlaceOrder' || first?.type !== 'OrderReceived' || !repeats(first, command)) return events;
  const { type, order, kind, group, isin, gross, squareOff, tags, idempotency } = first;
  const said: (Event | Own)[] = [{ type, order, kind, group, isin, gross, squareOff, tags, idempotency }];
  for (let place = 1; place < events.length; place += 1) said.push(events[place] as Event);
  return said;
}

/** The fields that a receipt has of its own and may lack. The compiler refuses this when a field is missing here. */
const MARKS = Object.keys({ gross: 0, squareOff: 0, tags: 0, idempotency: 0 } satisfies Record<Mark, 0>) as Mark[];

type Mark = Exclude<keyof Own, 'type' | 'order' | 'kind' | 'group' | 'isin'>;

/**
 * The events as they were, from what a record says of them; `undefined` when its command is not the placement that
 * they leave words to.
 */
export function withRepeats(command: Command, said: Said): readonly Event[] | undefined {
  if (isWhole(said)) return said;
  const [first, ...others] = said;
  if (command.type !== 'PlaceOrder' || !isOwn(first)) return undefined;
  const { type, order, kind, group, isin } = first;
  const { account, instrument, side, product, terms, remarks } = command;
  const whole: OrderReceived = { type, order, account, instrument, kind, group, isin, side, product, terms, remarks };
  for (const mark of MARKS) if (mark in first) Object.assign(whole, { [mark]: first[mark] });
  return [whole, ...others];
}

function isWhole(said: Said): said is readonly [Event, ...Event[]] {
  return !isOwn(said[0]);
}

/** True for a receipt that leaves to its placement what that has said. */
function isOwn(event: Event | Own): event is Own {
  return event.type === 'OrderReceived' && !('account' in event);
}

/** The terms of a market order are others: its receipt has the protected price. */
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
