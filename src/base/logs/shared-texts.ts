import { ByteLog, type ChunkStore } from './byte-log.ts';
import { TextLog, type TextPlace } from './text-log.ts';

/** How many texts are known at once, as a power of two. */
const KNOWN_BITS = 10;
const KNOWN = 1 << KNOWN_BITS;

/** A text and where it stands. */
interface Known {
  readonly text: string;
  readonly place: TextPlace;
}

/**
 * Texts in a log where those that return often, such as a strategy's remarks, stand once. Each text has one place among
 * those that are known, and the next with this place takes it: a map would file every text of a day.
 */
export class SharedTexts {
  private readonly log: TextLog;
  private readonly known: (Known | undefined)[] = new Array(KNOWN).fill(undefined);
  /** The hash of the text at each place: a text that is known for long is no longer near the processor. */
  private readonly hashes = new Int32Array(KNOWN);

  constructor(store: ChunkStore) {
    this.log = new TextLog(new ByteLog(store));
  }

  add(text: string): TextPlace {
    const hash = hashOf(text);
    const at = (hash ^ (hash >>> KNOWN_BITS)) & (KNOWN - 1);
    const known = this.hashes[at] === hash ? this.known[at] : undefined;
    if (known?.text === text) return known.place;
    const place = this.log.add(text);
    this.known[at] = { text, place };
    this.hashes[at] = hash;
    return place;
  }

  read(at: number, length: number): string {
    return this.log.read(at, length);
  }
}

function hashOf(text: string): number {
  let hash = text.length;
  for (let at = 0; at < text.length; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}
