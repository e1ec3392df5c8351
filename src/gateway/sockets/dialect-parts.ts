import type { AccountId } from '../../base/ids.ts';
import type { GatewayParts } from '../deps.ts';
import type { SocketRules } from '../scenarios/socket-rules.ts';
import type { SessionLookup } from '../sessions.ts';
import type { AccountEvents } from '../stream/account-events.ts';
import type { Watch } from './market-watch.ts';
import type { SocketClock } from './socket-clock.ts';
import type { SocketFigures } from './socket-figures.ts';

/** The parts of the gateway that a dialect gets. */
export interface DialectParts extends GatewayParts {
  /** Finds the session of a token at login. */
  readonly sessions: SessionLookup;
  /**
   * Calls `onEnd` once when that session has ended, or a kill switch stops the account, and that is durable. Returns
   * the way to stop watching.
   */
  watchSession(account: AccountId, tokenDigest: string, onEnd: () => void): () => void;
  readonly marketWatch: Watch;
  /** The rules of operators for sockets; absent where outcomes cannot be asked for. */
  readonly socketRules?: SocketRules;
  readonly accountEvents: AccountEvents;
  readonly clock: SocketClock;
  /** A dialect counts its subscriptions there, and the looks at instruments that a slow socket was not sent. */
  readonly figures: SocketFigures;
}
