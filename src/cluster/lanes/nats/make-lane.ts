/** Making the stream of a lane, and moving its leader to the server that is to lead it, or away from another lane's. */
import type { StreamInfo } from '@nats-io/jetstream';
import { assert } from '../../../base/assert.ts';
import { LaneUnreachable } from '../lane.ts';
import { managerOf } from './log-report.ts';
import type { LogServers } from './log-servers.ts';
import type { LaneStream } from './stream-settings.ts';

/** How long a new stream may take until it has a leader and all its replicas. In milliseconds. */
const SETTLE_MS = 20_000;
const LOOK_MS = 100;
const STEPS = 5;
/** `no suitable peers for placement`. */
const NO_PEERS = 10_005;

/**
 * Makes a stream, as soon as the servers know each other: those of a log that has just begun take some seconds. Throws
 * `LaneUnreachable`, and the log's own error when it refuses the stream.
 */
export async function makeLane(servers: LogServers, settings: LaneStream): Promise<void> {
  const { streams } = await manager(servers);
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

/** Moves the leader of a lane to a server; gives the name of the leader that it has then. */
export async function placeLeader(servers: LogServers, stream: string, wanted: string): Promise<string> {
  let leader = await settled(servers, stream);
  for (let step = 0; leader !== wanted && step < STEPS; step += 1) {
    await stepDown(servers, stream, wanted);
    leader = await settled(servers, stream);
  }
  return leader;
}

/**
 * Moves the leader of `moved` to another server when one server leads both lanes and all their replicas are up to date:
 * after an election the loss of that server would stop both. Gives the server that was asked to lead, `undefined` when
 * there is nothing to move. Rejects when the log does not answer.
 */
export async function leadApart(servers: LogServers, stays: string, moved: string): Promise<string | undefined> {
  const { streams } = await manager(servers);
  const [one, other] = await Promise.all([streams.info(stays), streams.info(moved)]);
  if (!isWhole(one) || !isWhole(other) || one.cluster?.leader !== other.cluster?.leader) return undefined;
  const preferred = other.cluster?.replicas?.[0]?.name;
  if (preferred === undefined) return undefined;
  await stepDown(servers, moved, preferred);
  return preferred;
}

async function manager(servers: LogServers): ReturnType<typeof managerOf> {
  await servers.ready(SETTLE_MS);
  const [target] = servers.connected();
  if (target === undefined) throw new LaneUnreachable('no server of the log is connected');
  return managerOf(target.connection, SETTLE_MS);
}

/** Asks a stream's leader to give its place to a server. */
async function stepDown(servers: LogServers, stream: string, preferred: string): Promise<void> {
  const [target] = servers.connected();
  assert(target !== undefined, 'a server of the log was connected');
  const request = JSON.stringify({ placement: { preferred } });
  await target.connection.request(`$JS.API.STREAM.LEADER.STEPDOWN.${stream}`, request, { timeout: SETTLE_MS });
}

/** Waits until a stream has a leader and all replicas are up to date; the name of the leader. */
async function settled(servers: LogServers, stream: string): Promise<string> {
  const { streams } = await manager(servers);
  const until = performance.now() + SETTLE_MS;
  while (performance.now() < until) {
    const info = await streams.info(stream).catch(() => undefined);
    if (info !== undefined && isWhole(info)) return info.cluster?.leader ?? '';
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  throw new LaneUnreachable(`lane ${stream} has no leader with all its replicas`);
}

function isWhole({ config, cluster }: StreamInfo): boolean {
  const replicas = cluster?.replicas ?? [];
  const current = replicas.filter((replica) => replica.current && replica.offline !== true);
  return (cluster?.leader ?? '') !== '' && current.length + 1 === config.num_replicas;
}
