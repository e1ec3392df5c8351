import { after, before, describe } from 'node:test';
import { laneContract } from '../../kit/cluster/lane-contract.ts';
import { NatsCluster } from '../../kit/cluster/nats-cluster.ts';
import { natsLaneKind } from '../../kit/cluster/nats-lane-kind.ts';

const RACES = 100;

describe('a lane on three servers', () => {
  let cluster: NatsCluster;
  before(async () => {
    cluster = await NatsCluster.start();
  });
  after(() => cluster.close());

  laneContract(natsLaneKind(() => cluster, RACES));
});
