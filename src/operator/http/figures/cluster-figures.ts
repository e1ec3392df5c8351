import type { ClusterOperations } from '../../operations/service/cluster-operations.ts';
import type { Metric } from './metrics.ts';

/** The figures of a member of a cluster, whether it leads or follows. */
export function clusterFigures(cluster: ClusterOperations): Metric[] {
  const standing = (): ReturnType<ClusterOperations['standing']> => cluster.standing();
  const gauge = (name: string, help: string, value: Metric['value']): Metric => ({
    name: `sauda_cluster_${name}`,
    help,
    value,
  });
  return [
    gauge('leader', '1 while this member leads, else 0.', () => Number(standing().role === 'Leader')),
    gauge('epoch', 'The number of the time of the newest leader.', () => standing().epoch),
    gauge('behind_records', 'Records of the leader that this member has not taken.', () => standing().behindRecords),
    gauge('behind_seconds', 'The age of the oldest of them.', () => standing().behindMs / 1_000),
    gauge('electable', '1 while this member would lead if the leader fell silent, else 0.', () => {
      return Number(standing().notElectable === undefined);
    }),
    gauge('clock_apart_seconds', "The leader's clock as seen here, less this one.", () => {
      return (standing().clockApartMs ?? 0) / 1_000;
    }),
    gauge('log_faults', 'How often the log is not as it must be, as the leader finds it.', () => {
      return standing().logFaults?.length ?? 0;
    }),
    gauge('lanes_reached', 'Lanes that answer.', async () => {
      const { lanes } = await cluster.report();
      return lanes.filter(({ last }) => last !== undefined).length;
    }),
  ];
}
