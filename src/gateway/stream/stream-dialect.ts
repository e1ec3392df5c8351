/** The dialect of `/stream`: the parts that its sockets share, and who may open one. */

import type { IncomingMessage } from 'node:http';
import { must } from '../../base/assert.ts';
import type { Failure } from '../fields/envelope.ts';
import type { DialectParts } from '../sockets/dialect-parts.ts';
import type { Dialect } from '../sockets/open-socket.ts';
import { accountOfOrder } from './account-events.ts';
import { ClockEvents, StatusEvents } from './clock-and-status.ts';
import { feedName, frameMakers } from './market-frames.ts';
import { ResultsEvents } from './results-events.ts';
import type { StreamParts } from './stream-parts.ts';
import { StreamSocket } from './stream-socket.ts';
import { UserShares } from './user-shares.ts';

const FOREIGN_ORIGIN: Failure = {
  status: 403,
  name: 'FORBIDDEN',
  field: 'Origin',
  message: 'the stream is not open to pages of other sites',
};

/** The stream of our own. Source: docs/stream.md. */
export function streamDialect(parts: DialectParts): Dialect {
  const makers = frameMakers(parts);
  const clockEvents = new ClockEvents(parts);
  const statusEvents = new StatusEvents();
  const resultsEvents = new ResultsEvents(parts);
  const shared: StreamParts = {
    ...parts,
    accountOf: accountOfOrder(parts.engine),
    clockEvents,
    statusEvents,
    resultsEvents,
    shares: new UserShares(),
    feedsOf: (channel, interval) => {
      if (channel !== 'candles' || interval !== undefined) return [feedName(channel, interval)];
      return [...makers.keys()].filter((feed) => feed.startsWith(`${channel} `));
    },
    makerOf: (feed) => must(makers.get(feed), 'every feed has a maker of frames'),
  };
  return {
    paths: ['/stream'],
    refusal: (request) => (isOwnOrigin(parts, request) ? undefined : FOREIGN_ORIGIN),
    open: (socket) => void new StreamSocket(shared, socket),
    ending: () => statusEvents.drain(),
    settle: () => {
      clockEvents.look();
      return resultsEvents.settle();
    },
  };
}

function isOwnOrigin({ hosts }: DialectParts, { headers, socket }: IncomingMessage): boolean {
  return hosts?.admitPage(headers.origin, socket.localAddress) ?? true;
}
