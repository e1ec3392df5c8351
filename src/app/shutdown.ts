/**
 * The orderly end of the service: signals, failures, and the order in which listeners and files close.
 * Starting is in start.ts.
 */
import type { Server } from 'node:http';
import { readIfPresent } from '../os/durable-file.ts';

/**
 * Requests that still run get this long from the beginning of the end, whichever listener they came to, before their
 * connections are cut.
 */
const CLOSE_WAIT_MS = 3_000;
const IDLE_SWEEP_MS = 50;
/** A terminal and npm both pass on one Ctrl-C: what comes this soon after the first signal is the same one. */
const SAME_SIGNAL_MS = 500;
const ORPHAN_CHECK_MS = 500;
/** An orderly end that takes longer ends at once: what was acknowledged is durable anyway. */
const LIMIT_MS = 4_800;

/** The parts of a service that end with it. */
export interface Ending {
  /**
   * Called first: the service says from now on that it is not ready. A promise is waited for, and takes a bounded time:
   * listeners stay open meanwhile.
   */
  readonly announce: () => unknown;
  /**
   * The listeners, each with the orderly close of its own side; closed in this order, so that the last can still report
   * what goes on.
   */
  readonly listeners: readonly { readonly server: Server; close(): Promise<unknown> }[];
  /** Finishes what was taken in and lets go of the data folder. */
  readonly stop: () => Promise<void>;
  /** Ends the process; called once. */
  readonly exit: () => void;
  /** Whether SIGHUP, which a terminal sends that goes away, is such a signal too. */
  readonly endsAtHangUp?: boolean;
}

/**
 * Ends the service in order at the first SIGTERM or SIGINT, or when whoever started it is gone; at once at a later
 * signal.
 * Source: reliability F31.
 */
export function endOnSignals(ending: Ending): void {
  let begunAt: number | undefined;
  const begin = (): void => {
    if (begunAt !== undefined) return;
    begunAt = performance.now();
    void endInOrder(ending);
  };
  const onSignal = (): void => {
    if (begunAt !== undefined && performance.now() - begunAt > SAME_SIGNAL_MS) process.kill(process.pid, 'SIGKILL');
    begin();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  if (ending.endsAtHangUp === true) process.on('SIGHUP', onSignal);
  if (process.channel !== undefined) {
    process.once('disconnect', begin);
    process.channel.unref();
  }
  if (process.env.npm_lifecycle_event !== undefined) whenOrphaned(begin);
}

/**
 * npm runs a script behind a shell, and when one of the two is killed the service would go on without them. So it looks
 * whether its parent, and on Linux its parent's parent, are still the same.
 */
function whenOrphaned(then: () => void): void {
  const first = ancestry();
  const watch = setInterval(() => {
    if (ancestry() === first) return;
    clearInterval(watch);
    then();
  }, ORPHAN_CHECK_MS);
  watch.unref();
}

function ancestry(): string {
  const stat = readIfPresent(`/proc/${process.ppid}/stat`) ?? '';
  // The name of a process may hold anything, so the fields are counted from the bracket that ends it.
  const grandparent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? '';
  return `${process.ppid} ${grandparent}`;
}

/** Answers what runs, closes every connection, stops, exits; within five seconds. */
export async function endInOrder(ending: Ending): Promise<void> {
  setTimeout(ending.exit, LIMIT_MS).unref();
  await ending.announce();
  const cutAt = performance.now() + CLOSE_WAIT_MS;
  for (const listener of ending.listeners) await closeListener(listener, cutAt);
  await ending.stop();
  ending.exit();
}

/**
 * Keep-alive clients would hold a server open: their next answer asks them to leave, those with none to wait for are
 * closed, and those that do not listen are cut off.
 */
async function closeListener(listener: Ending['listeners'][number], cutAt: number): Promise<void> {
  const { server } = listener;
  server.prependListener('request', (_request, response) => {
    response.setHeader('connection', 'close');
  });
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
  const cut = setTimeout(() => server.closeAllConnections(), Math.max(0, cutAt - performance.now()));
  await listener.close();
  clearInterval(sweep);
  clearTimeout(cut);
}
