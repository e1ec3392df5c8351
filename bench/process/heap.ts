import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { cpuTimed } from '../rows.ts';

setFlagsFromString('--expose-gc');
/** Collects all garbage now. */
export const collect = runInNewContext('gc') as () => void;

/** Like `cpuTimed`, without the garbage that other work left: it is collected before the clock starts. */
export function cpuTimedAlone(work: () => void): number {
  collect();
  return cpuTimed(work);
}

/** Bytes in use after a collection, buffers included. */
export function usedBytes(): number {
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
