import { setPriority } from 'node:os';

/** Lets the threads of the engine go first, by a `nice` value. Only Linux knows priorities of threads; elsewhere this would be the whole process's. */
export function standBack(nice: number): void {
  if (process.platform === 'linux') setPriority(nice);
}
