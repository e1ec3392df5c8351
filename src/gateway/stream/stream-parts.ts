import type { Interval } from '../endpoints/market/time-price-series.ts';
import type { DialectParts } from '../sockets/dialect-parts.ts';
import type { MarketChannel } from './channels.ts';
import type { ClockEvents, StatusEvents } from './clock-and-status.ts';
import type { MakeFrames } from './market-frames.ts';
import type { AccountOfOrder } from './record-changes.ts';
import type { ResultsEvents } from './results-events.ts';
import type { UserShares } from './user-shares.ts';

/** The parts that all sockets of the stream share. */
export interface StreamParts extends DialectParts {
  readonly accountOf: AccountOfOrder;
  readonly clockEvents: ClockEvents;
  readonly statusEvents: StatusEvents;
  readonly resultsEvents: ResultsEvents;
  readonly shares: UserShares;
  /** The feeds of a channel; of candles with an interval, the one of that interval. */
  feedsOf(channel: MarketChannel, interval: Interval | undefined): readonly string[];
  /** The maker of the frames of a feed. */
  makerOf(feed: string): MakeFrames;
}
