import { assert } from '../../base/assert.ts';
import { type AppendOutcome, MOST_MESSAGE_BYTES } from './lane.ts';

/** The rules of `Lane.append` that hold for every lane: one append at a time, of a size that every lane takes. */
export class AppendTurn {
  private readonly name: string;
  private busy = false;

  constructor(name: string) {
    this.name = name;
  }

  /** Runs an append. Rejects with `InvariantError` when one runs already, or for bytes of a wrong size. */
  async take(bytes: Uint8Array, append: () => Promise<AppendOutcome>): Promise<AppendOutcome> {
    assert(!this.busy, `lane ${this.name}: one append at a time`);
    const { length } = bytes;
    assert(length >= 1 && length <= MOST_MESSAGE_BYTES, `lane ${this.name}: a message of ${length} bytes`);
    this.busy = true;
    try {
      return await append();
    } finally {
      this.busy = false;
    }
  }
}
