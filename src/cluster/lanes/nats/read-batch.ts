import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { LANE_PATIENCE_MS, type LaneMessage, LaneUnreachable, READ_BYTES } from '../lane.ts';

/** The most messages of one answer. */
const BATCH = 1_000;
const END_OF_BATCH = 204;
const NOTHING_BEHIND = 404;

/**
 * The messages of a stream after `after`, from whichever replica answers (a batched direct get: ADR-31 of the log).
 * Rejects with `LaneUnreachable` when an answer is late or the batch ends early.
 */
export async function readBatch(
  connection: NatsConnection,
  stream: string,
  after: number,
): Promise<readonly LaneMessage[]> {
  const { createInbox } = await import('@nats-io/transport-node');
  const inbox = createInbox();
  const found: LaneMessage[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<readonly LaneMessage[]>();
  const subscription = connection.subscribe(inbox, {
    callback: (error, message) => {
      if (error !== null) return reject(new LaneUnreachable(error.message));
      timer.refresh();
      const status = message.headers?.code ?? 0;
      if (status === 0) found.push({ position: positionOf(message), bytes: message.data });
      else if (status === END_OF_BATCH || status === NOTHING_BEHIND) resolve(found);
      else reject(new LaneUnreachable(`status ${status} of a read`));
    },
  });
  // It begins when nothing can throw any more: a connection that is closed by now refuses the subscription.
  const timer = setTimeout(() => reject(new LaneUnreachable('no answer in time')), LANE_PATIENCE_MS);
  // A rejection is thrown below, unless the request itself was refused before.
  promise.catch(() => undefined);
  try {
    const request = { seq: after + 1, batch: BATCH, max_bytes: READ_BYTES };
    connection.publish(`$JS.API.DIRECT.GET.${stream}`, JSON.stringify(request), { reply: inbox });
    return await promise;
  } finally {
    clearTimeout(timer);
    subscription.unsubscribe();
  }
}

function positionOf(message: Msg): number {
  return Number(message.headers?.get('Nats-Sequence'));
}
