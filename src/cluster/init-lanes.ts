/** `sauda cluster init`: makes the two lanes of a cluster on its log, each with a leader of its own. */
import { must } from '../base/assert.ts';
import { fail, ok, type Result } from '../base/result.ts';
import type { ClusterFile, ServerLog } from './cluster-file.ts';
import { type LogReport, reportOn } from './lanes/nats/log-report.ts';
import { LogServers } from './lanes/nats/log-servers.ts';
import { makeLane } from './lanes/nats/make-lane.ts';
import { placeLeader } from './lanes/nats/stream-leaders.ts';
import { streamSettings } from './lanes/nats/stream-settings.ts';
import { openLanes } from './lanes/open-lanes.ts';
import { doubles, judgeServers, streamFaults } from './start-gate.ts';

/**
 * Makes the lanes that are not there yet, and gives them leaders on different servers. Gives a sentence for each thing
 * done and each warning. Fails, with a sentence for each fault, when a server is not as it must be, a stream of the
 * name has other settings, or a server does not answer; nothing was made then. May be repeated.
 */
export async function initLanes(file: ClusterFile): Promise<Result<readonly string[], readonly string[]>> {
  const { name, log, members } = file;
  if (log.type === 'Folder') {
    await (await openLanes(file)).close();
    return ok([`the lanes are in ${log.folder}`]);
  }
  const servers = new LogServers(
    log.servers.map(({ url }) => url),
    log.access,
  );
  try {
    const report = await reportOn(log, servers);
    const { faults, warnings } = judgeServers(report);
    const all = [...faults, ...unfit(name, log, report)];
    if (all.length > 0) return fail(all);
    const made = await make(name, log, report, servers);
    return ok([...warnings, ...made, ...(await place(log, members[0]?.logServer, servers))]);
  } finally {
    await servers.close();
  }
}

/** The faults by which lanes cannot be made here. */
function unfit(cluster: string, log: ServerLog, report: LogReport): string[] {
  if (report.lanes === undefined) return ['the log does not list its streams: it may have no leader now, try again'];
  const away = report.servers.filter(({ found }) => found === undefined);
  return [
    ...away.map(({ server }) => `log server ${server.name} must be there when the lanes are made`),
    ...report.lanes.flatMap((lane) => streamFaults(cluster, log, lane)),
    ...doubles(cluster, report),
  ];
}

async function make(cluster: string, log: ServerLog, report: LogReport, servers: LogServers): Promise<string[]> {
  const lines: string[] = [];
  for (const { name, found } of report.lanes ?? []) {
    if (found === undefined) await makeLane(servers, streamSettings(name, cluster, log.keepHours));
    lines.push(found === undefined ? `lane ${name} is made` : `lane ${name} is there, with ${found.messages} messages`);
  }
  return lines;
}

/** Gives the lanes leaders on two servers, neither of them `beside`, the server of the member that leads first. */
async function place(log: ServerLog, beside: string | undefined, servers: LogServers): Promise<string[]> {
  const [first, second] = log.servers.map((server) => server.name).filter((name) => name !== beside);
  const leaderOfA = await placeLeader(servers, log.lanes.a, must(first, 'a first server'));
  const leaderOfB = await placeLeader(servers, log.lanes.b, must(second, 'a second server'));
  return [`lane ${log.lanes.a} is led by ${leaderOfA}, lane ${log.lanes.b} by ${leaderOfB}`];
}
