import { initLanes } from '../../../src/cluster/init-lanes.ts';
import type { AppendOutcome, Lane } from '../../../src/cluster/lanes/lane.ts';
import { type OpenLanes, openLanes } from '../../../src/cluster/lanes/open-lanes.ts';
import type { LaneKind } from './lane-contract.ts';
import type { Doors, NatsCluster } from './nats-cluster.ts';

/** The streams of the lane that a test names: each test has a lane, and a second one beside it. */
export function streamsOf(place: string): { readonly a: string; readonly b: string } {
  return { a: `${place}-a`, b: `${place}-b` };
}

/** Makes the lanes of a test on a log. Throws with the faults of the log. */
export async function makeLanes(cluster: NatsCluster, place: string): Promise<void> {
  const log = cluster.log(streamsOf(place));
  const made = await initLanes({ path: place, name: `of-${place}`, members: [], log, silenceMs: 600 });
  if (!made.ok) throw new Error(made.error.join('\n'));
}

/** Lanes of one process, with ways to the log of its own that a test cuts. */
export interface CutLanes extends OpenLanes {
  readonly doors: Doors;
}

export async function lanesOf(cluster: NatsCluster, place: string): Promise<CutLanes> {
  const doors = await cluster.doorsOf(streamsOf(place));
  return { ...(await openLanes({ log: doors.log })), doors };
}

/** The lanes of a NATS cluster as a kind of lane, for its contract. */
export function natsLaneKind(cluster: () => NatsCluster, races: number): LaneKind {
  const made = new Map<string, Promise<void>>();
  const opened = new Map<Lane, CutLanes>();
  const doorsOf = (lane: Lane): Doors => (opened.get(lane) as CutLanes).doors;
  const cutWhile = async <T>(lane: Lane, ways: Parameters<Doors['cut']>, work: () => Promise<T>): Promise<T> => {
    doorsOf(lane).cut(...ways);
    try {
      return await work();
    } finally {
      doorsOf(lane).heal();
    }
  };
  return {
    name: 'in a stream of NATS',
    lasts: true,
    races,
    async open(place) {
      const making = made.get(place) ?? makeLanes(cluster(), place);
      made.set(place, making);
      await making;
      const lanes = await lanesOf(cluster(), place);
      const lane = alone(lanes);
      opened.set(lane, lanes);
      return lane;
    },
    cutOff: (lane, work) => cutWhile(lane, [], work),
    loseAnswer: (lane, append): Promise<AppendOutcome> => cutWhile(lane, [undefined, ['back']], append),
  };
}

/** The first of the lanes, which takes the other one and the connections with it when it is closed. */
function alone({ a, close }: CutLanes): Lane {
  return {
    name: a.name,
    append: (expectedLast, bytes) => a.append(expectedLast, bytes),
    read: (after) => a.read(after),
    last: () => a.last(),
    close,
  };
}
