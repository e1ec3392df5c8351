/**
 * A lane in a JetStream stream: a message of the lane is a message of the stream, and its position the stream's
 * sequence. `Nats-Expected-Last-Sequence` is the compare-and-set: the stream's leader checks it and puts the message
 * into the log of its group, so that an append is the one call that is sure of the end of a lane.
 */
import type { JetStreamClient, JetStreamManager, StreamInfo } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { messageOf } from '../../../base/system-fault.ts';
import { AppendTurn } from '../append-turn.ts';
import { inTime } from '../in-time.ts';
import {
  type AppendOutcome,
  appendPatienceMs,
  LANE_PATIENCE_MS,
  type Lane,
  type LaneMessage,
  LaneTrimmed,
  LaneUnreachable,
} from '../lane.ts';
import type { LogServers } from './log-servers.ts';
import { readBatch } from './read-batch.ts';
import { subjectOf } from './stream-settings.ts';

/** `wrong last sequence`, in the two forms of it. */
const WRONG_LAST = [10_071, 10_164];
/** An append without an answer takes no less, so that a writer that repeats it at once does not spin. */
const LEAST_UNKNOWN_MS = 20;
/**
 * A leader that heard of a majority within this time is one still, or was a moment ago: no other one is elected within
 * 4 seconds of the last heartbeat that a majority had. In nanoseconds.
 */
const CONTACT_NS = 3_000_000_000;
const UNKNOWN: AppendOutcome = { type: 'Unknown' };

/** The lane of a stream that exists. The connections stay open when the lane is closed. */
export async function openNatsLane(servers: LogServers, stream: string): Promise<Lane> {
  return new NatsLane(servers, stream, await import('@nats-io/jetstream'));
}

class NatsLane implements Lane {
  readonly name: string;
  private readonly servers: LogServers;
  private readonly client: typeof import('@nats-io/jetstream');
  private readonly turn: AppendTurn;
  private readonly ended = new AbortController();
  /** The server that is asked first: the last one that answered. */
  private first = 0;

  constructor(servers: LogServers, stream: string, client: typeof import('@nats-io/jetstream')) {
    this.servers = servers;
    this.name = stream;
    this.client = client;
    this.turn = new AppendTurn(stream);
  }

  append(expectedLast: number, bytes: Uint8Array): Promise<AppendOutcome> {
    return this.turn.take(bytes, async () => {
      const began = performance.now();
      const patience = appendPatienceMs(bytes.length);
      const published = this.publish(expectedLast, bytes, patience);
      const outcome = await inTime(published, this.ended.signal, () => UNKNOWN, patience);
      if (outcome.type !== 'Unknown') return outcome;
      this.first = (this.first + 1) % this.servers.count;
      await pause(LEAST_UNKNOWN_MS - (performance.now() - began));
      return outcome;
    });
  }

  async read(after: number): Promise<readonly LaneMessage[]> {
    const found = await this.askEach((connection) => readBatch(connection, this.name, after));
    if (found[0] !== undefined && found[0].position !== after + 1) await this.checkBegin(after);
    return denseFrom(after, found);
  }

  async last(): Promise<number> {
    const { state } = await this.askEach((connection) => this.infoOfMajority(connection));
    return state.last_seq;
  }

  close(): Promise<void> {
    this.ended.abort();
    return Promise.resolve();
  }

  private async publish(expectedLast: number, bytes: Uint8Array, timeout: number): Promise<AppendOutcome> {
    await this.servers.ready();
    const [target] = this.servers.connected(this.first);
    if (target === undefined) return UNKNOWN;
    const js: JetStreamClient = this.client.jetstream(target.connection, { timeout });
    try {
      const ack = await js.publish(subjectOf(this.name), bytes, {
        expect: { streamName: this.name, lastSequence: expectedLast },
      });
      this.first = target.index;
      return { type: 'Stored', position: ack.seq };
    } catch (error) {
      if (!(error instanceof this.client.JetStreamApiError)) return UNKNOWN;
      return WRONG_LAST.includes(error.code) ? { type: 'Conflict' } : UNKNOWN;
    }
  }

  /** Asks one server after the other, until one of them answers in time. */
  private async askEach<T>(ask: (connection: NatsConnection) => Promise<T>): Promise<T> {
    await this.servers.ready();
    let fault = 'no server of the log is connected';
    for (const { index, connection } of this.servers.connected(this.first)) {
      try {
        const answer = await inTime(ask(connection), this.ended.signal, () => {
          throw new LaneUnreachable('no answer in time');
        });
        this.first = index;
        return answer;
      } catch (error) {
        fault = messageOf(error);
      }
    }
    throw new LaneUnreachable(`lane ${this.name}: ${fault}`);
  }

  /** The stream as its leader reports it, if that heard of a majority of its group lately. */
  private async infoOfMajority(connection: NatsConnection): Promise<StreamInfo> {
    const options = { timeout: LANE_PATIENCE_MS, checkAPI: false };
    const manager: JetStreamManager = await this.client.jetstreamManager(connection, options);
    const info = await manager.streams.info(this.name);
    const replicas = info.cluster?.replicas ?? [];
    const heard = replicas.filter(({ offline, active }) => offline !== true && active < CONTACT_NS);
    if (2 * (heard.length + 1) > replicas.length + 1) return info;
    throw new LaneUnreachable('its leader has lost its majority');
  }

  /** Throws `LaneTrimmed` when the messages after `after` are gone, and not merely missing at a replica. */
  private async checkBegin(after: number): Promise<void> {
    const { state } = await this.askEach((connection) => this.infoOfMajority(connection));
    if (state.first_seq <= after + 1) return;
    throw new LaneTrimmed(`lane ${this.name} begins at ${state.first_seq}, not after ${after}`);
  }
}

/** The messages up to the first gap: a replica that catches up may have one. */
function denseFrom(after: number, found: readonly LaneMessage[]): readonly LaneMessage[] {
  const gap = found.findIndex(({ position }, index) => position !== after + 1 + index);
  return gap === -1 ? found : found.slice(0, gap);
}

function pause(ms: number): Promise<void> {
  return ms <= 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms));
}
