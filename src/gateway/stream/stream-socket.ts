/**
 * One socket of the stream: its login, its subscriptions and its end. The events themselves come from `user-stream.ts`,
 * `market-stream.ts` and `clock-and-status.ts`.
 */

import type { AccountId } from '../../base/ids.ts';
import { SECOND_MS } from '../../base/time.ts';
import type { Instrument } from '../../core/instrument.ts';
import type { Session } from '../../core/state.ts';
import { badRequest, type Failure, failureBody, NO_ROOM, USER_ID_MISSING } from '../fields/envelope.ts';
import { findInstrument } from '../fields/symbols.ts';
import { jsonText } from '../fields/writer.ts';
import type { RuledSocket } from '../scenarios/socket-rules.ts';
import type { TextWork } from '../sockets/inbound.ts';
import { CLOSE, type OpenSocket } from '../sockets/open-socket.ts';
import { type Channel, isMarketChannel, isUserChannel } from './channels.ts';
import { feedName, instrumentName, type MakeFrames } from './market-frames.ts';
import { MarketStream } from './market-stream.ts';
import { placeText } from './place.ts';
import { QUEUE_FEED, queueFrames } from './queue-frames.ts';
import type { StreamParts } from './stream-parts.ts';
import { type ChannelRequest, type NamedText, parseText } from './stream-request.ts';
import { StreamRows } from './stream-rows.ts';
import type { UserShare } from './user-shares.ts';
import { type Begun, gapText, UserStream } from './user-stream.ts';

/** A socket without a login is closed after this time. */
const LOGIN_MS = 10 * SECOND_MS;

/** All that a socket has once its user has logged in. */
interface LoggedIn {
  readonly account: AccountId;
  readonly user: UserStream;
  readonly market: MarketStream;
  readonly queue: MakeFrames;
  readonly share: UserShare;
  readonly stopWatching: () => void;
  /** The socket as rules of operators see it. */
  readonly ruled: RuledSocket;
  readonly leaveRules: (() => void) | undefined;
}

/** An instrument that a request follows in a feed. */
interface Wish {
  readonly feed: string;
  readonly instrument: Instrument;
}

/** Work in pieces of some microseconds, and its result. */
type InPieces<T> = Generator<undefined, T>;

export class StreamSocket {
  private readonly parts: StreamParts;
  private readonly socket: OpenSocket;
  private readonly stopLoginClock: () => void;
  private session: LoggedIn | undefined;
  private isClosing = false;

  constructor(parts: StreamParts, socket: OpenSocket) {
    this.parts = parts;
    this.socket = socket;
    this.stopLoginClock = parts.clock.after(LOGIN_MS, () => socket.close(CLOSE.noLogin, 'no login came in time'));
    socket.onText((text) => this.take(text));
    socket.onDrain(() => this.drained());
    socket.onClose(() => this.end());
  }

  private *take(text: string): TextWork {
    if (this.isClosing) return;
    const { id, request } = parseText(text);
    if (this.session === undefined) {
      if ('status' in request) this.refuseLogin(request, id);
      else if (request.type === 'login') this.logIn(request.login, id);
      else this.refuseLogin(USER_ID_MISSING, id);
    } else if ('status' in request) this.fail(request, id);
    else if (request.type === 'login') this.fail(badRequest('login', 'this socket is logged in already'), id);
    else if (request.type === 'subscribe') yield* this.subscribe(this.session, request, id);
    else yield* this.unsubscribe(this.session, request, id);
  }

  /** The checks of the door: the session lives, and the user owns it. */
  private logIn(login: Readonly<Record<string, unknown>>, id: string | undefined): void {
    const { sessions, wall } = this.parts;
    const found = sessions.named(login.userId, login.jKey, wall());
    if (found instanceof Promise) {
      this.isClosing = true;
      found.then(
        (failure) => this.refuseLogin(failure, id, login),
        () => this.socket.close(CLOSE.tryLater, 'too much waits for the disk'),
      );
    } else if ('status' in found) this.refuseLogin(found, id, login);
    else this.open(found, String(login.userId), id);
  }

  private open({ account, tokenDigest }: Session, userId: string, id: string | undefined): void {
    const { parts, socket } = this;
    const share = parts.shares.enter(account);
    if (share === undefined || !socket.belongTo(account)) {
      share?.leave();
      socket.close(CLOSE.tooManySockets, 'the user has too many sockets');
      return;
    }
    this.stopLoginClock();
    const rows = new StreamRows(parts, account, userId);
    const user = new UserStream({ ...parts, rows }, socket, account);
    const ruled = ruledSocket(socket, user);
    this.session = {
      account,
      user,
      market: new MarketStream(parts.marketWatch, parts.figures, socket),
      queue: queueFrames(parts, account),
      share,
      stopWatching: this.endWithSession(account, tokenDigest),
      ruled,
      leaveRules: parts.socketRules?.enter(account, ruled),
    };
    const marks = parts.scenarios === 'on' ? ',"scenarios":"on"' : '';
    this.send('login', id, `"data":{"userId":${jsonText(userId)},"seq":"${parts.accountEvents.seq}"${marks}}`);
  }

  private endWithSession(account: AccountId, tokenDigest: string): () => void {
    const { parts, socket } = this;
    return parts.watchSession(account, tokenDigest, () => socket.close(CLOSE.notLoggedIn, 'the session has ended'));
  }

  private refuseLogin(failure: Failure, id: string | undefined, body?: Readonly<Record<string, unknown>>): void {
    const { status, name, field, message } = failure;
    const { address } = this.socket;
    const noted = { op: 'stream', address, status, name, field, message, ...(body && { body }) };
    this.parts.trail?.refuse(undefined, noted);
    this.fail(failure, id);
    this.socket.close(CLOSE.notLoggedIn, 'not logged in');
  }

  private *subscribe(session: LoggedIn, request: ChannelRequest, id: string | undefined): TextWork {
    const { parts, socket } = this;
    const { channels, since } = request;
    const ofUser = channels.filter(isUserChannel);
    if (since !== undefined && since.seq > parts.accountEvents.seq) {
      this.fail(badRequest('since', 'since is after the last event'), id);
      return;
    }
    const listed = yield* this.find(request.instruments ?? []);
    if ('status' in listed) {
      this.fail(listed, id);
      return;
    }
    // The first events of instruments come after the answer.
    session.market.hold();
    const failure = yield* this.follow(session, request, listed);
    const begun = failure === undefined && ofUser.length > 0 ? session.user.subscribe(ofUser, since) : undefined;
    if (failure === undefined) this.answer('subscribed', channels, id, begun, listed);
    else this.fail(failure, id);
    session.market.goOn();
    if (failure !== undefined) return;
    if (begun?.isGap === true) socket.send(gapText(ofUser, begun.place));
    if (channels.includes('clock')) parts.clockEvents.add(socket);
    if (channels.includes('status')) parts.statusEvents.add(socket);
    if (channels.includes('results')) parts.resultsEvents.add(socket, session.account);
    if (begun === undefined) return;
    session.user.goOn(begun);
    parts.socketRules?.subscribed(session.account, session.ruled);
  }

  private *unsubscribe(session: LoggedIn, request: ChannelRequest, id: string | undefined): TextWork {
    const { parts, socket } = this;
    const { channels, interval } = request;
    const instruments = request.instruments && (yield* this.find(request.instruments));
    if (instruments !== undefined && 'status' in instruments) {
      this.fail(instruments, id);
      return;
    }
    const before = session.market.size;
    for (const channel of channels.filter(isMarketChannel)) {
      const ids = instruments?.map((instrument) => instrument.id);
      for (const feed of parts.feedsOf(channel, interval)) session.market.leave(feed, ids);
    }
    session.share.give(before - session.market.size);
    if (channels.includes('clock')) parts.clockEvents.delete(socket);
    if (channels.includes('status')) parts.statusEvents.delete(socket);
    if (channels.includes('results')) parts.resultsEvents.delete(socket, session.account);
    session.user.unsubscribe(channels.filter(isUserChannel));
    this.answer('unsubscribed', channels, id, undefined);
  }

  /** Follows the instruments of a request, all or none; gives the failure where none are. */
  private *follow(
    { market, queue, share }: LoggedIn,
    request: ChannelRequest,
    listed: readonly Instrument[],
  ): InPieces<Failure | undefined> {
    const { parts } = this;
    const wishes = wishesOf(request, listed);
    if ('status' in wishes) return wishes;
    const added: Wish[] = [];
    for (const wish of wishes) {
      if (!market.has(wish.feed, wish.instrument)) added.push(wish);
      yield;
    }
    if (!share.take(added.length)) return parts.shares.tooMany;
    let left = added.length;
    try {
      for (const { feed, instrument } of added) {
        const isFollowed =
          feed === QUEUE_FEED
            ? market.follow(feed, instrument, queue, 'book')
            : market.follow(feed, instrument, parts.makerOf(feed));
        if (!isFollowed) {
          for (const undone of added) market.leave(undone.feed, [undone.instrument.id]);
          left = added.length;
          return { ...NO_ROOM, message: 'more instruments are followed than there is room for; nothing was done' };
        }
        left -= 1;
        yield;
      }
      return undefined;
    } finally {
      // The socket may have ended between two pieces.
      share.give(left);
    }
  }

  /** Looks each name up once. */
  private *find(names: readonly NamedText[]): InPieces<readonly Instrument[] | Failure> {
    const { instruments, engine } = this.parts;
    const at = engine.now();
    const byName = new Map<string, Instrument>();
    const found: Instrument[] = [];
    for (const name of names) {
      const text = instrumentName(name);
      let instrument = byName.get(text);
      if (instrument === undefined) {
        const named = findInstrument(instruments, name.exchange, name.tradingSymbol, at);
        if ('status' in named) return { ...named, field: 'instruments', message: `${named.message}: ${text}` };
        ({ instrument } = named);
        byName.set(text, instrument);
      }
      found.push(instrument);
      yield;
    }
    return found;
  }

  /** `listed`: the instruments of the request, which are named as their events name them, in the same order. */
  private answer(
    type: string,
    channels: readonly Channel[],
    id: string | undefined,
    begun: Begun | undefined,
    listed: readonly Instrument[] = [],
  ): void {
    const seq = begun === undefined ? String(this.parts.accountEvents.seq) : placeText(begun.place);
    const names = listed.length === 0 ? '' : `"instruments":${JSON.stringify(listed.map(instrumentName))},`;
    this.send(type, id, `"channels":${JSON.stringify(channels)},${names}"seq":"${seq}"`);
  }

  private fail(failure: Failure, id: string | undefined): void {
    this.send('error', id, `"data":${failureBody(failure)}`);
  }

  private send(type: string, id: string | undefined, fields: string): void {
    this.socket.send(`{"type":"${type}",${fields}${id === undefined ? '' : `,"id":${jsonText(id)}`}}`);
  }

  private drained(): void {
    this.session?.user.drained();
    this.session?.market.drained();
  }

  private end(): void {
    const { parts, socket, session } = this;
    this.isClosing = true;
    this.stopLoginClock();
    parts.clockEvents.delete(socket);
    parts.statusEvents.delete(socket);
    if (session === undefined) return;
    parts.resultsEvents.delete(socket, session.account);
    session.share.give(session.market.size);
    session.share.leave();
    session.stopWatching();
    session.leaveRules?.();
    session.market.close();
    session.user.close();
  }
}

function ruledSocket(socket: OpenSocket, user: UserStream): RuledSocket {
  return {
    cut: () => socket.drop(),
    gap: () => user.gapNow(),
    get hasChannels() {
      return user.hasChannels;
    },
  };
}

/** Each instrument of each feed that a request names, once. */
function wishesOf({ channels, interval }: ChannelRequest, listed: readonly Instrument[]): readonly Wish[] | Failure {
  const once = [...new Map(listed.map((instrument) => [instrument.id, instrument])).values()];
  const ofMarket = channels.filter(isMarketChannel);
  if (ofMarket.includes('greeks') && once.some(({ kind }) => kind !== 'option')) {
    return badRequest('instruments', 'only options have greeks');
  }
  return ofMarket.flatMap((channel) => {
    return once.map((instrument) => ({ feed: feedName(channel, interval), instrument }));
  });
}
