/** The member to which a leader that ends gives its place. */
import type { ClusterFile, Member } from '../../../cluster/cluster-file.ts';

/** Clients are served meanwhile, and whoever asked for the end waits. In milliseconds. */
const PATIENCE_MS = 250;

/** Whether the member at a V1 address follows and is caught up. Does not reject. */
export type IsReady = (publicUrl: string) => Promise<boolean>;

/**
 * The first member behind `rank` in the order of the file, and round it, that is ready to lead. When none says so, the
 * next one: it may be slow. `undefined` when there is no other member. A member that is away would never take the
 * place, and clients would wait for the silence of a leader that is lost.
 */
export async function nextMember(
  { members }: Pick<ClusterFile, 'members'>,
  rank: number,
  isReady: IsReady = asked,
): Promise<Member | undefined> {
  const others = [...members.slice(rank + 1), ...members.slice(0, rank)];
  const ready = await Promise.all(others.map(({ publicUrl }) => isReady(publicUrl)));
  return others.find((_, place) => ready[place]) ?? others[0];
}

async function asked(publicUrl: string): Promise<boolean> {
  try {
    const response = await fetch(new URL('/readyz?follower=ok', publicUrl), {
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
