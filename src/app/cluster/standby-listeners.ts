/** The listeners of a member that follows: its V1 address, which names the leader, and its operator's port. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { OwnHosts } from '../../base/net/own-hosts.ts';
import type { Config } from '../../config.ts';
import { dataFolder } from '../../folder/data-folder.ts';
import { createStandbyServer, type StandbyServer, type StandbyView } from '../../gateway/standby/standby-server.ts';
import { ensureAccessToken } from '../../operator/http/access-token.ts';
import { clusterFigures } from '../../operator/http/figures/cluster-figures.ts';
import { OperatorPort } from '../../operator/http/operator-port.ts';
import { createFollowerPort } from '../../operator/http/operator-server.ts';
import type { Certificate } from '../certificate.ts';
import { limitsOf } from '../gateway.ts';
import { reportFailure } from '../log.ts';
import type { Service } from '../serving/both-servers.ts';
import { openListeners } from '../serving/open-listeners.ts';
import { type MemberOperations, standingWords } from './member-operations.ts';

export class StandbyListeners {
  readonly gateway: StandbyServer;
  readonly operator: OperatorPort;
  private readonly config: Config;

  constructor(
    config: Config,
    operations: MemberOperations,
    certificate: Certificate,
    { sharedFiles, isReady, awaitsLeader }: Pick<StandbyView, 'sharedFiles' | 'isReady' | 'awaitsLeader'>,
  ) {
    this.config = config;
    const words = (): string => standingWords(operations.standing());
    this.gateway = createStandbyServer({
      standby: {
        leader: () => operations.standing().leaderAddress,
        words,
        sharedFiles,
        isReady,
        awaitsLeader,
      },
      limits: limitsOf(config),
      marketLabel: config.market === 'synthetic' ? 'simulated' : 'replay',
      scenarios: config.scenarios,
      ...(certificate.files && { tls: certificate.files }),
    });
    certificate.showAt(this.gateway);
    const onFailure = (error: unknown): void => reportFailure(config.log, error);
    const routes = createFollowerPort({
      hosts: new OwnHosts(['localhost', ...config.hosts]),
      token: ensureAccessToken(dataFolder(config.data).operatorToken),
      readiness: () => [words()],
      figures: clusterFigures(operations),
      cluster: operations,
      onFailure,
    });
    this.operator = new OperatorPort(async () => routes, onFailure);
  }

  /** Opens both. Rejects when an address cannot be listened on. */
  async listen(): Promise<void> {
    await openListeners(this, this.config);
  }

  /** Hands the V1 address over to the server of a leader, with the requests that wait. Open connections end. */
  async handOverClients({ gateway }: Pick<Service, 'gateway'>): Promise<void> {
    await gateway.takeOver(this.gateway.server);
    this.gateway.leaveTo(gateway.server);
  }

  /** Hands the operator's port over. */
  async handOverOperator({ operator }: Pick<Service, 'operator'>): Promise<void> {
    await operator.ready();
    await takeOver(operator.server, this.operator.server);
    this.operator.server.closeIdleConnections();
  }
}

async function takeOver(server: Server, listening: Server): Promise<void> {
  server.listen(listening);
  await once(server, 'listening');
}
