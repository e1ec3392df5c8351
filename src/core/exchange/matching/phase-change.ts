/**
 * The way of a book from one phase of its day to the next: the phases that it meets, and the orders that end or are
 * matched in each. `doors.ts` says which new orders a phase takes.
 */

import type { CancelReason, Event } from '../../event.ts';
import { fillsOfOpening } from '../../scenarios/set-aside.ts';
import { decideAuction, decideCarryOver, decideClosingEntry } from '../auction/match-auction.ts';
import { PHASES, type Phase } from '../phase.ts';
import type { Venue } from '../venue.ts';

/** The phases that a book with orders meets one by one, also when it comes late. */
const MILESTONES: readonly Phase[] = [
  'PreOpenMatching',
  'Continuous',
  'ClosingReference',
  'ClosingEntry',
  'ClosingMatching',
];

/**
 * Moves a book one phase further towards the phase of its instrument, with the effect on its orders; empty when it is
 * there. A book without orders meets the present phase alone. Source: market-rules R2.5, R2.8, R3.16.
 */
export function decidePhaseChange(venue: Venue): Event[] {
  const { book, instrument, phase: now } = venue;
  if (now === book.phase) return [];
  const phase = book.hasInterest() ? nextPhase(book.phase, now) : now;
  const before = phase === 'Continuous' ? decideCarryOver(venue) : [];
  return [...before, { type: 'PhaseMet', instrument, phase }, ...follows(venue, phase, phase === now)];
}

/**
 * The first milestone between two phases, else the second phase. A phase that ends trading is met at once, whatever was
 * missed.
 */
function nextPhase(from: Phase, to: Phase): Phase {
  if (to === 'Closed' || to === 'PostClose') return to;
  const passed = PHASES.slice(PHASES.indexOf(from) + 1, Math.max(PHASES.indexOf(to), 0));
  return passed.find((phase) => MILESTONES.includes(phase)) ?? to;
}

/**
 * The effect of a phase on the orders that it meets. An auction that is stopped, or whose time has passed, is not made
 * up for.
 */
function follows(venue: Venue, phase: Phase, inTime: boolean): Event[] {
  const { book, stopped } = venue;
  const stops = book.armedStops().map(({ number }) => cancelled(number));
  switch (phase) {
    case 'ClosingReference':
      return stops;
    case 'Continuous':
      return inTime ? fillsOfOpening(venue) : [];
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
