/** The dialects of the sockets, and the parts of the gateway that they get. */

import type { AccountId } from '../base/ids.ts';
import type { GatewayParts } from './deps.ts';
import type { SessionLookup } from './sessions.ts';
import type { Watch } from './sockets/market-watch.ts';
import type { Dialect } from './sockets/open-socket.ts';
import type { SocketClock } from './sockets/socket-clock.ts';

/** The parts that a dialect gets. */
export interface DialectParts extends GatewayParts {
  /** Finds the session of a token at login. */
  readonly sessions: SessionLookup;
  /**
   * Calls `onEnd` once when that session has ended, whatever ended it, and that is durable. Returns the way to stop
   * watching.
   */
  watchSession(account: AccountId, tokenDigest: string, onEnd: () => void): () => void;
  readonly marketWatch: Watch;
  readonly clock: SocketClock;
}

/** One dialect a line. */
export function dialectsOf(_parts: DialectParts): readonly Dialect[] {
  return [];
}
