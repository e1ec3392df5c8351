/**
 * The V2 socket of the family of this interface, `/V2/ws`, and the older `/ws`: the token in the address is the login,
 * and clients of all kinds take the frames. Source: docs/stream.md.
 */

import type { AccountId } from '../../base/ids.ts';
import type { Session } from '../../core/state.ts';
import { Unavailable } from '../../engine/port.ts';
import type { Failure } from '../fields/envelope.ts';
import type { DialectParts } from '../sockets/dialect-parts.ts';
import { CLOSE, type Dialect, type OpenSocket } from '../sockets/open-socket.ts';
import { AccountFrames } from './account-frames.ts';
import { Connection, type FrameMakers } from './connection.ts';
import { greeksFrames } from './greeks-frame.ts';
import { marketFrames } from './market-frame.ts';

/** One client attaches its reader some turns after the upgrade and loses what comes at once. In milliseconds. */
const FIRST_FRAME_MS = 150;
const MOST_SESSIONS = 3;

const WELCOME = '{"status":"success","message":"Authentication successful"}';
/** Source: docs/outcomes.md. */
const WELCOME_WITH_SCENARIOS = '{"status":"success","message":"Authentication successful","scenarios":"on"}';
const NOT_LOGGED_IN = '{"status":"failed","message":"unauthenticated"}';
/** One client compares the whole text. */
const TOO_MANY = `Maximum sessions limit (${MOST_SESSIONS}) reached`;

export function v2Dialects(parts: DialectParts): readonly Dialect[] {
  const users = new V2Users(parts);
  const greeks = greeksFrames(parts.market);
  return [
    { path: '/V2/ws', isFlat: false },
    { path: '/ws', isFlat: true },
  ].map(({ path, isFlat }) => {
    const makers: FrameMakers = { market: marketFrames(parts.market, isFlat), greeks };
    return { paths: [path], open: (socket, url) => users.open(socket, url, makers) };
  });
}

/** The users of both paths: their sessions are counted together. */
class V2Users {
  private readonly parts: DialectParts;
  private readonly frames: AccountFrames;
  private readonly sockets = new Map<AccountId, number>();

  constructor(parts: DialectParts) {
    this.parts = parts;
    this.frames = new AccountFrames(parts);
  }

  open(socket: OpenSocket, url: URL, makers: FrameMakers): void {
    const userId = url.searchParams.get('userId') ?? '';
    const found = this.parts.sessions.find(url.searchParams.get('jKey') ?? '', userId, this.parts.wall());
    if (found instanceof Promise) found.then((failure) => this.refuse(socket, failure), this.failing(socket));
    else if ('status' in found) this.refuse(socket, found);
    else this.welcome(socket, found, userId, makers);
  }

  private refuse(socket: OpenSocket, { status, name, field, message }: Failure): void {
    const { trail } = this.parts;
    trail?.refuse(undefined, { op: 'V2/ws', address: socket.address, status, name, field, message });
    this.endWith(socket, NOT_LOGGED_IN, CLOSE.notLoggedIn, 'unauthenticated');
  }

  /** Too many answers wait for the disk: the client may come again. */
  private failing(socket: OpenSocket): (error: unknown) => void {
    return (error) => {
      if (!(error instanceof Unavailable)) this.parts.onFailure(error);
      socket.close(CLOSE.tryLater, 'try again later');
    };
  }

  private endWith(socket: OpenSocket, text: string, code: number, reason: string): void {
    this.later(socket, () => {
      socket.send(text);
      socket.close(code, reason);
    });
  }

  /** Sends the first frame of a socket, in a write of its own. */
  private later(socket: OpenSocket, send: () => void): void {
    socket.onClose(this.parts.clock.after(FIRST_FRAME_MS, send));
  }

  private welcome(socket: OpenSocket, { account, tokenDigest }: Session, userId: string, makers: FrameMakers): void {
    const open = this.sockets.get(account) ?? 0;
    if (open >= MOST_SESSIONS || !socket.belongTo(account)) {
      this.endWith(socket, TOO_MANY, CLOSE.tooManySockets, 'too many sessions');
      return;
    }
    this.sockets.set(account, open + 1);
    socket.onClose(() => this.leave(account));
    // Some clients subscribe before they read the first frame.
    const connection = new Connection(socket, this.parts, makers);
    socket.onClose(this.frames.join(account, userId, connection.take));
    const onEnd = (): void => socket.close(CLOSE.notLoggedIn, 'the session has ended');
    socket.onClose(this.parts.watchSession(account, tokenDigest, onEnd));
    this.later(socket, () => {
      socket.send(this.parts.scenarios === 'on' ? WELCOME_WITH_SCENARIOS : WELCOME);
      const leaveRules = this.parts.socketRules?.enter(account, { cut: () => socket.drop() });
      if (leaveRules !== undefined) socket.onClose(leaveRules);
      connection.begin();
    });
  }

  private leave(account: AccountId): void {
    const left = (this.sockets.get(account) ?? 1) - 1;
    if (left === 0) this.sockets.delete(account);
    else this.sockets.set(account, left);
  }
}
