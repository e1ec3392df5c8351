/**
 * The results of users who follow them: looked at once a second, made once for all sockets of a user, and sent where
 * they have changed. The newest wins. Nothing is worked out while nobody follows.
 */

import type { AccountId } from '../../base/ids.ts';
import { SECOND_MS } from '../../base/time.ts';
import { Unavailable } from '../../engine/port.ts';
import type { GatewayParts } from '../deps.ts';
import { Results } from '../endpoints/money/results.ts';
import { formatT1 } from '../fields/times.ts';
import type { OpenSocket } from '../sockets/open-socket.ts';
import { hasRoom } from '../sockets/room.ts';
import type { SocketClock } from '../sockets/socket-clock.ts';

const LOOK_MS = SECOND_MS;
/** Rows of one event: with more of them it would not fit what may wait for a client. The sums are of all rows. */
const MOST_ROWS = 2_000;

export interface ResultsEventsParts extends GatewayParts {
  readonly clock: SocketClock;
}

/** The sockets of one user that follow results. */
interface Followers {
  /** The results that each socket was sent last, but for their time; none at first. */
  readonly sent: Map<OpenSocket, string>;
  isMaking: boolean;
  /** Resolves when those that are being made were sent; absent while none are. */
  made?: Promise<void> | undefined;
  /** Asked for once more while they were being made. */
  isAskedAgain: boolean;
}

export class ResultsEvents {
  private readonly parts: ResultsEventsParts;
  private readonly users = new Map<AccountId, Followers>();
  private stopLooking: (() => void) | undefined;

  constructor(parts: ResultsEventsParts) {
    this.parts = parts;
  }

  /** The first event comes at once. To add a socket again changes nothing. */
  add(socket: OpenSocket, account: AccountId): void {
    const followers = this.users.get(account) ?? { sent: new Map(), isMaking: false, isAskedAgain: false };
    if (followers.sent.has(socket)) return;
    followers.sent.set(socket, '');
    this.users.set(account, followers);
    this.stopLooking ??= this.parts.clock.every(LOOK_MS, () => this.look());
    if (followers.isMaking) followers.isAskedAgain = true;
    else void this.make(account, followers);
  }

  delete(socket: OpenSocket, account: AccountId): void {
    const followers = this.users.get(account);
    if (followers === undefined) return;
    followers.sent.delete(socket);
    if (followers.sent.size > 0) return;
    this.users.delete(account);
    if (this.users.size > 0) return;
    this.stopLooking?.();
    this.stopLooking = undefined;
  }

  /** Looks at once. Resolves when the results as they are now were sent. */
  async settle(): Promise<void> {
    const users = [...this.users];
    for (const [, followers] of users) if (followers.isMaking) followers.isAskedAgain = true;
    await Promise.all(users.map(([account, followers]) => followers.made ?? this.make(account, followers)));
  }

  private look(): void {
    for (const [account, followers] of this.users) if (!followers.isMaking) void this.make(account, followers);
  }

  private make(account: AccountId, followers: Followers): Promise<void> {
    followers.made = this.makeAll(account, followers).finally(() => {
      followers.made = undefined;
    });
    return followers.made;
  }

  private async makeAll(account: AccountId, followers: Followers): Promise<void> {
    followers.isMaking = true;
    try {
      do {
        followers.isAskedAgain = false;
        const made = await this.resultsOf(account, followers);
        if (made !== undefined) this.send(followers, made);
      } while (followers.isAskedAgain);
    } catch (error) {
      // Where too many answers wait for the disk, the next look brings the results.
      if (!(error instanceof Unavailable)) this.parts.onFailure(error);
    } finally {
      followers.isMaking = false;
    }
  }

  /** The results but for their time; `undefined` once nobody follows them. */
  private async resultsOf(account: AccountId, followers: Followers): Promise<string | undefined> {
    const results = new Results(this.parts, account);
    const rows: string[] = [];
    for (const piece of results.pieces(await results.positions(), MOST_ROWS)) {
      if (followers.sent.size === 0) return undefined;
      const made = await this.parts.turns.run(account, piece);
      if (typeof made === 'string' && made !== '') rows.push(made);
    }
    return `{"rows":[${rows.join(',')}],${results.sums().slice(1, -1)}`;
  }

  private send({ sent }: Followers, made: string): void {
    const text = `{"type":"results","data":${made},"requestTime":"${formatT1(this.parts.engine.now())}"}}`;
    for (const [socket, before] of sent) {
      if (before === made || !hasRoom(socket)) continue;
      sent.set(socket, made);
      socket.send(text);
    }
  }
}
