import type { SymbolFile } from '../base/ids.ts';
import { type EpochMs, MINUTE_MS } from '../base/time.ts';
import type { GatewayDeps } from './deps.ts';
import { nextTurn } from './next-turn.ts';

/** Lines that are written in one turn of the loop: about two milliseconds. */
const LINES_A_TURN = 500;
const NO_BYTES = Buffer.alloc(0);

interface KeptFile {
  readonly minute: number;
  readonly bytes: Promise<Buffer>;
}

/**
 * Symbol files, kept for the minute: contracts begin and end on whole minutes. Tens of thousands of lines are written a few at a
 * time, other requests having their turn in between. Anybody may ask for them, as often as they like, and read them as slowly: all who do share the
 * same bytes, which are others only when a contract has begun or ended. Source: reliability F35.
 */
export class SymbolFiles {
  private readonly deps: GatewayDeps;
  private readonly kept = new Map<SymbolFile, KeptFile>();

  constructor(deps: GatewayDeps) {
    this.deps = deps;
  }

  /** The master of one exchange, or its index derivatives, as CSV. Rejects with what the master throws. Source: contract section 5. */
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
    const file = new RewrittenFile((await before) ?? NO_BYTES);
    let lines: string[] = [];
    for (const line of this.deps.symbolLines(name, at)) {
      if (lines.push(line) < LINES_A_TURN) continue;
      file.add(textOf(lines));
      lines = [];
      await nextTurn();
    }
    file.add(textOf(lines));
    return file.bytes();
  }
}

/** A file that is written again, piece by piece: the old bytes as long as nothing differs. */
class RewrittenFile {
  private readonly before: Buffer;
  /** How many of the old bytes were written again as they were. */
  private same = 0;
  /** What follows them, once it differs. */
  private readonly others: Buffer[] = [];

  constructor(before: Buffer) {
    this.before = before;
  }

  add(text: string): void {
    const piece = Buffer.from(text);
    const end = this.same + piece.length;
    if (this.others.length === 0 && this.before.subarray(this.same, end).equals(piece)) this.same = end;
    else this.others.push(piece);
  }

  bytes(): Buffer {
    const { before, same, others } = this;
    if (others.length === 0 && same === before.length) return before;
    return Buffer.concat([before.subarray(0, same), ...others]);
  }
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
