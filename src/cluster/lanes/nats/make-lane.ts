/** Making the stream of a lane. */

import type { LogServers } from './log-servers.ts';
import { settled, streamsOf } from './stream-leaders.ts';
import type { LaneStream } from './stream-settings.ts';

/** How long servers of a new log may take until they know each other. In milliseconds. */
const SETTLE_MS = 20_000;
const LOOK_MS = 100;
/** `no suitable peers for placement`. */
const NO_PEERS = 10_005;

/**
 * Makes a stream, as soon as the servers know each other: those of a log that has just begun take some seconds. Throws
 * `LaneUnreachable`, and the log's own error when it refuses the stream.
 */
export async function makeLane(servers: LogServers, settings: LaneStream): Promise<void> {
  const { streams } = await streamsOf(servers);
  const { JetStreamApiError } = await import('@nats-io/jetstream');
  const until = performance.now() + SETTLE_MS;
  for (;;) {
    try {
      await streams.add(settings);
      break;
    } catch (error) {
      const early = error instanceof JetStreamApiError && error.code === NO_PEERS;
      if (!early || performance.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }
  await settled(servers, settings.name);
}
