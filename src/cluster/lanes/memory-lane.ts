/** A lane that lives as long as the process: a log, and the lanes of its several writers and readers. For tests. */
import { AppendTurn } from './append-turn.ts';
import { type AppendOutcome, type Lane, type LaneMessage, LaneTrimmed, LaneUnreachable, READ_BYTES } from './lane.ts';

/** The log that several `MemoryLane` share. */
export class MemoryLog {
  readonly name: string;
  private readonly messages: LaneMessage[] = [];
  private trimmed = 0;

  constructor(name: string) {
    this.name = name;
  }

  end(): number {
    return this.messages.at(-1)?.position ?? this.trimmed;
  }

  /** The position of the new message; `undefined` when another one than expected is the last. */
  add(expectedLast: number, bytes: Uint8Array): number | undefined {
    if (expectedLast !== this.end()) return undefined;
    const position = expectedLast + 1;
    this.messages.push({ position, bytes: Uint8Array.from(bytes) });
    return position;
  }

  /** The messages after `after`, up to the size of an answer. Throws `LaneTrimmed`. */
  behind(after: number): readonly LaneMessage[] {
    if (after < this.trimmed) throw new LaneTrimmed(`lane ${this.name} begins after ${this.trimmed}, not ${after}`);
    const found: LaneMessage[] = [];
    let bytes = 0;
    for (let index = after - this.trimmed; index < this.messages.length && bytes < READ_BYTES; index += 1) {
      const message = this.messages[index] as LaneMessage;
      found.push({ position: message.position, bytes: Uint8Array.from(message.bytes) });
      bytes += message.bytes.length;
    }
    return found;
  }

  /** Lets go of the messages up to `position`. */
  trim(position: number): void {
    this.messages.splice(0, position - this.trimmed);
    this.trimmed = Math.max(this.trimmed, position);
  }
}

/** The faults of a lane, as its test sets them. */
export interface LaneFaults {
  /** Nothing reaches the log, and nothing is answered. */
  cut: boolean;
  /** Appends reach the log, and their answers are lost. */
  deaf: boolean;
}

/** The lane of one writer or reader on a shared log. Its answers come in a later turn, as those of a network do. */
export class MemoryLane implements Lane {
  readonly name: string;
  readonly faults: LaneFaults = { cut: false, deaf: false };
  private readonly log: MemoryLog;
  private readonly turn: AppendTurn;
  private closed = false;

  constructor(log: MemoryLog) {
    this.name = log.name;
    this.log = log;
    this.turn = new AppendTurn(log.name);
  }

  append(expectedLast: number, bytes: Uint8Array): Promise<AppendOutcome> {
    return this.turn.take(bytes, async () => {
      await nextTurn();
      if (this.faults.cut || this.closed) return { type: 'Unknown' };
      const position = this.log.add(expectedLast, bytes);
      await nextTurn();
      if (this.faults.deaf || this.closed) return { type: 'Unknown' };
      return position === undefined ? { type: 'Conflict' } : { type: 'Stored', position };
    });
  }

  async read(after: number): Promise<readonly LaneMessage[]> {
    await this.reach();
    return this.log.behind(after);
  }

  async last(): Promise<number> {
    await this.reach();
    return this.log.end();
  }

  close(): Promise<void> {
    this.closed = true;
    return Promise.resolve();
  }

  private async reach(): Promise<void> {
    await nextTurn();
    if (this.faults.cut || this.closed) throw new LaneUnreachable(`lane ${this.name} is not reached`);
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
