/**
 * The answers of the operator's port, to the command line, probes and machines that watch. The listener is in
 * `operator-port.ts`. Users of the service never reach it; their requests go to the gateway.
 */
import type { IncomingMessage } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { OperatorTrail, TrailReading } from '../../audit/port.ts';
import { authorityOf, type OwnHosts } from '../../base/net/own-hosts.ts';
import { LeftToNextStart, Unavailable } from '../../engine/port.ts';
import type { PageFiles } from '../../page/page-files.ts';
import { schemaFault } from '../cli/operator-text.ts';
import type { AccessOperations } from '../operations/access-operations.ts';
import type { BanOperations } from '../operations/ban-operations.ts';
import type { ClockOperations } from '../operations/clock-operations.ts';
import type { CorporateActionOperations } from '../operations/corporate-action-operations.ts';
import type { KeyOperations } from '../operations/key-operations.ts';
import type { RecordingOperations } from '../operations/recording-operations.ts';
import type { RiskOperations } from '../operations/risk/risk-operations.ts';
import type { ScenarioOperations } from '../operations/scenario-operations.ts';
import type { ClusterOperations } from '../operations/service/cluster-operations.ts';
import type { JournalOperations } from '../operations/service/journal-operations.ts';
import type { StatusOperations } from '../operations/service/status-operations.ts';
import type { SpanOperations } from '../operations/span-operations.ts';
import type { SwitchOperations } from '../operations/switch-operations.ts';
import type { UserOperations } from '../operations/user-operations.ts';
import { addAccessRoutes } from './access-routes.ts';
import { carriesToken } from './access-token.ts';
import { addAuditRoutes } from './audit-routes.ts';
import { addBanRoutes } from './ban-routes.ts';
import { addClockRoutes } from './clock-routes.ts';
import { addClusterRoutes } from './cluster-routes.ts';
import { addCorporateRoutes } from './corporate-routes.ts';
import { createMetrics, type MetricFigure } from './figures/metrics.ts';
import { addJournalRoutes } from './journal-routes.ts';
import { addKeyRoutes } from './key-routes.ts';
import { KEPT_NOWHERE } from './operator-port.ts';
import { addPageRoutes } from './page-routes.ts';
import { addRecordingRoutes } from './recording-routes.ts';
import { addRiskRoutes } from './risk-routes.ts';
import { addScenarioRoutes } from './scenario-routes.ts';
import { addSpanRoutes } from './span-routes.ts';
import { addStatusRoutes } from './status-routes.ts';
import { addSwitchRoutes } from './switch-routes.ts';
import { addFundRoutes, addUserRoutes } from './user-routes.ts';

/** The operations of operators: one object for each kind of change. */
export interface OperatorOperations {
  readonly users: UserOperations;
  readonly bans: BanOperations;
  readonly clock: ClockOperations;
  readonly span: SpanOperations;
  readonly corporate: CorporateActionOperations;
  readonly switches: SwitchOperations;
  readonly scenarios: ScenarioOperations;
  readonly access: AccessOperations;
  readonly keys: KeyOperations;
  readonly risk: RiskOperations;
  readonly journal: JournalOperations;
  readonly recordings: RecordingOperations;
}

/** The parts of every operator's port, also of a member that follows a leader. */
export interface OperatorPortParts {
  /** The names under which the service may be asked; any name will do when absent. */
  readonly hosts?: OwnHosts;
  /** The token that every action needs. */
  readonly token: string;
  /** The reasons why the service is not ready, in words; empty when it is ready. */
  readonly readiness: () => readonly string[];
  readonly figures: readonly MetricFigure[];
  /** The cluster that the service is a member of; none when absent. */
  readonly cluster?: ClusterOperations;
  /** A failure that is ours and that no answer explains. */
  readonly onFailure: (error: unknown) => void;
}

export interface OperatorServerParts extends OperatorOperations, OperatorPortParts {
  /** Where acts are noted; nowhere, when absent. */
  readonly trail?: OperatorTrail;
  /** Where noted acts are read back; nowhere, when absent. */
  readonly trailReading?: TrailReading;
  readonly status: StatusOperations;
  /** The built page; none when absent. */
  readonly page?: Promise<PageFiles | undefined>;
}

const FOREIGN_HOST = 'a request has one Host header with a name of this service; the setting hosts gives it more names';
const FOREIGN_PAGE = 'a page of another site may not call this port';
const FOLLOWS = 'this member follows a leader and takes no commands: see sauda cluster status';
const BODY_LIMIT = 16 * 1024;
/** Requests whose answers have not left. */
const MOST_OPEN = 64;
/** The figures are computed again for who asks later than this. */
const METRICS_KEPT_MS = 1_000;
const PROBES: ReadonlySet<string> = new Set(['/livez', '/readyz']);
/**
 * The operator's side over HTTP: `/livez`, `/readyz` and `/metrics` for machines, and actions on users that need the
 * bearer token. It listens on loopback only. Refusals are `{"error": "..."}` with 400, 401, 404 or 409.
 */
export function createOperatorServer(parts: OperatorServerParts): FastifyInstance {
  return operatorPort(parts, (server, actions) => {
    if (parts.page !== undefined) addPageRoutes(server, parts.page);
    if (parts.trail !== undefined) noteActs(actions, parts.trail, parts.token);
    addUserRoutes(actions, parts.users);
    addFundRoutes(actions, parts.users);
    addBanRoutes(actions, parts.bans);
    addClockRoutes(actions, parts.clock);
    addSpanRoutes(actions, parts.span);
    addCorporateRoutes(actions, parts.corporate);
    addSwitchRoutes(actions, parts.switches);
    addScenarioRoutes(actions, parts.scenarios);
    addAccessRoutes(actions, parts.access);
    addKeyRoutes(actions, parts.keys);
    addRiskRoutes(actions, parts.risk);
    addJournalRoutes(actions, parts.journal);
    addRecordingRoutes(actions, parts.recordings);
    addStatusRoutes(actions, parts.status);
    if (parts.trailReading !== undefined) addAuditRoutes(actions, parts.trailReading);
  });
}

/**
 * The operator's port of a member that follows a leader: the probes, the figures and the standing in the cluster. Every
 * other action is refused with 503.
 */
export function createFollowerPort(parts: OperatorPortParts): FastifyInstance {
  return operatorPort(parts, (_server, actions) => {
    actions.all('/*', (_request, reply) => reply.code(503).send({ error: FOLLOWS }));
  });
}

/** A port with the probes, and the routes that `add` puts on it and behind the token. */
function operatorPort(
  parts: OperatorPortParts,
  add: (server: FastifyInstance, actions: FastifyInstance) => void,
): FastifyInstance {
  const server = Fastify({
    bodyLimit: BODY_LIMIT,
    schemaErrorFormatter: schemaFault,
    // Refuses paths with an invalid encoding, or longer than names are.
    frameworkErrors: (_error, _request, reply) => nothingHere((reply as FastifyReply).headers(KEPT_NOWHERE)),
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false } },
  });
  server.setErrorHandler((error, _request, reply) => answerError(parts, error, reply));
  server.setNotFoundHandler((_request, reply) => nothingHere(reply));
  server.addHook('onRequest', async ({ raw }, reply) => {
    reply.headers(KEPT_NOWHERE);
    if (!namesUs(parts.hosts, raw)) await reply.code(400).send({ error: FOREIGN_HOST });
    else if (isOfForeignPage(parts.hosts, raw)) await reply.code(403).send({ error: FOREIGN_PAGE });
  });
  boundOpen(server);
  addProbes(server, parts);
  void server.register(async (actions) => {
    actions.addHook('onRequest', async (request, reply) => {
      if (!carriesToken(request.headers.authorization, parts.token)) {
        await reply.code(401).send({ error: 'this needs the operator token of the data folder' });
      }
    });
    if (parts.cluster !== undefined) addClusterRoutes(actions, parts.cluster);
    add(server, actions);
  });
  return server;
}

/**
 * Refuses requests while too many answers are made, or wait to be read; what machines ask about life and readiness
 * apart.
 */
function boundOpen(server: FastifyInstance): void {
  let open = 0;
  server.addHook('onRequest', async (request, reply) => {
    if (PROBES.has(request.url)) return;
    if (open >= MOST_OPEN) {
      await reply.code(503).header('retry-after', '1').send({ error: 'too many requests at the same time' });
      return;
    }
    open += 1;
    reply.raw.once('close', () => {
      open -= 1;
    });
  });
}

/**
 * True when a request names the service, once, in its header and in its target; one of HTTP/1.0 may leave the header
 * out.
 */
function namesUs(hosts: OwnHosts | undefined, { rawHeaders, httpVersion, url = '', socket }: IncomingMessage): boolean {
  const said = rawHeaders.filter((_text, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === 'host');
  if (said.length > 1 || (said.length === 0 && httpVersion !== '1.0')) return false;
  if (hosts === undefined) return true;
  return [...said, authorityOf(url) ?? ''].every((authority) => hosts.admit(authority, socket.localAddress));
}

/**
 * True for a request that a browser sends for a page of another site; a link may lead to the operator's page. Programs
 * send none of these headers.
 */
function isOfForeignPage(hosts: OwnHosts | undefined, { headers, url, socket }: IncomingMessage): boolean {
  const { origin, host } = headers;
  if (headers['sec-fetch-site'] === 'cross-site' && !(url === '/' && headers['sec-fetch-dest'] === 'document')) {
    return true;
  }
  if (origin === undefined || origin === `http://${host}`) return false;
  return hosts === undefined || !hosts.admitPage(origin, socket.localAddress);
}

/**
 * Every request that may change something, also a refused one; reading is not an act. The words of one without the
 * token are not an operator's, whichever check refused the request first.
 */
function noteActs(server: FastifyInstance, trail: OperatorTrail, token: string): void {
  server.addHook('onResponse', async (request, reply) => {
    const isOperator = carriesToken(request.headers.authorization, token);
    if (request.method === 'GET' && isOperator) return;
    const { params, query, body } = request as {
      readonly params: object;
      readonly query: object;
      readonly body: unknown;
    };
    const sent = typeof body === 'object' && body !== null ? body : {};
    const route = request.routeOptions.url ?? 'unknown';
    const fields = isOperator ? { ...params, ...query, ...sent } : undefined;
    trail.act(`${request.method} ${route}`, request.ip, reply.statusCode, fields);
  });
}

function addProbes(server: FastifyInstance, parts: OperatorPortParts): void {
  const metrics = createMetrics(parts.figures);
  const text = keptText(metrics);
  server.get('/livez', () => ({ status: 'alive' }));
  server.get('/readyz', (_request, reply) => {
    const missing = parts.readiness();
    return missing.length === 0 ? { status: 'ready' } : reply.code(503).send({ status: 'not ready', missing });
  });
  server.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await text()));
}

/** The text of the figures, computed once for all who ask within a second: that takes a millisecond of everybody's. */
function keptText(metrics: { metrics(): Promise<string> }): () => Promise<string> {
  let kept: { readonly text: Promise<string>; readonly since: number } | undefined;
  return () => {
    const now = performance.now();
    if (kept === undefined || now - kept.since >= METRICS_KEPT_MS) kept = { text: metrics.metrics(), since: now };
    return kept.text;
  };
}

function nothingHere(reply: FastifyReply): FastifyReply {
  return reply.code(404).send({ error: 'there is nothing at this path' });
}

function answerError(parts: OperatorPortParts, error: unknown, reply: FastifyReply): FastifyReply {
  if (error instanceof LeftToNextStart) return reply.code(503).send({ error: error.message });
  if (error instanceof Unavailable) return reply.code(503).send({ error: 'the service takes no commands now' });
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status >= 400 && status < 500) return reply.code(status).send({ error: (error as Error).message });
  parts.onFailure(error);
  return reply.code(500).send({ error: 'the service failed' });
}
