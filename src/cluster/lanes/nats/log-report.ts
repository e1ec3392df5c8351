/** The report of the servers of a log on themselves and on the lanes, asked for before anything is trusted to them. */
import type { JetStreamManager, StreamConfig, StreamInfo } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { LogServer, ServerLog } from '../../cluster-file.ts';
import type { LogServers } from './log-servers.ts';

/** How long each question may take. In milliseconds. */
const ASK_MS = 3_000;

/** A server of the log as it was reached, and its monitoring port. */
export interface ServerReport {
  readonly server: LogServer;
  /** `undefined` when it was not reached; then `fault` says why. */
  readonly found: FoundServer | undefined;
  readonly fault: string;
  /** Its monitoring port, or why that did not answer. */
  readonly monitor: MonitorReport | string;
}

interface FoundServer {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly cluster: string | undefined;
  readonly jetStream: boolean;
  /** The most bytes of a message. */
  readonly maxPayload: number;
}

interface MonitorReport {
  /** The server that it is of. */
  readonly id: string;
  /** Whether each message is flushed to the disk before it is answered. */
  readonly syncAlways: boolean;
}

/** A stream, or that there is none of the name. */
export interface StreamReport {
  readonly name: string;
  readonly found: FoundStream | undefined;
}

interface FoundStream {
  readonly config: Partial<StreamConfig>;
  /** The names of its servers; blank without a leader. */
  readonly leader: string;
  readonly servers: readonly string[];
  readonly messages: number;
}

export interface LogReport {
  readonly servers: readonly ServerReport[];
  /** The streams of the lanes a and b; `undefined` when no server answered for all of them. */
  readonly lanes: readonly StreamReport[] | undefined;
  /** All other streams of the log. */
  readonly others: readonly Partial<StreamConfig>[];
}

/** Asks each server, and one of them for the streams. A server that does not answer is part of the report. */
export async function reportOn(log: ServerLog, servers: LogServers): Promise<LogReport> {
  await servers.ready(ASK_MS, true);
  const reports = await Promise.all(log.servers.map((server, index) => reportOnServer(server, index, servers)));
  const names = [log.lanes.a, log.lanes.b];
  for (const { connection } of servers.connected()) {
    const streams = await streamsAt(connection);
    if (streams === undefined) continue;
    const lanes = names.map((name) => ({ name, found: foundOf(streams.find(({ config }) => config.name === name)) }));
    const others = streams.map(({ config }) => config).filter(({ name }) => !names.includes(name));
    return { servers: reports, lanes, others };
  }
  return { servers: reports, lanes: undefined, others: [] };
}

/** The manager of streams over a connection; it waits for as long as a question may take. */
export async function managerOf(connection: NatsConnection, timeout = ASK_MS): Promise<JetStreamManager> {
  const { jetstreamManager } = await import('@nats-io/jetstream');
  return jetstreamManager(connection, { timeout, checkAPI: false });
}

async function reportOnServer(server: LogServer, index: number, servers: LogServers): Promise<ServerReport> {
  const info = servers.connectionTo(index)?.info;
  const monitor = await askMonitor(server);
  if (info === undefined) return { server, found: undefined, fault: servers.faultOf(index), monitor };
  const { server_id: id, server_name: name, version, cluster, jetstream = false, max_payload: maxPayload } = info;
  return { server, found: { id, name, version, cluster, jetStream: jetstream, maxPayload }, fault: '', monitor };
}

async function askMonitor({ monitor }: LogServer): Promise<MonitorReport | string> {
  try {
    const answer = await fetch(new URL('/jsz?config=true', monitor), { signal: AbortSignal.timeout(ASK_MS) });
    if (!answer.ok) return `status ${answer.status}`;
    return monitorOf(await answer.json());
  } catch (error) {
    const { cause } = error as { cause?: unknown };
    return cause instanceof Error ? cause.message : String(error);
  }
}

function monitorOf(answer: unknown): MonitorReport | string {
  const { server_id: id, config } = (answer ?? {}) as { server_id?: unknown; config?: { sync_always?: unknown } };
  if (typeof id !== 'string') return 'the answer is not that of a monitoring port';
  return { id, syncAlways: config?.sync_always === true };
}

/** The streams of the log, asked over one server; `undefined` when it gives no answer. */
async function streamsAt(connection: NatsConnection): Promise<readonly StreamInfo[] | undefined> {
  try {
    const found: StreamInfo[] = [];
    for await (const stream of (await managerOf(connection)).streams.list()) found.push(stream);
    return found;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return undefined;
  }
}

function foundOf(info: StreamInfo | undefined): FoundStream | undefined {
  if (info === undefined) return undefined;
  const leader = info.cluster?.leader ?? '';
  const replicas = info.cluster?.replicas?.map(({ name }) => name) ?? [];
  const servers = [leader, ...replicas].filter((name) => name !== '').sort();
  return { config: info.config, leader, servers, messages: info.state.messages };
}
