import type { Server } from 'node:http';

/** Requests that still run get this long before their connections are cut. */
const CLOSE_WAIT_MS = 3_000;
const IDLE_SWEEP_MS = 50;
/** An orderly end that takes longer ends at once: what was acknowledged is durable anyway. */
const LIMIT_MS = 4_800;

/** What is to be ended. */
export interface Ending {
  /** Called first: the service says from now on that it is not ready. */
  readonly announce: () => void;
  /** What listens, with the orderly close of its own side. */
  readonly listeners: readonly { readonly server: Server; close(): Promise<unknown> }[];
  /** Finishes what was taken in and lets go of the data folder. */
  readonly stop: () => Promise<void>;
  /** Ends the process; called once. */
  readonly exit: () => void;
}

/**
 * Ends the service in order at the first SIGTERM or SIGINT, or when the process that started it with a channel is gone; at once at the
 * second. Source: reliability F31.
 */
export function endOnSignals(ending: Ending): void {
  let begun = false;
  const end = (): void => {
    if (begun) process.kill(process.pid, 'SIGKILL');
    begun = true;
    void endInOrder(ending);
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  if (process.channel === undefined) return;
  process.once('disconnect', end);
  process.channel.unref();
}

/** Answers what runs, closes every connection, stops, exits; within five seconds. */
export async function endInOrder(ending: Ending): Promise<void> {
  setTimeout(ending.exit, LIMIT_MS).unref();
  ending.announce();
  await Promise.all(ending.listeners.map(closeListener));
  await ending.stop();
  ending.exit();
}

/**
 * Keep-alive clients would hold a server open: they are told with their next answer, let go when they have none to wait for, and
 * cut when they do not listen.
 */
async function closeListener({ server, close }: Ending['listeners'][number]): Promise<void> {
  server.prependListener('request', (_request, response) => {
    response.setHeader('connection', 'close');
  });
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
  const cut = setTimeout(() => server.closeAllConnections(), CLOSE_WAIT_MS);
  await close();
  clearInterval(sweep);
  clearTimeout(cut);
}
