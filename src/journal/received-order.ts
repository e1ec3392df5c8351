import type { Command, PlaceOrder } from '../core/command.ts';
import type { Event, OrderReceived } from '../core/event.ts';
import { sameTerms } from '../core/order.ts';

/** The fields that the receipt of an order repeats of the placement that it follows from. */
type Repeated = 'account' | 'instrument' | 'side' | 'product' | 'terms' | 'remarks';

/** The rest, with room for what few orders have; JSON leaves out what is `undefined`. */
type Own = { readonly [Field in keyof Required<Omit<OrderReceived, Repeated>>]: OrderReceived[Field] };

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

/** The events as they were, from what a record says of them: `said`, which is changed. */
export function withRepeats(command: Command, said: readonly Event[]): readonly Event[] {
  const first = said[0];
  if (command.type !== 'PlaceOrder' || first?.type !== 'OrderReceived' || 'account' in first) return said;
  const { type, order, kind, group, isin } = first as Omit<OrderReceived, Repeated>;
  const { account, instrument, side, product, terms, remarks } = command;
  const whole = { type, order, account, instrument, kind, group, isin, side, product, terms, remarks };
  for (const mark of MARKS) if (mark in first) Object.assign(whole, { [mark]: first[mark] });
  (said as Event[])[0] = whole;
  return said;
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
