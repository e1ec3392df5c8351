/** The place of this service in its cluster: the file, and the member of it that the settings name. */
import { type ClusterFile, type Member, readClusterFile } from '../../cluster/cluster-file.ts';
import type { Config } from '../../config.ts';
import { CommandFailed, EXIT_CONFIG } from '../../os/command-failed.ts';

export interface MemberPlace {
  readonly file: ClusterFile;
  readonly self: Member;
  /** Its place in the file, from 0. */
  readonly rank: number;
}

/** Reads the cluster file. Throws `CommandFailed` with everything that is wrong with it, or for an unknown member. */
export function memberPlace({ cluster, member }: Pick<Config, 'cluster' | 'member'>): MemberPlace {
  const read = readClusterFile(cluster);
  if (!read.ok) throw new CommandFailed(['The cluster file is wrong:', ...read.error].join('\n  '), EXIT_CONFIG);
  const { members } = read.value;
  const rank = members.findIndex(({ name }) => name === member);
  const self = members[rank];
  if (self !== undefined) return { file: read.value, self, rank };
  const names = members.map(({ name }) => name).join(', ');
  throw new CommandFailed(`${cluster} has no member ${member}; it has ${names}`, EXIT_CONFIG);
}

/** The V1 address of a member; `undefined` for a name that the file does not have. */
export function addressOfMember({ members }: ClusterFile, name: string | undefined): string | undefined {
  return members.find((member) => member.name === name)?.publicUrl.replace(/\/$/, '');
}
