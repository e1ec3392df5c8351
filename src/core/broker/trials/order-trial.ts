/**
 * Judges an order of the journal again, with the figures of every check, for `sauda why`. It uses the checks of
 * admission itself and changes nothing.
 */

import type { AccountId, GttNumber, InstrumentId, OrderNumber } from '../../../base/ids.ts';
import type { EpochMs } from '../../../base/time.ts';
import type { Command } from '../../command.ts';
import { portsFor } from '../../decide.ts';
import type { Event } from '../../event.ts';
import type { OrderTerms, Product, Side } from '../../order.ts';
import type { DecisionPorts, Ports } from '../../ports.ts';
import type { Refusal } from '../../refusals/refusal.ts';
import { pendingWish } from '../../scenarios/pending-wish.ts';
import { ownOrder, type State } from '../../state.ts';
import { firedOrder } from '../gtt/fire-gtt.ts';
import { judge } from '../orders/admission.ts';
import { mayClientChange } from '../orders/life-cycle.ts';
import type { OrderWish } from '../orders/order-wish.ts';
import { modificationWish, placementWish, releaseWish } from '../orders/orders.ts';
import { repriceWish } from '../orders/reprice.ts';
import { type CheckFinding, CheckTrace } from './check-trace.ts';

/** The judgement of one wish of an order, with the figures of that moment. */
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
  /** The terms that were asked for, a market order with its protected price. */
  readonly terms: OrderTerms;
  /** Every check in the published order; none when the order to be modified was not open, or was another client's. */
  readonly findings: readonly CheckFinding[];
  /** The recorded refusal of the risk desk or the exchange. */
  readonly refusal: Refusal | undefined;
}

/** The ports of the judged decisions. The record itself shows how a crossed trigger was treated. */
export type TrialPorts = Omit<Ports, 'strictTrigger'>;

/** A command with the events that followed from it. */
export interface DecidedRecord {
  readonly seq: number;
  readonly at: EpochMs;
  readonly command: Command;
  readonly events: readonly Event[];
}

/**
 * Judges again the placement or the modification of `order` in a record, on the state before that record and by the
 * same checks. Nothing when the record does neither. The state stays as it is.
 */
export function trialOf(
  state: State,
  ports: TrialPorts,
  record: DecidedRecord,
  order: OrderNumber,
): OrderTrial | undefined {
  const answer = record.events.find((event) => isAnswer(record.command, event) && event.order === order);
  if (answer === undefined) return undefined;
  const refusal = refusalIn(record.events, order);
  // The setting may have changed since; the record shows how a crossed trigger was treated then.
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

type Answer = Extract<Event, { type: (typeof ANSWERS)[number] | (typeof LATE_ANSWERS)[number] }>;
const ANSWERS = [
  'OrderReceived',
  'OrderReplaced',
  'ReplaceRejected',
  'AfterMarketReplaced',
  'AfterMarketReleased',
] as const;

/** Of an order that was pending on demand. */
const LATE_ANSWERS = ['OrderAcknowledged', 'OrderRejected'] as const;

/** True for the first event with which the service answers a placement or a modification. */
function isAnswer(command: Command, event: Event): event is Answer {
  const answers: readonly Event['type'][] = command.type === 'MeetOutcome' ? LATE_ANSWERS : ANSWERS;
  return answers.includes(event.type);
}

function wishOf(state: State, ports: DecisionPorts, command: Command, order: OrderNumber): OrderWish | undefined {
  if (command.type === 'PlaceOrder') return placementWish(state, ports, command);
  if (command.type === 'FireGtt') return gttWish(state, ports, command.gtt);
  if (command.type === 'ReleaseOrder') return command.order === order ? releasedWish(state, ports, order) : undefined;
  if (command.type === 'MeetOutcome') return command.order === order ? pendingWish(state, ports, order) : undefined;
  if (command.type === 'RepriceOrder') return command.order === order ? repricedWish(state, ports, order) : undefined;
  if (command.type !== 'ModifyOrder') return undefined;
  const current = ownOrder(state, command.account, order);
  return current === undefined ? undefined : modificationWish(state, ports, current, command);
}

function gttWish(state: State, ports: DecisionPorts, number: GttNumber): OrderWish | undefined {
  const gtt = state.gtts.get(number);
  const placement = gtt && firedOrder(gtt);
  return placement && placementWish(state, ports, placement);
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
