import type { AccountId, InstrumentId, OrderNumber } from '../../../base/ids.ts';
import type { EpochMs } from '../../../base/time.ts';
import type { Command } from '../../command.ts';
import { portsFor } from '../../decide.ts';
import type { Event } from '../../event.ts';
import type { OrderTerms, Product, Side } from '../../order.ts';
import type { DecisionPorts, Ports } from '../../ports.ts';
import type { Refusal } from '../../refusals/refusal.ts';
import { ownOrder, type State } from '../../state.ts';
import { judge } from '../orders/admission.ts';
import { mayClientChange } from '../orders/life-cycle.ts';
import type { OrderWish } from '../orders/order-wish.ts';
import { modificationWish, placementWish, releaseWish } from '../orders/orders.ts';
import { repriceWish } from '../orders/reprice.ts';
import { type CheckFinding, CheckTrace } from './check-trace.ts';

/** How one wish of an order was judged, with the figures of that moment. */
export interface OrderTrial {
  readonly step: 'placement' | 'modification';
  readonly order: OrderNumber;
  /** The record that holds it. */
  readonly seq: number;
  readonly at: EpochMs;
  readonly account: AccountId;
  readonly instrument: InstrumentId;
  readonly side: Side;
  readonly product: Product;
  /** As they were wished for, a market order with its protected price. */
  readonly terms: OrderTerms;
  /** Every check in the published order; none when the order to be modified was not open, or not its client's. */
  readonly findings: readonly CheckFinding[];
  /** What was recorded: why the desk or the exchange said no. */
  readonly refusal: Refusal | undefined;
}

/** The ports of the decisions that are judged. What a crossed trigger meant is in the record. */
export type TrialPorts = Omit<Ports, 'strictTrigger'>;

/** A command with what followed from it. */
export interface DecidedRecord {
  readonly seq: number;
  readonly at: EpochMs;
  readonly command: Command;
  readonly events: readonly Event[];
}

/**
 * Judges the placement or the modification of `order` that a record holds, once more and on the state before that
 * record, by the very checks that judged it then. Nothing when the record does neither. The state stays as it is.
 */
export function trialOf(
  state: State,
  ports: TrialPorts,
  record: DecidedRecord,
  order: OrderNumber,
): OrderTrial | undefined {
  const answer = record.events.find((event) => isAnswer(event) && event.order === order);
  if (answer === undefined) return undefined;
  const refusal = refusalIn(record.events, order);
  // The setting may have changed since; the record shows what a crossed trigger meant then.
  const strictTrigger = refusal?.rule === 'TriggerAlreadyCrossed';
  const wish = wishOf(state, portsFor(state, { ...ports, strictTrigger }, record), record.command, order);
  if (wish === undefined) return undefined;
  const { account, instrument, side, product, terms, current } = wish;
  const trace = new CheckTrace();
  if (current === undefined || wish.squareOff || mayClientChange(current)) judge(wish, trace);
  return {
    step: current === undefined ? 'placement' : 'modification',
    order,
    seq: record.seq,
    at: record.at,
    account: account.id,
    instrument: instrument.id,
    side,
    product,
    terms,
    findings: trace.findings,
    refusal,
  };
}

type Answer = Extract<Event, { type: (typeof ANSWERS)[number] }>;
const ANSWERS = [
  'OrderReceived',
  'OrderReplaced',
  'ReplaceRejected',
  'AfterMarketReplaced',
  'AfterMarketReleased',
] as const;

/** True for what the service says first to a placement or to a modification. */
function isAnswer(event: Event): event is Answer {
  return ANSWERS.some((type) => type === event.type);
}

function wishOf(state: State, ports: DecisionPorts, command: Command, order: OrderNumber): OrderWish | undefined {
  if (command.type === 'PlaceOrder') return placementWish(state, ports, command);
  if (command.type === 'ReleaseOrder') return command.order === order ? releasedWish(state, ports, order) : undefined;
  if (command.type === 'RepriceOrder') return command.order === order ? repricedWish(state, ports, order) : undefined;
  if (command.type !== 'ModifyOrder') return undefined;
  const current = ownOrder(state, command.account, order);
  return current === undefined ? undefined : modificationWish(state, ports, current, command);
}

function releasedWish(state: State, ports: DecisionPorts, number: OrderNumber): OrderWish | undefined {
  const order = state.orders.get(number);
  return order === undefined ? undefined : releaseWish(state, ports, order);
}

function repricedWish(state: State, ports: DecisionPorts, number: OrderNumber): OrderWish | undefined {
  const order = state.orders.get(number);
  return order === undefined ? undefined : repriceWish(state, ports, order);
}

function refusalIn(events: readonly Event[], order: OrderNumber): Refusal | undefined {
  for (const event of events) {
    if ((event.type === 'OrderRejected' || event.type === 'ReplaceRejected') && event.order === order) {
      return event.refusal;
    }
  }
  return undefined;
}
