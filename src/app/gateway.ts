/**
 * Makes the server of the V1 interface of the parts of a start: its accounts, its names, its limits, its page.
 */
import { hostname } from 'node:os';
import { OwnHosts } from '../base/net/own-hosts.ts';
import { SECOND_MS } from '../base/time.ts';
import { type Config, offersDemoLogin, ownNames } from '../config.ts';
import { CredentialLogins } from '../gateway/credentials/credential-logins.ts';
import { DemoSessions } from '../gateway/credentials/demo-sessions.ts';
import { engineAccounts } from '../gateway/credentials/engine-accounts.ts';
import type { HttpLimits } from '../gateway/http/connections/http-limits.ts';
import { connectionsWithin } from '../gateway/http/connections/open-files.ts';
import type { TlsFiles } from '../gateway/http/connections/tls-files.ts';
import { createGateway, type Gateway } from '../gateway/http/server.ts';
import { readIfPresent } from '../os/durable-file.ts';
import { wallClock } from '../os/wall-clock.ts';
import type { PageFiles } from '../page/page-files.ts';
import { note, reportFailure } from './log.ts';
import type { RunningParts } from './running-parts.ts';
import { replayOrder } from './why/order-replays.ts';

interface GatewayNeeds {
  readonly tls: TlsFiles | undefined;
  readonly page: Promise<PageFiles | undefined>;
  /** The reasons for which the service is not ready. */
  readonly readiness: () => readonly string[];
}

/** The server of the V1 interface, not listening yet. */
export async function gatewayOf(
  { config, keys, world, running, asked, trail, sharedFiles, successor, stranger }: RunningParts,
  { tls, page, readiness }: GatewayNeeds,
): Promise<Gateway> {
  const accounts = engineAccounts(asked);
  return createGateway({
    engine: asked,
    feed: running.engine.feed,
    ...world.forClients,
    trail,
    logins: await CredentialLogins.create({ keys, accounts, now: wallClock, ...(stranger && { stranger }) }),
    ...(offersDemoLogin(config) && { demoLogins: new DemoSessions(asked, wallClock) }),
    replayOrder: (order) => replayOrder(config.data, order),
    wall: wallClock,
    rateLimit: config.rateLimit,
    slicing: config.slicing,
    avgModel: config.avgModel,
    scenarios: config.scenarios,
    proxies: config.proxies,
    hosts: new OwnHosts(ownNames(config, hostname())),
    limits: limitsOf(config),
    ...(tls && { tls }),
    page,
    ...(sharedFiles && { sharedFiles }),
    ...(successor && { successor }),
    readiness,
    onFailure: (error) => reportFailure(config.log, error),
  });
}

/** The limits of connections and requests that the settings give. */
export function limitsOf(config: Config): Partial<HttpLimits> {
  return {
    headMs: config.headSeconds * SECOND_MS,
    requestMs: config.requestSeconds * SECOND_MS,
    keepAliveMs: config.keepAliveSeconds * SECOND_MS,
    connections: connectionsOf(config),
    connectionsPerAddress: config.connectionsPerAddress,
    requestsPerConnection: config.connectionRequests,
  };
}

/** As many as the settings say, or as the system lets be open. */
function connectionsOf({ connections, log }: Config): number {
  const within = connectionsWithin(connections, readIfPresent('/proc/self/limits'));
  if (within < connections) note(log, 'warn', `at most ${within} connections: the limit of open files allows no more`);
  return within;
}
