import { FrameDelays } from './frame-delays.ts';

/** Why the service ended a socket at once, without its client's consent. */
export type CutReason = 'silent' | 'slow' | 'memory' | 'frames' | 'tooLarge' | 'binary' | 'protocol' | 'ending';

/** The figures of all sockets since the start. */
export class SocketFigures {
  /** Texts that were sent, and their bytes with the heads of their frames. */
  frames = 0;
  bytes = 0;
  /** Texts of clients. */
  received = 0;
  /** Subscriptions to instruments that are open now. */
  subscriptions = 0;
  /** Looks at instruments that a socket was not sent, since a later one came while its client read slowly. */
  conflated = 0;
  /** How long frames of live events of users took from durable to written. */
  readonly delays = new FrameDelays();
  readonly cutOff: Record<CutReason, number> = {
    silent: 0,
    slow: 0,
    memory: 0,
    frames: 0,
    tooLarge: 0,
    binary: 0,
    protocol: 0,
    ending: 0,
  };
}
