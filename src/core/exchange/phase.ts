/**
 * What part of its day an instrument is in, in the order of a day. Which of them a day has, and when, is data of the
 * market.
 * Source: market-rules 2.1, R2.1 to R2.5.
 */
export const PHASES = [
  /** No trading: before the first phase, between two, after the last, and on days without trading. */
  'Closed',
  /** Orders gather for the opening auction. */
  'PreOpen',
  /** Orders gather on, limit orders alone. */
  'PreOpenLimitOnly',
  /** The opening auction is matched. */
  'PreOpenMatching',
  /** Nothing, up to the beginning of continuous trading. */
  'Buffer',
  'Continuous',
  /** Continuous trading is over; the reference of the closing auction is computed. */
  'ClosingReference',
  /** Orders gather for the closing auction. */
  'ClosingEntry',
  /** Orders gather on, limit orders alone. */
  'ClosingLimitOnly',
  /** The closing auction is matched. */
  'ClosingMatching',
  /** Trading at the closing price. */
  'PostClose',
] as const;
export type Phase = (typeof PHASES)[number];

/** True while orders gather for an auction: they may cross each other, and nothing trades. */
export function isGathering(phase: Phase): boolean {
  return (
    phase === 'PreOpen' || phase === 'PreOpenLimitOnly' || phase === 'ClosingEntry' || phase === 'ClosingLimitOnly'
  );
}

/** True while the orders that have gathered are matched. */
export function isAuctionMatching(phase: Phase): boolean {
  return phase === 'PreOpenMatching' || phase === 'ClosingMatching';
}

/** The auction that opens a day, or trading after a halt, and the one that closes it. */
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
