import type { CancelReason, Event } from '../../event.ts';
import { decideAuction, decideCarryOver, decideClosingEntry } from '../auction/match-auction.ts';
import { PHASES, type Phase } from '../phase.ts';
import type { Venue } from '../venue.ts';

/** What a book with orders does not pass over when it comes late to a phase behind them. */
const MILESTONES: readonly Phase[] = [
  'PreOpenMatching',
  'Continuous',
  'ClosingReference',
  'ClosingEntry',
  'ClosingMatching',
];

/**
 * The next phase that a book meets on its way to the phase that its instrument is in, with what that does to its
 * orders; empty when it is there. A book without orders meets the present phase alone. Source: market-rules R2.5, R2.8,
 * R3.16.
 */
export function decidePhaseChange(venue: Venue): Event[] {
  const { book, instrument, phase: now } = venue;
  if (now === book.phase) return [];
  const phase = book.hasInterest() ? nextPhase(book.phase, now) : now;
  const before = phase === 'Continuous' ? decideCarryOver(venue) : [];
  return [...before, { type: 'PhaseMet', instrument, phase }, ...follows(venue, phase, phase === now)];
}

/**
 * Of the milestones between two phases the first, else the second phase. What ends trading ends it whatever was missed.
 */
function nextPhase(from: Phase, to: Phase): Phase {
  if (to === 'Closed' || to === 'PostClose') return to;
  const passed = PHASES.slice(PHASES.indexOf(from) + 1, Math.max(PHASES.indexOf(to), 0));
  return passed.find((phase) => MILESTONES.includes(phase)) ?? to;
}

/**
 * What a phase does to the orders that it meets. An auction whose time has passed, or that is stopped, is not made up
 * for.
 */
function follows(venue: Venue, phase: Phase, inTime: boolean): Event[] {
  const { book, stopped } = venue;
  const stops = book.armedStops().map(({ number }) => cancelled(number));
  switch (phase) {
    case 'ClosingReference':
      return stops;
    case 'PreOpenMatching':
      return inTime && !stopped ? decideAuction(venue, 'Open') : [];
    case 'ClosingEntry':
      return decideClosingEntry(venue);
    case 'ClosingMatching':
      if (inTime && !stopped) return decideAuction(venue, 'Close');
      return Array.from(book.restingOrders(), (number) => cancelled(number, 'AuctionEnd'));
    case 'PostClose':
    case 'Closed':
      return [...stops, ...Array.from(book.restingOrders(), (number) => cancelled(number))];
    default:
      return [];
  }
}

function cancelled(
  order: Extract<Event, { type: 'OrderCancelled' }>['order'],
  reason: CancelReason = 'SessionEnd',
): Event {
  return { type: 'OrderCancelled', order, reason };
}
