/**
 * The V1 address of a member that follows a leader. It carries nothing out: every request is answered 503 in the
 * envelope with the leader's address in a header, a page goes over to the leader, and a WebSocket is closed with the
 * leader's address as the reason. While no leader is known, connections wait at its door (`standby-door.ts`). When the
 * member leads, the gateway takes its listener over (`http/server.ts`).
 */

import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { Server as TlsServer } from 'node:tls';
import { WebSocketServer } from 'ws';
import { assert } from '../../base/assert.ts';
import { createServer } from '../../os/node-http.ts';
import { successWithoutData, UNAVAILABLE } from '../fields/envelope.ts';
import { AnswerMemory } from '../http/answer-memory.ts';
import { readBody } from '../http/body.ts';
import { HTTP_LIMITS, type HttpLimits } from '../http/connections/http-limits.ts';
import type { TlsFiles } from '../http/connections/tls-files.ts';
import { pathOf } from '../http/path.ts';
import { failureReply, JSON_TYPE, jsonReply, LEADER_HEADER, marksOf, type Reply, Responder } from '../http/respond.ts';
import { BASE } from '../operations.ts';
import { CLOSE } from '../sockets/open-socket.ts';
import { Turns } from '../turns.ts';
import { SHARED_FILES_PATH, type SharedFilesAnswer, sharedFilesReply } from './shared-files.ts';
import { StandbyDoor } from './standby-door.ts';

const OLDEST_TLS = 'TLSv1.2';
/** A WebSocket that opens here sends its login at most. */
const SOCKET_TEXT_BYTES = 65_536;

/** The standby as the listeners see it. */
export interface StandbyView {
  /** The V1 address of the leader, such as `https://a.sauda.example:8080`; `undefined` while none is known. */
  leader(): string | undefined;
  /** How the member stands, in words: `follows b, 3 records behind`. */
  words(): string;
  /** The digests of the files that all members have alike, and the imported files for other members. */
  readonly sharedFiles: SharedFilesAnswer;
  /** True while the member is caught up, and has made what a leader needs. */
  isReady(): boolean;
  /** True while a leader is about to be known: requests wait for it then, for a bounded time. */
  awaitsLeader(): boolean;
}

export interface StandbyParts {
  readonly standby: StandbyView;
  readonly tls?: TlsFiles;
  readonly limits?: Partial<HttpLimits>;
  readonly marketLabel: string;
  readonly scenarios: 'on' | 'off';
}

/** The listener of a follower. */
export interface StandbyServer {
  readonly server: Server;
  /** Listens on an address; rejects when it cannot. */
  listen(address: { readonly host: string; readonly port: number }): Promise<void>;
  /** Shows new connections another certificate. Only for a server that began with one. */
  useCertificate(tls: TlsFiles): void;
  /**
   * A leader's server has taken the listening over: it gets the connections that wait, and those that are open end,
   * whose clients come back to it.
   */
  leaveTo(leader: Server): void;
  /** Takes no new connection and resolves when the requests that run are answered. */
  close(): Promise<void>;
}

/** The V1 address of a follower, not listening yet. Every answer is the last of its connection. */
export function createStandbyServer({
  standby,
  tls,
  limits: given,
  marketLabel,
  scenarios,
}: StandbyParts): StandbyServer {
  const limits = { ...HTTP_LIMITS, ...given };
  const turns = new Turns();
  const respond = new Responder(marksOf(marketLabel, scenarios), limits.keepAliveMs, turns, new AnswerMemory());
  const options = {
    headersTimeout: Math.min(limits.headMs, limits.requestMs),
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    maxHeaderSize: limits.headBytes,
    requireHostHeader: false,
  };
  const server: Server = tls ? createTlsServer({ ...options, ...tls, minVersion: OLDEST_TLS }) : createServer(options);
  server.maxHeadersCount = limits.headers + 1;
  server.maxConnections = limits.connections;
  server.on('request', (request, response) => answer(standby, respond, request, response));
  const sockets = socketsOf(server, standby);
  const door = new StandbyDoor(server, () => standby.awaitsLeader());
  return {
    server,
    listen: async ({ host, port }) => {
      server.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port });
      await once(server, 'listening');
    },
    useCertificate: (renewed) => {
      assert(server instanceof TlsServer, 'a follower without TLS has no certificate');
      server.setSecureContext({ ...renewed, minVersion: OLDEST_TLS });
    },
    leaveTo: (leader) => {
      door.passTo(leader);
      for (const socket of sockets.clients) socket.terminate();
      server.closeIdleConnections();
    },
    close: async () => {
      for (const socket of sockets.clients) socket.terminate();
      door.open();
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}

/** Answers when the body has come, so that no byte of it is left unread and cuts the answer off. */
function answer(standby: StandbyView, respond: Responder, request: IncomingMessage, response: ServerResponse): void {
  readBody(request, () => {
    respond.send(response, replyTo(standby, request), true, request.socket.remoteAddress ?? '');
  });
}

function replyTo(standby: StandbyView, { method = '', url = '' }: IncomingMessage): Reply {
  const path = pathOf(url) ?? url;
  if (path === '/livez') return jsonReply(successWithoutData('alive'));
  if (path === SHARED_FILES_PATH) return sharedFilesReply(standby.sharedFiles(url));
  const isAsked = new URLSearchParams(url.split('?')[1]).get('follower') === 'ok';
  if (path === '/readyz' && isAsked && standby.isReady()) return jsonReply(successWithoutData(standby.words()));
  const leader = standby.leader();
  const isPage = (method === 'GET' || method === 'HEAD') && path !== '/readyz' && !path.startsWith(BASE);
  if (isPage && leader !== undefined) {
    const headers = ['location', `${leader}${url.startsWith('/') ? url : '/'}`, LEADER_HEADER, leader];
    return { status: 307, type: JSON_TYPE, body: '{}', headers };
  }
  return standbyReply(standby, leader, path === '/readyz' ? 'readiness' : 'server');
}

function standbyReply(standby: StandbyView, leader: string | undefined, field: string): Reply {
  const message = `this member ${standby.words()}; nothing was done`;
  const reply = failureReply({ ...UNAVAILABLE, field, message });
  return { ...reply, headers: [...reply.headers, ...(leader === undefined ? [] : [LEADER_HEADER, leader])] };
}

/** Closes each WebSocket as soon as it is open: a browser sees no header of a refused handshake, but this reason. */
function socketsOf(server: Server, standby: StandbyView): WebSocketServer {
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: SOCKET_TEXT_BYTES });
  server.on('upgrade', (request, stream, head) => {
    stream.on('error', () => stream.destroy());
    sockets.handleUpgrade(request, stream, head, (socket) => {
      socket.on('error', () => socket.terminate());
      socket.close(CLOSE.tryLater, socketReason(standby.leader()));
    });
  });
  return sockets;
}

/** At most 123 bytes are a reason: a longer address is left out. */
function socketReason(leader: string | undefined): string {
  const reason = leader === undefined ? 'follower' : `leader ${leader}`;
  return Buffer.byteLength(reason) > 123 ? 'follower' : reason;
}
