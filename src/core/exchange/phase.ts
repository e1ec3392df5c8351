/**
 * The phases of an instrument's day, in the order of the day. The data of the market say which of them a day has, and
 * when. Source: market-rules 2.1, R2.1 to R2.5.
 */
export const PHASES = [
  /** No trading: before the first phase, between two, after the last, and on days without trading. */
  'Closed',
  /** Orders gather for the opening auction. */
  'PreOpen',
  /** Orders still gather, but only limit orders. */
  'PreOpenLimitOnly',
  /** The opening auction is matched. */
  'PreOpenMatching',
  /** No trading until continuous trading begins. */
  'Buffer',
  'Continuous',
  /** Continuous trading is over; the reference of the closing auction is computed. */
  'ClosingReference',
  /** Orders gather for the closing auction. */
  'ClosingEntry',
  /** Orders still gather, but only limit orders. */
  'ClosingLimitOnly',
  /** The closing auction is matched. */
  'ClosingMatching',
  /** Trading at the closing price. */
  'PostClose',
] as const;
export type Phase = (typeof PHASES)[number];

/** True while orders gather for an auction. They may cross each other, and nothing trades. */
export function isGathering(phase: Phase): boolean {
  return (
    phase === 'PreOpen' || phase === 'PreOpenLimitOnly' || phase === 'ClosingEntry' || phase === 'ClosingLimitOnly'
  );
}

/** True while the orders that have gathered are matched. */
export function isAuctionMatching(phase: Phase): boolean {
  return phase === 'PreOpenMatching' || phase === 'ClosingMatching';
}

/** The opening auction, which begins a day or ends a halt, or the closing auction. */
export type AuctionSession = 'Open' | 'Close';

/** The auction that a phase belongs to. */
export function auctionSession(phase: Phase): AuctionSession | undefined {
  switch (phase) {
    case 'PreOpen':
    case 'PreOpenLimitOnly':
    case 'PreOpenMatching':
      return 'Open';
    case 'ClosingEntry':
    case 'ClosingLimitOnly':
    case 'ClosingMatching':
      return 'Close';
    default:
      return undefined;
  }
}
