/**
 * The texts of all users that no decision reads, as bytes outside of the heap: two texts of each of some million users
 * would be most of what an idle account costs, and more work for the collector than all the rest of it.
 */

import { assert } from '../../base/assert.ts';
import type { Brand } from '../../base/brand.ts';

/** The texts of a user that no decision reads. */
export interface UserCard {
  readonly email: string;
  readonly sealedCredentials: string;
}

/** Where a card stands in its file. */
export type CardPlace = Brand<'CardPlace'>;

/** A place counts in steps of this number of bytes, so that the places of some ten gigabytes are small numbers. */
const STEP = 8;
const PAGE_BYTES = 64 * 1024;
const STEPS_IN_PAGE = PAGE_BYTES / STEP;

/** The head of a card in whole words: its room in bytes, 1 where it has wide units, and the lengths of its texts. */
const HEAD_BYTES = 16;
const [ROOM, WIDE, EMAIL, SEALED] = [0, 1, 2, 3];

/** The units that are made into text at once. */
const UNITS_AT_ONCE = 256;
const LARGEST_NARROW = 0xff;

export class CardFile {
  private readonly pages: ArrayBuffer[] = [];
  /** The page that fills, and the bytes of it that are taken. */
  private filling = -1;
  private taken = PAGE_BYTES;

  add(card: UserCard): CardPlace {
    const text = card.email + card.sealedCredentials;
    const isWide = !isNarrow(text);
    const bytes = HEAD_BYTES + text.length * (isWide ? 2 : 1);
    const place = this.allot(bytes);
    new Uint32Array(this.pageOf(place), offsetOf(place), HEAD_BYTES / 4)[ROOM] = bytes;
    this.write(place, card, text, isWide);
    return place;
  }

  /** Writes a card in the place of another: where that was, as long as it fits there. */
  replace(place: CardPlace, card: UserCard): CardPlace {
    const text = card.email + card.sealedCredentials;
    const isWide = !isNarrow(text);
    const room = this.headAt(place)[ROOM] as number;
    if (HEAD_BYTES + text.length * (isWide ? 2 : 1) > room) return this.add(card);
    this.write(place, card, text, isWide);
    return place;
  }

  read(place: CardPlace): UserCard {
    const head = this.headAt(place);
    const [email, sealed] = [head[EMAIL] as number, head[SEALED] as number];
    const text = textOf(this.unitsAt(place, head[WIDE] === 1, email + sealed));
    return { email: text.slice(0, email), sealedCredentials: text.slice(email) };
  }

  private write(place: CardPlace, { email, sealedCredentials }: UserCard, text: string, isWide: boolean): void {
    const head = this.headAt(place);
    head[WIDE] = isWide ? 1 : 0;
    head[EMAIL] = email.length;
    head[SEALED] = sealedCredentials.length;
    const units = this.unitsAt(place, isWide, text.length);
    for (let unit = 0; unit < text.length; unit += 1) units[unit] = text.charCodeAt(unit);
  }

  /** A place with that many bytes of room. A card that is larger than a page has a page of its own. */
  private allot(bytes: number): CardPlace {
    if (bytes > PAGE_BYTES) {
      this.pages.push(new ArrayBuffer(bytes));
      return ((this.pages.length - 1) * STEPS_IN_PAGE) as CardPlace;
    }
    if (this.taken + bytes > PAGE_BYTES) {
      this.pages.push(new ArrayBuffer(PAGE_BYTES));
      this.filling = this.pages.length - 1;
      this.taken = 0;
    }
    const place = this.filling * STEPS_IN_PAGE + this.taken / STEP;
    this.taken += Math.ceil(bytes / STEP) * STEP;
    return place as CardPlace;
  }

  private headAt(place: CardPlace): Uint32Array {
    return new Uint32Array(this.pageOf(place), offsetOf(place), HEAD_BYTES / 4);
  }

  private unitsAt(place: CardPlace, isWide: boolean, length: number): Uint8Array | Uint16Array {
    const page = this.pageOf(place);
    const from = offsetOf(place) + HEAD_BYTES;
    return isWide ? new Uint16Array(page, from, length) : new Uint8Array(page, from, length);
  }

  private pageOf(place: CardPlace): ArrayBuffer {
    const page = this.pages[Math.floor(place / STEPS_IN_PAGE)];
    assert(page !== undefined, 'only a card that was added is read');
    return page;
  }
}

function offsetOf(place: CardPlace): number {
  return (place % STEPS_IN_PAGE) * STEP;
}

/** True when every unit of the text fits into a byte. */
function isNarrow(text: string): boolean {
  for (let unit = 0; unit < text.length; unit += 1) if (text.charCodeAt(unit) > LARGEST_NARROW) return false;
  return true;
}

function textOf(units: Uint8Array | Uint16Array): string {
  let text = '';
  for (let unit = 0; unit < units.length; unit += UNITS_AT_ONCE) {
    text += String.fromCharCode(...units.subarray(unit, unit + UNITS_AT_ONCE));
  }
  return text;
}
