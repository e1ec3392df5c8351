/**
 * The server over streamable HTTP, on loopback alone, at `/mcp`. A request must name this machine in `Host`, and a page
 * of another origin is refused: otherwise any page that the user opens could trade.
 */

import { hash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { localhostHostValidation, type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server';

const LOOPBACK = '127.0.0.1';
const PATH = '/mcp';
const MOST_BODY_BYTES = 256 * 1024;
const MOST_CONNECTIONS = 64;
const REQUEST_MS = 30_000;

export interface HttpParts {
  readonly port: number;
  /** Each request must bring it as `Authorization: Bearer`; any request is taken when absent. */
  readonly bearer: string | undefined;
  readonly makeServer: () => McpServer;
  readonly onError: (error: Error) => void;
}

export interface HttpService {
  /** The address of the server, with the port that it got. */
  readonly url: string;
  close(): Promise<void>;
}

/** Listens; rejects when it cannot. */
export async function serveHttp({ port, bearer, makeServer, onError }: HttpParts): Promise<HttpService> {
  const limits = { maxRequestBodySize: MOST_BODY_BYTES };
  const handler = createMcpHandler(makeServer, { ...limits, onerror: onError, maxSubscriptions: MOST_CONNECTIONS });
  const handle = toNodeHandler(handler, { ...limits, onerror: onError });
  const hasOwnHost = localhostHostValidation();
  const server = createServer((request, response) => {
    if (!hasOwnHost(request, response)) return;
    if (isForeign(request)) refuse(response, 403, 'a page of another origin may not call this server');
    else if (!isKnown(request, bearer)) refuse(response, 401, 'this server needs the bearer token of its user');
    else if (request.url !== PATH) refuse(response, 404, `the server is at ${PATH}`);
    else handle(request as NodeIncomingMessageLike, response).catch(onError);
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.requestTimeout = REQUEST_MS;
  server.listen({ host: LOOPBACK, port });
  await once(server, 'listening');
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  return { url: `http://${LOOPBACK}:${bound}${PATH}`, close: () => closeAll(server, () => handler.close()) };
}

/** Programs send no origin; a page of this very address may call too. */
function isForeign({ headers: { origin, host } }: IncomingMessage): boolean {
  return origin !== undefined && origin !== `http://${host}`;
}

/** Digests are compared, so the time says nothing of the token. */
function isKnown({ headers: { authorization = '' } }: IncomingMessage, bearer: string | undefined): boolean {
  if (bearer === undefined) return true;
  const [given, wanted] = [authorization, `Bearer ${bearer}`].map((text) => hash('sha256', text, 'buffer'));
  return given !== undefined && wanted !== undefined && timingSafeEqual(given, wanted);
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }));
}

async function closeAll(server: Server, closeHandler: () => Promise<void>): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  await closeHandler();
  server.closeAllConnections();
  await closed;
}
