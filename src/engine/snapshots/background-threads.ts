import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { hasCode, isAbsent } from '../../base/system-fault.ts';
import { standBack } from '../../os/thread-priority.ts';

/** The threads of this process, on Linux. */
const THREADS = '/proc/self/task';
/** The names of the threads in which V8 compiles and collects garbage. */
const BACKGROUND = /V8Worker/;

/**
 * Lowers the priority of the threads in which V8 compiles and collects garbage, by a `nice` value, below that of the
 * threads that answer. They work for milliseconds at a time, and on a shared processor an answer would wait for each of
 * them. Does nothing where threads have no priorities of their own.
 */
export function lowerBackgroundPriority(nice: number): void {
  if (!existsSync(THREADS)) return;
  for (const thread of readdirSync(THREADS)) if (BACKGROUND.test(nameOf(thread))) standBack(nice, Number(thread));
}

/** Empty for a thread that has ended by now. */
function nameOf(thread: string): string {
  try {
    return readFileSync(`${THREADS}/${thread}/comm`, 'latin1');
  } catch (error) {
    if (isAbsent(error) || hasCode(error, 'ESRCH')) return '';
    throw error;
  }
}
