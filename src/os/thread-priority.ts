import { setPriority } from 'node:os';

/**
 * Lets the threads of the engine go before another of the process, the calling one when none is named, by a `nice`
 * value. Only Linux knows priorities of threads; elsewhere this would be the whole process's.
 */
export function standBack(nice: number, thread = 0): void {
  if (process.platform === 'linux') setPriority(thread, nice);
}
