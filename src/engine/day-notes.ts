import { formatRupees } from '../base/decimal.ts';
import { formatIsoDay } from '../base/time.ts';
import type { Event } from '../core/event.ts';
import { accountOf, type State } from '../core/state.ts';

/** What the operator is told in the log of the day's risk and settlement, a line an event. Source: market-rules R2.25, R4.35, R7.4. */
export function dayNotes(state: State, events: readonly Event[]): string[] {
  return events.flatMap((event) => noteOf(state, event) ?? []);
}

function noteOf(state: State, event: Event): string | undefined {
  switch (event.type) {
    case 'SegmentSquaredOff':
      return `${event.segment} are squared off`;
    case 'LossesReached': {
      const deed = event.stage === 'Warned' ? 'warned' : 'squared off';
      const figures = `intraday loss ${formatRupees(event.loss)} of funds ${formatRupees(event.funds)}`;
      return `${accountOf(state, event.account).userId} is ${deed}: ${figures}`;
    }
    case 'DeliveryUnfunded': {
      const { needed, available, missing } = event;
      const figures = `needs ${formatRupees(needed)}, has ${formatRupees(available)}, lacks ${missing} shares`;
      return `${accountOf(state, event.account).userId} does not fund a delivery: ${figures}`;
    }
    case 'PositionSettled':
      if (event.reason !== 'CloseOut') return undefined;
      return `${accountOf(state, event.account).userId} is closed out: ${event.quantity} at ${formatRupees(event.price)}`;
    case 'PositionConverted':
      return `${accountOf(state, event.account).userId} keeps ${event.quantity} of product ${event.from} as ${event.to}`;
    case 'DayEndReached':
      return event.step === 'Charges' ? `the day ${formatIsoDay(event.day)} has ended` : undefined;
    default:
      return undefined;
  }
}
