/**
 * Hands what connections bring to Node's server in small pieces, each in a turn of its client. Node's parser makes
 * objects of every request in a piece before it can be stopped: with all that one read brings, 2,600 small requests,
 * one connection would hold everybody up.
 */

import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Client, Turns } from '../turns.ts';
import { countedAs } from './connections/client-address.ts';

/**
 * As much as Node's parser gets in one piece of work: the smallest requests are 25 bytes long, and each costs it some
 * 20 microseconds.
 */
const PIECE_BYTES = 1_024;

/** The bytes that one connection brought and Node's server did not get yet. */
interface Meter {
  readonly client: Client;
  /** `null` stands for the end. */
  readonly pieces: (Buffer | null)[];
  /** The server takes nothing for now. */
  stopped: boolean;
  /** A turn is coming. */
  waits: boolean;
  /** The stream may read on when nothing is left. */
  asked: boolean;
  readonly pass: (piece: Buffer | null) => void;
  readonly read: () => void;
}

export class MeteredReads {
  private readonly turns: Turns;
  private readonly meters = new WeakMap<Duplex, Meter>();

  constructor(turns: Turns) {
    this.turns = turns;
  }

  /** From now on; the server listens to the socket. `bytes` were read already. */
  begin(socket: Socket, bytes: Buffer): void {
    // Node's server reads past the stream unless there is another listener too.
    socket.on('data', ignore);
    const read = socket._read.bind(socket);
    const meter: Meter = {
      client: countedAs(socket.remoteAddress ?? ''),
      pieces: [],
      stopped: false,
      waits: false,
      asked: false,
      pass: socket.push.bind(socket),
      read: () => read(0),
    };
    this.meters.set(socket, meter);
    socket.push = (chunk: Buffer | null): boolean => {
      this.add(socket, meter, chunk);
      return meter.pieces.length === 0;
    };
    socket._read = () => {
      if (meter.pieces.length === 0) meter.read();
      else meter.asked = true;
    };
    this.add(socket, meter, bytes);
  }

  /** The server takes nothing more of a connection until it goes on. */
  stop(socket: Duplex): void {
    const meter = this.meters.get(socket);
    if (meter !== undefined) meter.stopped = true;
  }

  goOn(socket: Duplex): void {
    const meter = this.meters.get(socket);
    if (meter === undefined) return;
    meter.stopped = false;
    this.next(socket, meter);
  }

  private add(socket: Duplex, meter: Meter, chunk: Buffer | null): void {
    if (chunk === null) meter.pieces.push(null);
    else
      for (let from = 0; from < chunk.length; from += PIECE_BYTES)
        meter.pieces.push(chunk.subarray(from, from + PIECE_BYTES));
    this.next(socket, meter);
  }

  private next(socket: Duplex, meter: Meter): void {
    if (meter.waits || meter.stopped || meter.pieces.length === 0) return;
    meter.waits = true;
    this.turns.take(meter.client, () => this.pass(socket, meter));
  }

  private pass(socket: Duplex, meter: Meter): void {
    meter.waits = false;
    if (socket.destroyed || meter.stopped) return;
    const { pieces } = meter;
    meter.pass(pieces.shift() ?? null);
    if (pieces.length > 0) this.next(socket, meter);
    else if (meter.asked) {
      meter.asked = false;
      meter.read();
    }
  }
}

function ignore(): void {}
