/** The instants of a placement, and other work of its service, as the processes of `bench/tails.ts` share them. */

/** The instants of a placement in the service, in milliseconds of the machine's monotonic clock. */
export interface ServedPlacement {
  /** The number in its remarks. */
  readonly id: number;
  /** Its body is whole. */
  readonly entered: number;
  /** Its client's turn has come. */
  readonly run: number;
  /** Its record is made. */
  readonly recorded: number;
  /** Its group goes to the disk. */
  readonly flushing: number;
  /** The main thread knows that its group is durable. */
  readonly durable: number;
  /** Its answer goes to the socket. */
  readonly answered: number;
}

/** Work of the main thread of the service beside placements. */
export const WORK = ['young collector', 'old collector', 'second', 'audit trail', 'feed'] as const;
export type WorkKind = (typeof WORK)[number];

export interface Stretch {
  readonly kind: WorkKind;
  readonly from: number;
  readonly to: number;
}

/** Everything that a traced service saw. */
export interface Trace {
  readonly placements: readonly ServedPlacement[];
  readonly work: readonly Stretch[];
}

/** A placement as its client saw it. */
export interface SentPlacement {
  readonly id: number;
  /** When it was to be sent, was sent, and its answer had come. */
  readonly due: number;
  readonly sent: number;
  readonly received: number;
}

/** For how long the main thread of the service had waited for a processor, at an instant. Both in milliseconds. */
export type WaitSample = readonly [at: number, waited: number];

/** The findings of the load. */
export interface LoadReport {
  readonly placements: readonly SentPlacement[];
  /** Empty where the system does not count it. */
  readonly waits: readonly WaitSample[];
}

/** Milliseconds of the monotonic clock of the machine, the same in all processes. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
