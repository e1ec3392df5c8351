/** The servers that lead the streams of lanes: where they are, and the move to another one. */
import type { StreamInfo } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { LaneUnreachable } from '../lane.ts';
import type { LaneStanding } from '../lane-leaders.ts';
import { managerOf } from './log-report.ts';
import type { LogServers } from './log-servers.ts';

/** How long the log may take to answer, and a stream to have a leader and all its replicas. In milliseconds. */
const SETTLE_MS = 20_000;
/** A stream without a leader answers no question, also not when it has one again: the question is asked again. */
const ASK_MS = 500;
const LOOK_MS = 100;
const STEPS = 5;

/** The streams of the log, asked over a server that is connected. Throws `LaneUnreachable`. */
export async function streamsOf(servers: LogServers, ms = SETTLE_MS): ReturnType<typeof managerOf> {
  return managerOf(await connectionTo(servers, ms), ms);
}

async function connectionTo(servers: LogServers, ms: number): Promise<NatsConnection> {
  await servers.ready(ms);
  const [target] = servers.connected();
  if (target === undefined) throw new LaneUnreachable('no server of the log is connected');
  return target.connection;
}

/** A stream as its leader reports it. Rejects when the log does not answer within `ms` milliseconds. */
export async function standingOf(servers: LogServers, stream: string, ms: number): Promise<LaneStanding> {
  const { streams } = await streamsOf(servers, ms);
  return standing(await streams.info(stream));
}

/**
 * Asks a stream's leader to give its place to a server. It resolves when the leader has agreed; the other one leads
 * some milliseconds later, or not at all. Rejects when the log does not answer or refuses.
 */
export async function moveLeader(servers: LogServers, stream: string, preferred: string, ms: number) {
  const connection = await connectionTo(servers, ms);
  const request = JSON.stringify({ placement: { preferred } });
  const subject = `$JS.API.STREAM.LEADER.STEPDOWN.${stream}`;
  const answer = await connection.request(subject, request, { timeout: ms });
  const { error } = answer.json<{ error?: { description?: string } }>();
  if (error !== undefined) throw new LaneUnreachable(`lane ${stream}: ${error.description ?? 'it is not moved'}`);
}

/** Moves the leader of a stream to a server; gives the name of the leader that it has then. */
export async function placeLeader(servers: LogServers, stream: string, wanted: string): Promise<string> {
  let leader = await settled(servers, stream);
  for (let step = 0; leader !== wanted && step < STEPS; step += 1) {
    // A request that was not answered may have been carried out, or is made again.
    await moveLeader(servers, stream, wanted, ASK_MS).catch(() => undefined);
    leader = await settled(servers, stream);
  }
  return leader;
}

/** Waits until a stream has a leader and all replicas are up to date; the name of the leader. */
export async function settled(servers: LogServers, stream: string): Promise<string> {
  const until = performance.now() + SETTLE_MS;
  while (performance.now() < until) {
    const found = await standingOf(servers, stream, ASK_MS).catch(() => undefined);
    if (found?.isWhole === true) return found.leader;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  throw new LaneUnreachable(`lane ${stream} has no leader with all its replicas`);
}

function standing({ config, cluster }: StreamInfo): LaneStanding {
  const replicas = cluster?.replicas ?? [];
  const leader = cluster?.leader ?? '';
  const current = replicas.filter((replica) => replica.current && replica.offline !== true);
  const isWhole = leader !== '' && current.length + 1 === config.num_replicas;
  return { name: config.name, leader, servers: [leader, ...replicas.map(({ name }) => name)], isWhole };
}
