/** The sockets of the gateway with all that their dialects need, and the list of dialects. */

import type { Socket } from 'node:net';
import type { GatewayParts } from './deps.ts';
import { SocketRules } from './scenarios/socket-rules.ts';
import type { SessionLookup } from './sessions.ts';
import type { DialectParts } from './sockets/dialect-parts.ts';
import { MarketWatch } from './sockets/market-watch.ts';
import type { Dialect } from './sockets/open-socket.ts';
import { SessionWatch } from './sockets/session-watch.ts';
import { MACHINE_CLOCK, type SocketClock } from './sockets/socket-clock.ts';
import type { SocketFigures } from './sockets/socket-figures.ts';
import { SOCKET_LIMITS } from './sockets/socket-limits.ts';
import { Sockets } from './sockets/sockets.ts';
import { AccountEvents } from './stream/account-events.ts';
import { streamDialect } from './stream/stream-dialect.ts';
import { v2Dialects } from './v2/v2-dialect.ts';

/** One kind of dialect a line. */
function dialectsOf(parts: DialectParts): readonly Dialect[] {
  return [streamDialect(parts), ...v2Dialects(parts)];
}

export interface SocketRoom {
  readonly sockets: Sockets;
  /** The figures of the sockets now. */
  counts(): SocketFigures & { readonly open: number; readonly instruments: number; readonly waitingBytes: number };
  /**
   * Resolves when the sockets were sent all that has happened by now, prices too, without waiting for the next look at
   * them. A client that reads slowly gets the rest later.
   */
  settle(): Promise<void>;
  /** Closes every socket, and takes nothing more of the feed. */
  close(): void;
}

/**
 * The sockets of a gateway. `refuse` answers a request whose handshake is broken, and ends its connection.
 */
export function socketRoom(parts: GatewayParts, sessions: SessionLookup, refuse: (socket: Socket) => void): SocketRoom {
  const clock = parts.socketClock ?? MACHINE_CLOCK;
  const limits = { ...SOCKET_LIMITS, ...parts.socketLimits };
  const sockets = new Sockets({ clock, limits, turns: parts.turns, refuse });
  const accountEvents = new AccountEvents(parts.feed, parts.engine);
  const marketWatch = new MarketWatch({ ...parts, clock, heldBack: sockets.heldBack, most: limits.instruments });
  const socketRules =
    parts.scenarios === 'on' ? new SocketRules({ ...parts, onMarketRule: () => marketWatch.lookAgain() }) : undefined;
  const watch = new SessionWatch({ ...parts, clock });
  const dialectParts: DialectParts = {
    ...parts,
    sessions,
    watchSession: (account, tokenDigest, onEnd) => watch.watch(account, tokenDigest, onEnd),
    marketWatch,
    ...(socketRules && { socketRules }),
    accountEvents,
    clock,
    figures: sockets.figures,
  };
  const dialects = dialectsOf(dialectParts);
  for (const dialect of dialects) sockets.speak(dialect);
  return {
    sockets,
    counts: () => ({
      ...sockets.figures,
      open: sockets.count,
      instruments: marketWatch.count,
      waitingBytes: sockets.waitingBytes,
    }),
    settle: async () => {
      if (sockets.count === 0) return;
      await marketWatch.settle();
      await Promise.all(dialects.map((dialect) => dialect.settle?.()));
      await stillness(sockets.figures, clock);
    },
    close: () => {
      sockets.close();
      accountEvents.close();
      socketRules?.close();
    },
  };
}

/** Rows of events are made over some turns of the event loop. After as many turns without a frame all are sent. */
const STILL_TURNS = 4;
/** A crowd of clients that is sent frames for other reasons holds nobody up for longer. */
const MOST_TURNS = 1_000;

/** Resolves when no frame has been sent for some turns of the event loop. */
async function stillness(figures: SocketFigures, clock: SocketClock): Promise<void> {
  let still = 0;
  for (let turn = 0, { frames } = figures; still < STILL_TURNS && turn < MOST_TURNS; turn += 1) {
    await new Promise<void>((resolve) => clock.laterTurn(resolve));
    still = figures.frames === frames ? still + 1 : 0;
    frames = figures.frames;
  }
}
