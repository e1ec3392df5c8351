/**
 * The texts of clients of the stream, parsed once into typed requests, or into the failure that says what is wrong with
 * them. Fields that nobody knows are ignored, as in the rest of the interface.
 */

import { EXCHANGES, type Exchange } from '../../base/ids.ts';
import { isJsonObject, jsonOf } from '../../base/json.ts';
import { INTERVALS, type Interval } from '../endpoints/market/time-price-series.ts';
import { badRequest, type Failure, MALFORMED_BODY, missingField } from '../fields/envelope.ts';
import { CHANNELS, type Channel, isMarketChannel, isUserChannel } from './channels.ts';
import { type Place, placeOf } from './place.ts';

/** The most characters of an `id`, which is sent back as it came. */
const MOST_ID = 128;
/** As the trading symbols of the rest of the interface. */
const MOST_NAME = 100;

/** An instrument as a client names it: `NSE:ITC-EQ`. */
export interface NamedText {
  readonly exchange: Exchange;
  readonly tradingSymbol: string;
}

export interface ChannelRequest {
  readonly type: 'subscribe' | 'unsubscribe';
  /** Each once. */
  readonly channels: readonly Channel[];
  readonly since: Place | undefined;
  /** `undefined` when none were named. */
  readonly instruments: readonly NamedText[] | undefined;
  readonly interval: Interval | undefined;
}

export type StreamRequest =
  | { readonly type: 'login'; readonly login: Readonly<Record<string, unknown>> }
  | ChannelRequest;

/** A request, or why there is none, with the `id` of either. */
export interface ParsedText {
  readonly id: string | undefined;
  readonly request: StreamRequest | Failure;
}

const NOT_ONE = badRequest('request', 'a frame has one of login, subscribe and unsubscribe');

type Fields = Readonly<Record<string, unknown>>;

export function parseText(text: string): ParsedText {
  const fields = jsonOf(text);
  if (!isJsonObject(fields)) {
    return { id: undefined, request: { ...MALFORMED_BODY, message: 'a frame must be a JSON object' } };
  }
  const { id } = fields;
  if (id === undefined) return { id, request: requestOf(fields) };
  if (typeof id === 'string' && id.length <= MOST_ID) return { id, request: requestOf(fields) };
  return { id: undefined, request: badRequest('id', `id must be text of at most ${MOST_ID} characters`) };
}

function requestOf(fields: Fields): StreamRequest | Failure {
  const named = (['login', 'subscribe', 'unsubscribe'] as const).filter((name) => fields[name] !== undefined);
  const [type] = named;
  if (type === undefined || named.length > 1) return NOT_ONE;
  if (type !== 'login') return channelRequest(type, fields);
  const { login } = fields;
  return isJsonObject(login) ? { type, login } : badRequest('login', 'login must be an object with userId and jKey');
}

function channelRequest(type: ChannelRequest['type'], fields: Fields): ChannelRequest | Failure {
  const channels = channelsOf(type, fields[type]);
  if ('status' in channels) return channels;
  const since = fields.since === undefined || type === 'unsubscribe' ? undefined : sinceOf(fields.since);
  if (since !== undefined && 'status' in since) return since;
  const instruments = fields.instruments === undefined ? undefined : instrumentsOf(fields.instruments);
  if (instruments !== undefined && 'status' in instruments) return instruments;
  const interval = INTERVALS.find((known) => known === fields.interval);
  if (fields.interval !== undefined && interval === undefined) return badRequest('interval', 'Invalid interval');
  const request = { type, channels, since, instruments, interval };
  return misplaced(request) ?? request;
}

/** The failure of fields that the channels do not take, or lack. */
function misplaced({ type, channels, since, instruments, interval }: ChannelRequest): Failure | undefined {
  const ofMarket = channels.some(isMarketChannel);
  const isOfCandles = channels.includes('candles');
  if (since !== undefined && !channels.some(isUserChannel)) {
    return badRequest('since', 'since is only for channels of the user');
  }
  if (instruments !== undefined && !ofMarket) {
    return badRequest('instruments', 'instruments are only for channels of the market');
  }
  if (interval !== undefined && !isOfCandles) return badRequest('interval', 'interval is only for candles');
  if (type === 'unsubscribe') return undefined;
  if (ofMarket && instruments === undefined) return missingField('instruments');
  return isOfCandles && interval === undefined ? missingField('interval') : undefined;
}

function channelsOf(field: string, value: unknown): readonly Channel[] | Failure {
  const names: readonly unknown[] = Array.isArray(value) ? value : [value];
  const known = new Set<Channel>();
  for (const name of names) {
    const channel = CHANNELS.find((one) => one === name);
    if (channel === undefined) return badRequest(field, `${field} must name channels: ${CHANNELS.join(', ')}`);
    known.add(channel);
  }
  return known.size === 0 ? missingField(field) : [...known];
}

function sinceOf(value: unknown): Place | Failure {
  const place = typeof value === 'string' ? placeOf(value) : undefined;
  return place ?? badRequest('since', 'since must be the seq of an event or of an answer, as text');
}

function instrumentsOf(value: unknown): readonly NamedText[] | Failure {
  if (!Array.isArray(value) || value.length === 0) {
    return badRequest('instruments', 'instruments must be a list of names such as NSE:ITC-EQ');
  }
  const named: NamedText[] = [];
  for (const name of value as readonly unknown[]) {
    const one = typeof name === 'string' && name.length <= MOST_NAME ? namedText(name) : undefined;
    if (one === undefined) return badRequest('instruments', 'an instrument is named as NSE:ITC-EQ');
    named.push(one);
  }
  return named;
}

function namedText(name: string): NamedText | undefined {
  const at = name.indexOf(':');
  const exchange = EXCHANGES.find((known) => known === name.slice(0, at));
  return exchange === undefined ? undefined : { exchange, tradingSymbol: name.slice(at + 1) };
}
