import { ByteLog, type ChunkStore } from './byte-log.ts';
import { lengthOf, TextLog, type TextPlace } from './text-log.ts';

/** How many texts are known at once, as a power of two. */
const KNOWN_BITS = 10;
const KNOWN = 1 << KNOWN_BITS;

/**
 * Texts in a log where those that return often, such as a strategy's remarks, stand once. Each text has one place among
 * those that are known, and the next with this place takes it: a map would file every text of a day.
 */
export class SharedTexts {
  private readonly log: TextLog;
  private readonly known: string[] = new Array(KNOWN).fill('');
  /** Where each known text stands: an object of it would live as long as the text does, and most never return. */
  private readonly places = new Float64Array(KNOWN);
  /** The hash of the text at each place: a text that is known for long is no longer near the processor. */
  private readonly hashes = new Int32Array(KNOWN);

  constructor(store: ChunkStore) {
    this.log = new TextLog(new ByteLog(store));
  }

  add(text: string): TextPlace {
    const hash = hashOf(text);
    const at = (hash ^ (hash >>> KNOWN_BITS)) & (KNOWN - 1);
    if (this.hashes[at] === hash && this.known[at] === text)
      return { at: this.places[at] as number, length: lengthOf(text) };
    const place = this.log.add(text);
    this.known[at] = text;
    this.places[at] = place.at;
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
