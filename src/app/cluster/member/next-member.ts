/** The member to which a leader that ends gives its place, and the moment for it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterFile, ListedMember } from '../../../cluster/cluster-file.ts';

/** Clients are served meanwhile, and whoever asked for the end waits. In milliseconds. */
const PATIENCE_MS = 250;
/** The pause between two looks at members that are not ready yet. */
const LOOK_MS = 50;
/** Nobody who ends a leader waits longer for a member that starts. */
const LEAVING_MS = 1_000;
/** An operator who names a member waits no longer for it. */
const NAMED_MS = 5_000;

/**
 * How a member stands that is asked at its V1 address. `Ready`: it follows, is caught up, and has made what a leader
 * needs. `NotReady`: it answers, and is not ready: its start takes the processors that a takeover needs. `Away`: it
 * does not answer.
 */
export type Standing = 'Ready' | 'NotReady' | 'Away';

/** Asks the member at a V1 address. Does not reject. */
export type Ask = (publicUrl: string) => Promise<Standing>;

/**
 * The first member after `rank` in the order of the file, and round it, that is ready to lead. When none says so, the
 * next one: it may be slow. `undefined` when there is no other member. A member that is away would never take the
 * place, and clients would wait for the silence of a leader that is lost. Waits for a while for members that start.
 */
export async function nextMember(
  { members }: Pick<ClusterFile, 'members'>,
  rank: number,
  ask: Ask = asked,
): Promise<ListedMember | undefined> {
  const others = [...members.slice(rank + 1), ...members.slice(0, rank)];
  const standings = await settled(others, LEAVING_MS, ask);
  return others.find((_, place) => standings[place] === 'Ready') ?? others[0];
}

/** True when the member of that name is ready to lead, or becomes so within five seconds. Waits for the others too. */
export async function isReadyToLead(
  { members }: Pick<ClusterFile, 'members'>,
  rank: number,
  name: string,
  ask: Ask = asked,
): Promise<boolean> {
  const others = members.filter((_, place) => place !== rank);
  const standings = await settled(others, NAMED_MS, ask);
  return standings[others.findIndex((member) => member.name === name)] === 'Ready';
}

/** The standings of members, once none of them is about to be ready, or when `mostMs` milliseconds are over. */
async function settled(members: readonly ListedMember[], mostMs: number, ask: Ask): Promise<readonly Standing[]> {
  const until = performance.now() + mostMs;
  for (;;) {
    const standings = await Promise.all(members.map(({ publicUrl }) => ask(publicUrl)));
    if (!standings.includes('NotReady') || performance.now() >= until) return standings;
    await sleep(LOOK_MS);
  }
}

async function asked(publicUrl: string): Promise<Standing> {
  try {
    const response = await fetch(new URL('/readyz?follower=ok', publicUrl), {
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    await response.body?.cancel();
    return response.ok ? 'Ready' : 'NotReady';
  } catch {
    return 'Away';
  }
}
