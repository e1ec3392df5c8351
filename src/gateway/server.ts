import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { GatewayDeps } from './deps.ts';
import { addDocuments } from './documents.ts';
import { Door } from './door.ts';
import {
  BODY_TOO_LARGE,
  type Failure,
  INTERNAL_ERROR,
  MALFORMED_BODY,
  MALFORMED_REQUEST,
  methodNotAllowed,
  NOT_FOUND,
  NOT_JSON_TYPE,
  UNAVAILABLE,
} from './envelope.ts';
import type { Answer, Operation } from './operation.ts';
import { BASE, OPERATIONS } from './operations.ts';
import { PositionTexts } from './position-texts.ts';
import { QuoteTexts } from './quote-texts.ts';
import { Responder } from './respond.ts';

/** Source: contract W1, W14. */
const BODY_LIMIT = 65_536;
/** A client that sends a request more slowly than this is cut off, so that it holds no connection for ever. */
const REQUEST_TIMEOUT_MS = 30_000;
/** What a log entry must never show. Source: reliability I47. */
const SECRETS = ['password', 'jKey', 'TOTP', 'apiKey', 'susertoken'];

/**
 * The V1 wire as an HTTP server that does not listen yet. Every response says which market it speaks of, and has a JSON body
 * (symbol files apart). Source: interface, contract W1, W29, R10 to R12.
 */
export function createGateway(deps: GatewayDeps): FastifyInstance {
  const respond = new Responder(deps.marketLabel);
  const fail = (error: unknown, reply: FastifyReply) => respond.failure(reply, failureOf(error, deps, reply));
  const app = fastify({
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    logger: loggerOptions(deps.log ?? 'warn'),
    childLoggerFactory: (logger) => logger,
    frameworkErrors: (error, _request, reply) => fail(error, reply as FastifyReply),
    clientErrorHandler: (_error, socket) => respond.malformed(socket),
    http: { requireHostHeader: false },
  });
  answerWhatNodeWould(app, respond);
  app.addHook('preClose', async () => respond.closeConnections());
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, parseBody);
  const allowed = new Map<string, string>();
  const lost = (request: FastifyRequest, reply: FastifyReply) =>
    respond.failure(reply, unknownRoute(request.url, allowed));
  app.setErrorHandler((error, request, reply) => (request.is404 ? lost(request, reply) : fail(error, reply)));
  addOperations(app, deps, respond, fail, allowed);
  addDocuments(app, deps, respond, allowed);
  app.setNotFoundHandler(lost);
  return app;
}

/** Node answers some requests by itself, without a body: expectations that it does not know, and requests for a tunnel. */
function answerWhatNodeWould({ server }: FastifyInstance, respond: Responder): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (_request, socket) => respond.malformed(socket));
}

/** Requests are not logged, so no request needs a logger of its own. */
function loggerOptions(level: string) {
  const paths = SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
  return { level, redact: { paths, censor: '[secret]' } };
}

type Fail = (error: unknown, reply: FastifyReply) => void;

function addOperations(
  app: FastifyInstance,
  deps: GatewayDeps,
  respond: Responder,
  fail: Fail,
  allowed: Map<string, string>,
): void {
  const door = new Door({
    ...deps,
    quoteTexts: new QuoteTexts(deps.market),
    positionTexts: new PositionTexts(),
  });
  for (const operation of OPERATIONS) {
    const path = `${BASE}${operation.path}`;
    allowed.set(path, 'POST');
    app.post(path, (request, reply) => {
      const answer = enter(door, operation, request);
      if (typeof answer === 'string') respond.json(reply, 200, answer);
      else if (answer instanceof Promise) sendLater(answer, reply, respond, fail);
      else respond.failure(reply, answer);
    });
  }
}

function enter(door: Door, operation: Operation, request: FastifyRequest): Answer | Promise<Answer> {
  const { body } = request;
  if (isRecord(body)) return door.enter(operation, body, request);
  return request.headers['content-type'] === undefined ? NOT_JSON_TYPE : MALFORMED_BODY;
}

function sendLater(answer: Promise<Answer>, reply: FastifyReply, respond: Responder, fail: Fail): void {
  answer.then(
    (settled) => {
      if (typeof settled === 'string') respond.json(reply, 200, settled);
      else respond.failure(reply, settled);
    },
    (error: unknown) => fail(error, reply),
  );
}

/** Text that is no JSON becomes no body, so that its failure is worded with that of other bodies that are no object. */
function parseBody(_request: FastifyRequest, body: string, done: (error: null, value: unknown) => void): void {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  done(null, value);
}

function isRecord(body: unknown): body is Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

/** What a client is told of an error. What is our own fault is logged and handed to the process's failure hook. */
function failureOf(error: unknown, deps: GatewayDeps, reply: FastifyReply): Failure {
  const { name, code, statusCode } = error as { name?: string; code?: string; statusCode?: number };
  if (name === 'Unavailable') return UNAVAILABLE;
  if (code === 'FST_ERR_BAD_URL') return NOT_FOUND;
  if (statusCode === 413) return BODY_TOO_LARGE;
  if (statusCode === 415) return NOT_JSON_TYPE;
  if (code?.startsWith('FST_ERR_CTP') && statusCode === 400) return MALFORMED_BODY;
  if (statusCode === 400) return MALFORMED_REQUEST;
  reply.log.error({ err: error }, 'a request failed');
  deps.onFailure(error);
  return INTERNAL_ERROR;
}

function unknownRoute(url: string, allowed: ReadonlyMap<string, string>): Failure {
  const end = url.indexOf('?');
  const allow = allowed.get(decodeURI(end < 0 ? url : url.slice(0, end)));
  return allow === undefined ? NOT_FOUND : methodNotAllowed(allow);
}
