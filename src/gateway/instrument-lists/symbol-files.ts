/**
 * Symbol files, kept for the minute: contracts begin and end on whole minutes. Tens of thousands of lines are written a
 * few at a time, and other requests have their turn in between. All readers share the same bytes, as often and as
 * slowly as they read; the bytes change only when a contract has begun or ended. Source: reliability F35.
 */

import type { SymbolFile } from '../../base/ids.ts';
import { type EpochMs, MINUTE_MS } from '../../base/time.ts';
import type { GatewayParts } from '../deps.ts';

/** Lines that are written in one turn of the loop: about two milliseconds. */
const LINES_A_TURN = 500;
/** The client in whose turns files are written: they are written for all clients. */
const FILES = 'symbol files';
const NO_BYTES = Buffer.alloc(0);

interface KeptFile {
  readonly minute: number;
  readonly bytes: Promise<Buffer>;
}

export class SymbolFiles {
  private readonly deps: GatewayParts;
  private readonly kept = new Map<SymbolFile, KeptFile>();

  constructor(deps: GatewayParts) {
    this.deps = deps;
  }

  /**
   * The master of one exchange, or its index derivatives, as CSV. Rejects with the error that the master throws.
   * Source: contract section 5.
   */
  bytesOf(file: SymbolFile, at: EpochMs): Promise<Buffer> {
    const minute = Math.floor(at / MINUTE_MS);
    const known = this.kept.get(file);
    if (known?.minute === minute) return known.bytes;
    const bytes = this.write(file, at, known?.bytes);
    this.kept.set(file, { minute, bytes });
    bytes.catch(() => this.kept.delete(file));
    return bytes;
  }

  private async write(name: SymbolFile, at: EpochMs, before: Promise<Buffer> | undefined): Promise<Buffer> {
    const { contractLists, turns } = this.deps;
    const file = new RewrittenFile((await before) ?? NO_BYTES);
    await contractLists.ready(at);
    const lines = this.deps.symbolLines(name, at)[Symbol.iterator]();
    while (await turns.run(FILES, () => file.add(someOf(lines))));
    return file.bytes();
  }
}

/** A file that is written again, piece by piece: the old bytes as long as nothing differs. */
class RewrittenFile {
  private readonly before: Buffer;
  /** How many of the old bytes were written again as they were. */
  private same = 0;
  /** The bytes that follow them, once they differ. */
  private readonly others: Buffer[] = [];

  constructor(before: Buffer) {
    this.before = before;
  }

  /** False when there was nothing to add. */
  add(text: string): boolean {
    const piece = Buffer.from(text);
    const end = this.same + piece.length;
    if (this.others.length === 0 && this.before.subarray(this.same, end).equals(piece)) this.same = end;
    else this.others.push(piece);
    return text !== '';
  }

  bytes(): Buffer {
    const { before, same, others } = this;
    if (others.length === 0 && same === before.length) return before;
    return Buffer.concat([before.subarray(0, same), ...others]);
  }
}

/** The next lines; blank when there are none. */
function someOf(lines: Iterator<string>): string {
  let text = '';
  for (let count = 0; count < LINES_A_TURN; count += 1) {
    const next = lines.next();
    if (next.done) break;
    text += `${next.value}\n`;
  }
  return text;
}
