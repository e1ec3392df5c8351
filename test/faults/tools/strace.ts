import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { journalPaths } from '../../../src/journal/upkeep/examine.ts';

/** The calls by which a journal's files are changed. */
export const CHANGING_CALLS = ['pwrite64', 'fdatasync', 'fsync', 'rename', 'ftruncate'] as const;
export type Call = (typeof CHANGING_CALLS)[number] | 'openat' | 'pread64';

/** The tracer's action on a call, in its own words: see strace(1), `--inject`. */
export interface Injection {
  readonly call: Call;
  /** `signal=SIGKILL`, `error=EIO`, `delay_enter=300ms`. */
  readonly what: string;
  /** Which call of each thread: `3`, `3+`; all of them when absent. */
  readonly when?: string;
  /** Only calls on these paths. */
  readonly paths?: readonly string[];
}

/**
 * The command that runs what follows it under a tracer, in the same process id, and writes all changing calls to the
 * file `trace`.
 */
export function traced(trace: string, { call, what, when, paths = [] }: Injection): string[] {
  const calls = [...new Set([...CHANGING_CALLS, call])].join(',');
  const inject = [call, what, ...(when === undefined ? [] : [`when=${when}`])];
  return [
    ...['strace', '-f', '-D', '-qq', '-o', trace, '-e', 'signal=none'],
    // Quicker, since only the calls in question stop the process; but then strace 6.1 sends no signal.
    ...(what.startsWith('signal') ? [] : ['--seccomp-bpf']),
    ...['-e', `trace=${calls}`, '-e', `inject=${inject.join(':')}`],
    ...paths.flatMap((path) => ['-P', path]),
  ];
}

/** True when a call of the trace failed by injection. */
export function failed(trace: string): boolean {
  return readFileSync(trace, 'utf8').includes('(INJECTED)');
}

/**
 * The changing calls from the first that failed on, of all threads: `4711 fdatasync(21) = -1 EIO (Input/output error)`.
 */
export function callsFromFailure(trace: string): string[] {
  const lines = readFileSync(trace, 'utf8').split('\n');
  const first = lines.findIndex((line) => /= -1 E/.test(line));
  return first < 0 ? [] : lines.slice(first).filter((line) => CHANGES.test(line));
}

const CHANGES = /\d (pwrite64|fdatasync|fsync|rename|ftruncate|<\.\.\.)/;

/** The files of a journal of one segment, drafts too, and their folders: what `paths` of an injection may be. */
export function pathsOfJournal(data: string): string[] {
  const { folder, journal, mark } = journalPaths(data);
  const files = [join(journal, 'segment-0000000000000001'), mark];
  return [folder, journal, ...files, ...files.map((file) => `${file}.new`)];
}
