import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How late the event loop was in a stretch of time, in milliseconds: mostly, in the worst hundredth, at most. */
export interface LoopDelay {
  readonly middle: number;
  readonly p99: number;
  readonly longest: number;
}

/** How exactly delays are measured, in milliseconds: at rest the loop looks this late. */
const RESOLUTION_MS = 10;
const STRETCH_MS = 10_000;

/** Measures the event loop from now on; gives the delays of the last whole stretch of ten seconds, or of the first. */
export function measureLoopDelay(): () => LoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  const delays = (): LoopDelay => ({
    middle: late(histogram.percentile(50)),
    p99: late(histogram.percentile(99)),
    longest: late(histogram.max),
  });
  let last: LoopDelay | undefined;
  setInterval(() => {
    last = delays();
    histogram.reset();
  }, STRETCH_MS).unref();
  return () => last ?? delays();
}

/** A measured delay in nanoseconds, without the resolution that it contains. */
function late(nanoseconds: number): number {
  return Math.max(0, Math.round(nanoseconds / 10_000 - RESOLUTION_MS * 100) / 100);
}
