import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Going through more objects takes longer than 100 milliseconds, for which nobody should wait. */
const SMALL_HEAP_BYTES = 100_000_000;
const TRIM = { malloc_trim: { arguments: ['uint64'], return: 'int32' } } as const;

/**
 * Gives memory that is free back to the system; false where that is not possible. glibc keeps what a start used for the
 * sources of modules, and what the threads of V8 used to compile them: 35 MB in small pieces between others, which it
 * looks for only when it is asked. Source: malloc_trim(3).
 */
export function giveFreeMemoryBack(): boolean {
  if (process.platform !== 'linux') return false;
  // Since Node 26.1, and not where it is switched off.
  const ffi = process.getBuiltinModule('node:ffi') as typeof import('node:ffi') | undefined;
  if (ffi === undefined) return false;
  try {
    ffi.dlopen('libc.so.6', TRIM).functions.malloc_trim(0n);
    return true;
  } catch {
    // Another C library, which has no such function.
    return false;
  }
}

/**
 * Collects what a small heap holds in vain, which takes some 50 milliseconds in one piece: for a start, while nobody
 * waits for an answer. V8 leaves it for as long as it has room for others, see `bin/sauda.mjs`.
 */
export function collectSmallHeap(): void {
  if (getHeapStatistics().used_heap_size > SMALL_HEAP_BYTES) return;
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  collect();
}
