/** The commands on a cluster: its lanes, its members, and the move of the leader. */
import type { Command } from 'commander';
import type { ClusterReport } from '../cluster/cluster-operations.ts';
import type { OperatorCommandParts } from './command-parts.ts';
import { configOf, type Environment, type Flags, withSettings } from './command-settings.ts';

/** The work of the commands that need no running service. */
export interface ClusterWork {
  /** Makes the lanes of a cluster file and returns the report. Throws `CommandFailed`. */
  readonly initCluster: (file: string) => Promise<string>;
  /** Compares the lanes with the journal of a data folder. Throws `CommandFailed` with the first damage. */
  readonly verifyCluster: (file: string, data: string) => Promise<string>;
  /** Makes the data folder of a further member from that of another one. Throws `CommandFailed`. */
  readonly provisionMember: (from: string, to: string) => Promise<string>;
}

type ClusterCommandParts = OperatorCommandParts & ClusterWork & Environment;

/** Adds `sauda cluster` with its commands. */
export function addClusterCommands(program: Command, parts: ClusterCommandParts): void {
  const cluster = program.command('cluster').description('a service on several machines');
  withSettings(cluster.command('init').description('make the two lanes of a cluster file'), ['cluster']).action(
    async (flags: Flags) => parts.print(await parts.initCluster(configOf(flags, parts).cluster)),
  );
  const provision = cluster
    .command('provision <folder>')
    .description('make the data folder of a further member: identity, keys and imported files, without history');
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

function statusText(report: ClusterReport): string {
  const { member, role, epoch, leader, leaderAddress, behindRecords, behindMs, isCaughtUp, lanes } = report;
  const { notElectable, clockApartMs, mayAnswerReads, members } = report;
  const lead = leader === undefined ? 'none known' : `${leader}${leaderAddress ? ` at ${leaderAddress}` : ''}`;
  return [
    `member   ${member} of ${members.join(', ')}: ${role.toLowerCase()}`,
    `leader   ${lead}, epoch ${epoch}`,
    role === 'Leader'
      ? `lease    ${mayAnswerReads ? 'held' : 'run out: questions are refused'}`
      : `behind   ${behindRecords} records, ${Math.round(behindMs)} ms: ${isCaughtUp ? 'caught up' : 'not caught up'}`,
    ...(notElectable === undefined ? [] : [`cannot lead: ${notElectable}`]),
    ...(clockApartMs === undefined ? [] : [`clock    ${Math.round(clockApartMs)} ms from the leader's`]),
    ...lanes.map(({ name, last }) => `lane     ${name}: ${last === undefined ? 'not reached' : `message ${last}`}`),
  ].join('\n');
}
