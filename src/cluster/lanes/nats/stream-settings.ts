/** The settings of the stream of a lane, and the differences of a stream from them. */
import type { StreamConfig } from '@nats-io/jetstream';
import { MOST_MESSAGE_BYTES } from '../lane.ts';

/** The machines that keep each message: a majority of them has it before an append is answered. */
const REPLICAS = 3;
const NANOSECONDS_OF_AN_HOUR = 3_600_000_000_000;
/** Room for the headers of a message beside its bytes. In bytes. */
const HEADER_ROOM = 4_096;
/** The most bytes of a message of the log with its headers: a server must take that many. */
export const MOST_PAYLOAD_BYTES = MOST_MESSAGE_BYTES + HEADER_ROOM;
/** The note of a stream that says whose lane it is. */
const OWNER = 'sauda-cluster';

export type LaneStream = Pick<StreamConfig, 'name'> & Partial<StreamConfig>;

/** The one subject of a lane's stream. */
export function subjectOf(stream: string): string {
  return `${stream}.append`;
}

/** The stream of a lane, as it is made. Nothing in it can be deleted, and age alone lets go of messages. */
export function streamSettings(stream: string, cluster: string, keepHours: number): LaneStream {
  return {
    name: stream,
    subjects: [subjectOf(stream)],
    retention: 'limits',
    storage: 'file',
    discard: 'old',
    num_replicas: REPLICAS,
    max_age: keepHours * NANOSECONDS_OF_AN_HOUR,
    max_bytes: -1,
    max_msgs: -1,
    max_msgs_per_subject: -1,
    max_msg_size: MOST_PAYLOAD_BYTES,
    allow_direct: true,
    deny_delete: true,
    deny_purge: true,
    metadata: { [OWNER]: cluster },
  } as LaneStream;
}

/** The cluster whose lane a stream says that it is. */
export function ownerOf(config: Partial<StreamConfig>): string | undefined {
  return config.metadata?.[OWNER];
}

/**
 * How a stream differs from the settings of a lane, as `field is x, not y`. The age may be another one: it can be
 * changed while the lane is used. Fields that copy, move or drop messages must be blank.
 */
export function differences(found: Partial<StreamConfig>, wanted: LaneStream): string[] {
  const lines = Object.entries(wanted).flatMap(([field, value]) => {
    if (field === 'max_age' || field === 'metadata') return [];
    const there = (found as Record<string, unknown>)[field];
    return JSON.stringify(there) === JSON.stringify(value)
      ? []
      : [`${field} is ${JSON.stringify(there)}, not ${JSON.stringify(value)}`];
  });
  const foreign = ['mirror', 'sources', 'subject_transform', 'republish', 'sealed', 'allow_rollup_hdrs', 'no_ack'];
  const set = foreign.filter((field) => Boolean((found as Record<string, unknown>)[field]));
  return [...lines, ...set.map((field) => `${field} is set`)];
}
