/**
 * Files that the service opens itself, threads included, connections of the operator's port, of which there are 64 at
 * most, and connections that are on their way to being turned away.
 */
const OWN_FILES = 320;
/** Where the system grants next to nothing, at least this number of clients is served. */
const FEWEST_CONNECTIONS = 16;

/**
 * How many connections there may be, so that the files which this process may have open are enough for the journal and
 * its snapshots too. `limits` is the text of `/proc/self/limits`; `undefined` where there is none. Source: reliability
 * P10, F18.
 */
export function connectionsWithin(wanted: number, limits: string | undefined): number {
  const files = /^Max open files +(\d+)/m.exec(limits ?? '')?.[1];
  if (files === undefined) return wanted;
  return Math.min(wanted, Math.max(FEWEST_CONNECTIONS, Number(files) - OWN_FILES));
}
