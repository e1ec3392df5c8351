import { wallClock } from '../../../os/wall-clock.ts';

/** The time of this process, as a member of a cluster needs it. */
export const PROCESS_TIME = {
  elapsed: () => performance.now(),
  wall: wallClock,
  after: (ms: number, work: () => void) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
  defer: (work: () => void) => void setImmediate(work),
};
