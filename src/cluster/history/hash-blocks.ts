import { must } from '../../base/assert.ts';
import { lastSeq } from '../../journal/chain.ts';
import type { Journal } from '../../journal/journal.ts';

/** The groups that are read at once. */
const GROUPS = 10_000;
/** One for each lane: each of them asks for rising numbers. */
const BLOCKS = 2;

/** The hashes of groups that lie one after the other, by the number that each ends with. */
interface Block {
  readonly first: number;
  readonly last: number;
  readonly hashes: ReadonlyMap<number, string>;
}

/**
 * The chain hashes of a journal for a reader that asks for all of them, mostly in order: groups are read in runs, where
 * a search for each takes half a millisecond.
 */
export class HashBlocks {
  private readonly files: Pick<Journal, 'groups'>;
  /** The newest last. */
  private blocks: readonly Block[] = [];

  constructor(files: Pick<Journal, 'groups'>) {
    this.files = files;
  }

  /** The hash of the group that ends with `seq`; `undefined` when no group ends there. */
  at(seq: number): string | undefined {
    const known = this.blocks.find(({ first, last }) => first <= seq && seq <= last);
    if (known !== undefined) return known.hashes.get(seq);
    this.blocks = [...this.blocks, this.read(seq)].slice(-BLOCKS);
    return must(this.blocks.at(-1), 'a block was read').hashes.get(seq);
  }

  private read(first: number): Block {
    const hashes = new Map<number, string>();
    let last = first;
    for (const group of this.files.groups(first - 1)) {
      last = lastSeq(group);
      hashes.set(last, group.hash);
      if (hashes.size === GROUPS) break;
    }
    return { first, last, hashes };
  }
}
