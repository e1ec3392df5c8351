/**
 * The texts of one socket on their way to its dialect: one after the other, each in turns of the socket's account, so
 * that a client that sends much waits for itself. Source: docs/measured/load.md.
 */

import type { Client, Turns } from '../turns.ts';

/** The rest of the work on a text, in pieces of some microseconds. It is given up when its socket ends. */
export type TextWork = Generator<undefined, void>;

/** Takes a text; gives the work that is left, if any. */
export type TextListener = (text: string) => TextWork | undefined;

export interface InboundParts {
  readonly turns: Turns;
  /** The account of the socket, or its address before it has one. */
  client(): Client;
  /** Reads nothing more of the client, and goes on. */
  pause(): void;
  resume(): void;
}

export class Inbound {
  listener: TextListener = () => undefined;
  private readonly parts: InboundParts;
  /** Texts that came while another one is worked on: two of them, or those of one read of the connection. */
  private readonly waiting: string[] = [];
  private isBusy = false;
  private hasEnded = false;

  constructor(parts: InboundParts) {
    this.parts = parts;
  }

  take(text: string): void {
    this.waiting.push(text);
    // A ping after a single text is still read.
    if (this.waiting.length > 1) this.parts.pause();
    if (!this.isBusy) void this.workOff();
  }

  /** The socket ends: its texts mean nothing any more. */
  end(): void {
    this.hasEnded = true;
    this.waiting.length = 0;
    this.parts.resume();
  }

  private async workOff(): Promise<void> {
    const { turns } = this.parts;
    this.isBusy = true;
    for (let text = this.waiting.shift(); text !== undefined; text = this.waiting.shift()) {
      await turns.runPieces(this.parts.client(), this.workOn(text));
    }
    this.isBusy = false;
    this.parts.resume();
  }

  private *workOn(text: string): TextWork {
    const rest = this.hasEnded ? undefined : this.listener(text);
    if (rest === undefined) return;
    while (rest.next().done !== true) {
      yield;
      if (this.hasEnded) rest.return();
    }
  }
}
