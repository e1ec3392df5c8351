/**
 * The sockets as an AsyncAPI 3 document: `/stream`, and the V2 socket with its older address. The rows of events are
 * the schemas of the operations that answer the same rows, so the two documents cannot differ.
 */

import { INTERVALS } from '../endpoints/market/time-price-series.ts';
import { failureSchema, type Json, type JsonObject, published } from '../openapi.ts';
import { CHANNELS } from '../stream/channels.ts';
import type { OwnServer } from './own-server.ts';
import { rowSchema, STREAM_EVENTS, type StreamEvent } from './stream-events.ts';
import { OLD_RECEIVED, V2_RECEIVED, V2_SENT } from './v2-messages.ts';

const TEXT = { type: 'string' };
const SEQ = { type: 'string', pattern: '^[0-9]+(-[0-9]+)?$', description: 'record, or record and index inside it' };
const RECORD = { type: 'string', pattern: '^[0-9]+$', description: 'the number of a record of the journal' };
const MOMENT = { type: 'string', format: 'date-time', description: 'market time, IST' };
const INSTRUMENT = { type: 'string', pattern: '^[A-Z]+:.+$', examples: ['NSE:ITC-EQ'] };

const USUAL: OwnServer = { host: '127.0.0.1:8080', isSecure: false };

/** The sockets as a document. Takes about a millisecond. `server`: the usual one when absent. */
export function asyncApiDocument({ host, isSecure }: OwnServer = USUAL): JsonObject {
  const rows = Object.fromEntries(STREAM_EVENTS.map((event) => [rowName(event.type), published(rowSchema(event))]));
  const sockets: readonly Socket[] = [
    { name: 'stream', address: '/stream', sent: streamSent(), received: streamReceived() },
    { name: 'v2', address: '/V2/ws', sent: V2_SENT, received: V2_RECEIVED, bindings: V2_QUERY },
    { name: 'ws', address: '/ws', sent: V2_SENT, received: OLD_RECEIVED, bindings: V2_QUERY },
  ];
  const messages = sockets.map(({ sent, received }) => messagesOf({ ...sent, ...received }));
  return {
    asyncapi: '3.0.0',
    info: { title: 'Sauda sockets', version: '1', description: DESCRIPTION },
    servers: {
      self: {
        host: '{host}',
        protocol: isSecure ? 'wss' : 'ws',
        description: 'the port of the service',
        variables: { host: { default: host } },
      },
    },
    channels: Object.fromEntries(sockets.map((socket) => [socket.name, channelOf(socket)])),
    operations: Object.assign({}, ...sockets.map(operationsOf)),
    components: { messages: Object.assign({}, ...messages), schemas: { ...rows, Failure: failureSchema() } },
  };
}

/** One address with the messages that clients send and receive there, by name. */
interface Socket {
  readonly name: string;
  readonly address: string;
  readonly sent: Readonly<Record<string, JsonObject>>;
  readonly received: Readonly<Record<string, JsonObject>>;
  readonly bindings?: JsonObject;
}

const DESCRIPTION = `Two protocols over WebSocket, in text frames of JSON.

**/stream** is Sauda's own. Log in by the first frame within 10 seconds. Events of the user are numbered and lossless:
subscribe with \`since\` and nothing is missed, or a \`gap\` says that the books must be read again. Of the market the
latest event wins. The data of an event is the row that the operation of that name answers. Close codes: 4401 not
logged in any longer, 4408 no login in time, 4409 too many sockets, 4413 a frame is too large, 4429 too many frames,
4008 too slow a reader, 1001 the service ends, 1011 the service failed.

**/V2/ws** is the socket of the V1 family's clients. The token in the query is the login. The older **/ws** has the
same frames, those of the market flat.`;

const V2_QUERY = {
  ws: {
    method: 'GET',
    query: {
      type: 'object',
      required: ['userId', 'jKey'],
      properties: { userId: TEXT, jKey: TEXT, source: TEXT },
    },
  },
};

function rowName(type: string): string {
  return `${type}Row`;
}

function channelOf({ address, sent, received, bindings }: Socket): JsonObject {
  const names = [...Object.keys(sent), ...Object.keys(received)];
  const messages = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }]));
  return { address, messages, ...(bindings && { bindings }) };
}

function messagesOf(payloads: Readonly<Record<string, JsonObject>>): JsonObject {
  return Object.fromEntries(Object.entries(payloads).map(([name, payload]) => [name, { name, payload }]));
}

/** The service receives what clients send. */
function operationsOf({ name, sent, received }: Socket): JsonObject {
  const channel = { $ref: `#/channels/${name}` };
  const references = (messages: object): Json[] =>
    Object.keys(messages).map((message) => ({ $ref: `#/channels/${name}/messages/${message}` }));
  return {
    [`${name}Receive`]: { action: 'receive', channel, messages: references(sent) },
    [`${name}Send`]: { action: 'send', channel, messages: references(received) },
  };
}

function streamSent(): Readonly<Record<string, JsonObject>> {
  const name = { enum: [...CHANNELS] };
  const channels = { anyOf: [name, { type: 'array', items: name }] };
  const login = { type: 'object', required: ['userId', 'jKey'], properties: { userId: TEXT, jKey: TEXT } };
  const terms = {
    since: { ...SEQ, description: 'channels of the user: everything after this; the present when absent' },
    instruments: { type: 'array', items: INSTRUMENT, description: 'channels of the market' },
    interval: { enum: [...INTERVALS], description: 'candles' },
    id: { type: 'string', description: 'comes back in the answer' },
  };
  return {
    login: { type: 'object', required: ['login'], properties: { login, id: TEXT } },
    subscribe: { type: 'object', required: ['subscribe'], properties: { subscribe: channels, ...terms } },
    unsubscribe: { type: 'object', required: ['unsubscribe'], properties: { unsubscribe: channels, ...terms } },
  };
}

/** There while outcomes can be asked for. Source: docs/outcomes.md. */
const SCENARIOS: JsonObject = { const: 'on' };

/** The fields beside a quote. */
const CHANGE: JsonObject = {
  change: { type: 'string', description: 'rupees since the close of the day before' },
  changePercent: { type: 'string', description: 'percent with two decimals; blank without a close' },
};

function streamReceived(): Readonly<Record<string, JsonObject>> {
  const instruments = { type: 'array', items: INSTRUMENT, description: 'by the names that their events have' };
  const answered = { channels: { type: 'array', items: TEXT }, instruments, seq: SEQ, id: TEXT };
  const failure = { $ref: '#/components/schemas/Failure' };
  return {
    loggedIn: frame('login', {
      data: {
        type: 'object',
        required: ['userId', 'seq'],
        properties: { userId: TEXT, seq: RECORD, scenarios: SCENARIOS },
      },
      id: TEXT,
    }),
    subscribed: { ...frame('subscribed', answered), required: ['type', 'channels', 'seq'] },
    unsubscribed: { ...frame('unsubscribed', answered), required: ['type', 'channels', 'seq'] },
    error: { ...frame('error', { id: TEXT, data: failure }), required: ['type', 'data'] },
    gap: frame('gap', { channels: { type: 'array', items: TEXT }, seq: SEQ }),
    ...Object.fromEntries(STREAM_EVENTS.map((event) => [event.type, eventSchema(event)])),
    status: frame('status', {
      data: { type: 'object', required: ['state'], properties: { state: { enum: ['open', 'draining'] } } },
    }),
  };
}

function eventSchema({ type, scope, summary }: StreamEvent): JsonObject {
  const data = { $ref: `#/components/schemas/${rowName(type)}` };
  const place = { user: { seq: SEQ, at: MOMENT }, state: {}, market: { instrument: INSTRUMENT, at: MOMENT }, all: {} }[
    scope
  ];
  const interval = type === 'candle' ? { interval: { enum: [...INTERVALS] } } : {};
  const change = type === 'tick' || type === 'depth' ? CHANGE : {};
  return { ...frame(type, { ...place, ...interval, ...change, data }), description: summary };
}

function frame(type: string, fields: JsonObject): JsonObject {
  const properties = { type: { const: type }, ...fields };
  const required = Object.keys(properties).filter((name) => name !== 'id');
  return { type: 'object', required, properties };
}
