/**
 * The gate in front of a cluster's start: a log that does not keep its word is found before anything is trusted to it.
 * Each fault here is one by which logs of this kind have lost messages that they had acknowledged.
 */
import type { ClusterFile, ServerLog } from './cluster-file.ts';
import { type LogReport, reportOn, type ServerReport, type StreamReport } from './lanes/nats/log-report.ts';
import { LogServers } from './lanes/nats/log-servers.ts';
import { differences, MOST_PAYLOAD_BYTES, ownerOf, streamSettings } from './lanes/nats/stream-settings.ts';

/** Below it, `sync_interval: always` and fenced reads of groups are not there. */
const LEAST_VERSION = [2, 14, 0];
/** From here on a proposal of a leader that was followed by another one is refused. */
const SOUND_VERSION = [2, 14, 4];
/** Servers that must have shown how they keep messages: a majority. */
const LEAST_CHECKED = 2;

/** The faults for which a start is refused, and the warnings with which it goes on: each a sentence for a person. */
export interface Verdict {
  readonly faults: readonly string[];
  /** Those of the faults that pass by themselves: the log is not up yet. */
  readonly absences: readonly string[];
  readonly warnings: readonly string[];
}

/** Asks the log of a cluster whether it is as it must be. Takes some seconds when a server does not answer. */
export async function checkLog({ name, log }: Pick<ClusterFile, 'name' | 'log'>): Promise<Verdict> {
  if (log.type === 'Folder') return { faults: [], absences: [], warnings: [ofOneMachine(log.folder)] };
  const servers = new LogServers(
    log.servers.map(({ url }) => url),
    log.access,
  );
  try {
    return judge(name, log, await reportOn(log, servers));
  } finally {
    await servers.close();
  }
}

function ofOneMachine(folder: string): string {
  return `the log is a folder, ${folder}: it is lost with its machine`;
}

/** The verdict on a log whose lanes are to be there already. */
export function judge(cluster: string, log: ServerLog, report: LogReport): Verdict {
  const servers = judgeServers(report);
  const lanes = (report.lanes ?? []).flatMap((lane) => laneFaults(cluster, log, lane));
  const missing = report.lanes === undefined ? ['the log does not list its streams: it may have no leader now'] : [];
  return {
    faults: [...servers.faults, ...missing, ...lanes, ...doubles(cluster, report)],
    absences: [...servers.absences, ...missing],
    warnings: [...servers.warnings, ...sameLeader(report.lanes ?? [])],
  };
}

/** The verdict on the servers alone. */
export function judgeServers({ servers }: LogReport): Verdict {
  const faults: string[] = [];
  const warnings: string[] = [];
  for (const report of servers) {
    const name = `log server ${report.server.name}`;
    if (report.found === undefined) warnings.push(`${name} is not reached, and was not checked: ${report.fault}`);
    else {
      faults.push(...serverFaults(report).map((fault) => `${name}: ${fault}`));
      if (isBelow(report.found.version, SOUND_VERSION))
        warnings.push(`${name} has version ${report.found.version}: ${ADVICE}`);
    }
  }
  const checked = servers.filter(({ found }) => found !== undefined).length;
  const absences =
    checked < LEAST_CHECKED ? [`${checked} of ${servers.length} log servers are reached: no majority`] : [];
  return { faults: [...faults, ...absences, ...strangers(servers)], absences, warnings };
}

const ADVICE = '2.14.4 or later is for real money, since it also refuses what a leader proposes that was followed';

function serverFaults({ server, found, monitor }: ServerReport): string[] {
  if (found === undefined) return [];
  const faults: string[] = [];
  if (found.name !== server.name) faults.push(`it calls itself ${found.name}`);
  if (isBelow(found.version, LEAST_VERSION)) faults.push(`version ${found.version} is below 2.14`);
  if (!found.jetStream) faults.push('JetStream is off');
  if (found.maxPayload < MOST_PAYLOAD_BYTES) {
    faults.push(`max_payload is ${found.maxPayload}, and a message may have ${MOST_PAYLOAD_BYTES} bytes`);
  }
  if (typeof monitor === 'string') faults.push(`its monitoring port ${server.monitor} does not answer: ${monitor}`);
  else if (monitor.id !== found.id) faults.push(`the monitoring port ${server.monitor} is that of another server`);
  else if (!monitor.syncAlways) {
    faults.push('sync_interval is not always: a power cut would take messages that it acknowledged');
  }
  return faults;
}

/** Servers that are one, or that are not of one cluster. */
function strangers(servers: readonly ServerReport[]): string[] {
  const found = servers.flatMap((report) => (report.found === undefined ? [] : [report.found]));
  const faults: string[] = [];
  if (new Set(found.map(({ id }) => id)).size < found.length) faults.push('two log servers of the file are the same');
  const clusters = new Set(found.map(({ cluster }) => cluster ?? ''));
  if (clusters.has('')) faults.push('a log server is not part of a cluster');
  else if (clusters.size > 1) faults.push(`the log servers are of several clusters: ${[...clusters].join(', ')}`);
  return faults;
}

function laneFaults(cluster: string, log: ServerLog, { name, found }: StreamReport): string[] {
  if (found === undefined) return [`there is no lane ${name}: "sauda cluster init" makes it`];
  const faults = streamFaults(cluster, log, { name, found });
  const known = log.servers.map(({ name: server }) => server);
  for (const server of found.servers) {
    if (!known.includes(server)) faults.push(`lane ${name} is on the server ${server}, which is not in the file`);
  }
  return faults;
}

/** How an existing stream is not the lane that it is to be. */
export function streamFaults(cluster: string, log: ServerLog, { name, found }: StreamReport): string[] {
  if (found === undefined) return [];
  const owner = ownerOf(found.config);
  if (owner === undefined) return [`the stream ${name} is not a lane: it was made by something else`];
  if (owner !== cluster) return [`lane ${name} is one of the cluster ${owner}, not of ${cluster}`];
  const wrong = differences(found.config, streamSettings(name, cluster, log.keepHours));
  return wrong.map((difference) => `lane ${name}: ${difference}`);
}

/** Other streams that are lanes of this cluster: a history would be in two places. */
export function doubles(cluster: string, { others }: LogReport): string[] {
  const own = others.filter((config) => ownerOf(config) === cluster);
  return own.map(
    ({ name }) => `the stream ${name} is a lane of the cluster ${cluster} too, and the file does not name it`,
  );
}

function sameLeader(lanes: readonly StreamReport[]): string[] {
  const [a = '', b = ''] = lanes.map(({ found }) => found?.leader ?? '');
  if (a === '' || a !== b) return [];
  return [`both lanes are led by ${a}: "sauda cluster init" moves one, so that a loss of it stops one lane alone`];
}

/** Whether `2.14.0-RC.1` is below a version; one that is not read is below all. */
function isBelow(version: string, least: readonly number[]): boolean {
  const [, ...parts] = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version) ?? [];
  if (parts.length === 0) return true;
  const differing = least.findIndex((part, index) => Number(parts[index]) !== part);
  return differing !== -1 && Number(parts[differing]) < (least[differing] ?? 0);
}
