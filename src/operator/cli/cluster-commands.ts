/** The commands on a cluster: its lanes, its members, the move of the leader, its begin and its end. */
import type { Command } from 'commander';
import type { ClusterReport, LaneReport } from '../operations/service/cluster-operations.ts';
import { acceptedLoss } from './accepted-loss.ts';
import type { OperatorCommandParts } from './command-parts.ts';
import { configOf, type Environment, type Flags, withSettings } from './command-settings.ts';

/** The work of the commands that need no running service. */
export interface ClusterWork {
  /** Makes the lanes of a cluster file and returns the report. Throws `CommandFailed`. */
  readonly initCluster: (file: string) => Promise<string>;
  /** As `initCluster`, and begins the lanes with the history of a data folder. Throws `FolderInUse` too. */
  readonly beginCluster: (file: string, data: string) => Promise<string>;
  /** Ends the cluster of a data folder, which goes on alone. Throws `CommandFailed` and `FolderInUse`. */
  readonly endCluster: (wish: ClusterEnd) => Promise<string>;
  /** Compares the lanes with the journal of a data folder. Throws `CommandFailed` with the first damage. */
  readonly verifyCluster: (file: string, data: string) => Promise<string>;
  /** Makes the data folder of a further member from that of another one. Throws `CommandFailed`. */
  readonly provisionMember: (from: string, to: string) => Promise<string>;
}

/** The cluster file, the folder that goes on alone, and the record that the operator names where the log is lost. */
export interface ClusterEnd {
  readonly file: string;
  readonly data: string;
  readonly acceptLoss: number | undefined;
}

type ClusterCommandParts = OperatorCommandParts & ClusterWork & Environment;

/** Adds `sauda cluster` with its commands. */
export function addClusterCommands(program: Command, parts: ClusterCommandParts): void {
  const cluster = program.command('cluster').description('a service on several machines');
  addLifetimeCommands(cluster, parts);
  const provision = cluster
    .command('provision <folder>')
    .description('make the data folder of a further member: identity, keys, imported files and history');
  withSettings(provision, ['data']).action(async (folder: string, flags: Flags) => {
    parts.print(await parts.provisionMember(configOf(flags, parts).data, folder));
  });
  const verify = cluster.command('verify').description('compare both lanes with the journal of a member');
  withSettings(verify, ['cluster', 'data']).action(async (flags: Flags) => {
    const { cluster: file, data } = configOf(flags, parts);
    parts.print(await parts.verifyCluster(file, data));
  });
  const status = cluster
    .command('status')
    .description('print where the running member stands')
    .option('--json', 'as an object in JSON');
  parts.withService(status).action(async ({ json, ...flags }: Readonly<Record<string, string>> & { json?: true }) => {
    const report = (await parts.ask(flags, '/cluster')) as ClusterReport;
    parts.print(json ? JSON.stringify(report) : statusText(report));
  });
  const handOver = cluster
    .command('handover <member>')
    .description("give the leader's place of the running member to another one; this one ends");
  parts.withService(handOver).action(async (to: string, flags: Readonly<Record<string, string>>) => {
    await parts.act(flags, '/cluster/handover', { to });
    parts.print(`${to} is to lead; this member ends`);
  });
}

function addLifetimeCommands(cluster: Command, parts: ClusterCommandParts): void {
  const init = cluster
    .command('init')
    .description('make the two lanes of a cluster file')
    .option('--from <folder>', 'begin them with the history of the data folder of one machine, which is not running');
  withSettings(init, ['cluster']).action(async ({ from, ...flags }: Flags & { from?: string }) => {
    const { cluster: file } = configOf(flags, parts);
    parts.print(await (from === undefined ? parts.initCluster(file) : parts.beginCluster(file, from)));
  });
  const end = cluster
    .command('end')
    .description('end the cluster for ever, and make the folder of a member one that is started alone')
    .option('--accept-loss <sequence>', 'where the log is lost: the record at which the folder ends');
  withSettings(end, ['cluster', 'data']).action(async ({ acceptLoss, ...flags }: Flags & { acceptLoss?: string }) => {
    const { cluster: file, data } = configOf(flags, parts);
    parts.print(await parts.endCluster({ file, data, acceptLoss: acceptedLoss(acceptLoss) }));
  });
}

function laneText({ last, ledBy, isLedBeside }: LaneReport): string {
  const led = ledBy === undefined ? '' : `, led by ${ledBy}${isLedBeside ? ' on this machine' : ''}`;
  return `${last === undefined ? 'not reached' : `message ${last}`}${led}`;
}

function statusText(report: ClusterReport): string {
  const { member, role, epoch, leader, leaderAddress, behindRecords, behindMs, isCaughtUp, lanes } = report;
  const { notElectable, clockApartMs, mayAnswerReads, logFaults = [], members } = report;
  const lead = leader === undefined ? 'none known' : `${leader}${leaderAddress ? ` at ${leaderAddress}` : ''}`;
  return [
    `member   ${member} of ${members.join(', ')}: ${role.toLowerCase()}`,
    `leader   ${lead}, epoch ${epoch}`,
    role === 'Leader'
      ? `lease    ${mayAnswerReads ? 'held' : 'run out: questions are refused'}`
      : `behind   ${behindRecords} records, ${Math.round(behindMs)} ms: ${isCaughtUp ? 'caught up' : 'not caught up'}`,
    ...(notElectable === undefined ? [] : [`cannot lead: ${notElectable}`]),
    ...(clockApartMs === undefined ? [] : [`clock    ${Math.round(clockApartMs)} ms from the leader's`]),
    ...lanes.map((lane) => `lane     ${lane.name}: ${laneText(lane)}`),
    ...logFaults.map((fault) => `log      ${fault}`),
  ].join('\n');
}
