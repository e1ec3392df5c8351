import type { OrderNumber } from '../../base/ids.ts';
import type { EpochMs } from '../../base/time.ts';

/** The ways in which an order goes on by itself, later. */
export const AWAITED_OUTCOMES = ['Acknowledge', 'Cancel', 'LateFill'] as const;
export type AwaitedOutcome = (typeof AWAITED_OUTCOMES)[number];

/** Something that happens to an order at an instant, unless the order ends before. */
export interface OutcomeDue {
  readonly order: OrderNumber;
  readonly outcome: AwaitedOutcome;
  /** Of the market. */
  readonly due: EpochMs;
}

/** A scenario waits for its instant. */
export interface OutcomeAwaited extends OutcomeDue {
  readonly type: 'OutcomeAwaited';
}

/** The exchange set an Open order aside, since its client asked for that: it is in no queue. */
export interface OrderSetAside {
  readonly type: 'OrderSetAside';
  readonly order: OrderNumber;
}

/** Lets an outcome happen whose instant has come. Nothing happens when it is not awaited any more. */
export interface MeetOutcome {
  readonly type: 'MeetOutcome';
  readonly order: OrderNumber;
  readonly outcome: AwaitedOutcome;
}
