/** The place of this service in its cluster: the file, and the member of it that the settings name. */
import { type ClusterFile, type ListedMember, readClusterFile } from '../../cluster/cluster-file.ts';
import type { Config } from '../../config.ts';
import { CommandFailed, EXIT_CONFIG } from '../../os/command-failed.ts';

export interface MemberPlace {
  readonly file: ClusterFile;
  readonly self: ListedMember;
  /** Its place in the file, from 0. */
  readonly rank: number;
}

/** Reads a cluster file. Throws `CommandFailed` with everything that is wrong with it. */
export function clusterFile(path: string): ClusterFile {
  if (path === '') throw new CommandFailed('which cluster? Give --cluster <file>', EXIT_CONFIG);
  const read = readClusterFile(path);
  if (read.ok) return read.value;
  throw new CommandFailed(['The cluster file is wrong:', ...read.error].join('\n  '), EXIT_CONFIG);
}

/** Reads the cluster file. Throws as `clusterFile`, and for a member that is not in it. */
export function memberPlace({ cluster, member }: Pick<Config, 'cluster' | 'member'>): MemberPlace {
  const file = clusterFile(cluster);
  const { members } = file;
  const rank = members.findIndex(({ name }) => name === member);
  const self = members[rank];
  if (self !== undefined) return { file, self, rank };
  const names = members.map(({ name }) => name).join(', ');
  const fault = member === '' ? 'which member is this? Give --member' : `${cluster} has no member ${member}`;
  throw new CommandFailed(`${fault}; there are ${names}`, EXIT_CONFIG);
}

/** The V1 address of a member; `undefined` for a name that the file does not have. */
export function addressOfMember({ members }: ClusterFile, name: string | undefined): string | undefined {
  return members.find((member) => member.name === name)?.publicUrl.replace(/\/$/, '');
}
