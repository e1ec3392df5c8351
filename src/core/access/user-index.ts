/**
 * Finds the accounts of user ids. It keeps the numbers of accounts alone, four bytes a place, and reads the ids in the
 * accounts: a map of some million ids takes five times as much, and stops everything while it grows.
 */

import { must } from '../../base/assert.ts';
import type { AccountId } from '../../base/ids.ts';
import type { ReadonlyPagedList } from '../../base/tables/paged-list.ts';

/** The index is divided by hash into this number of parts: one that grows is filed again alone. */
const PARTS = 256;
const FIRST_ROOM = 8;
const NOBODY = -1;

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** The numbers of some users, at the places that their hashes give. At most half of the places are taken. */
interface Part {
  places: Int32Array;
  taken: number;
}

export class UserIndex {
  private readonly parts: (Part | undefined)[] = [];
  private readonly accounts: ReadonlyPagedList<{ readonly userId: string }>;
  private count = 0;

  /** `accounts` are those of the state, by number. */
  constructor(accounts: ReadonlyPagedList<{ readonly userId: string }>) {
    this.accounts = accounts;
  }

  get size(): number {
    return this.count;
  }

  get(userId: string): AccountId | undefined {
    const hash = hashOf(userId);
    const part = this.parts[hash % PARTS];
    if (part === undefined) return undefined;
    const { places } = part;
    for (let place = placeOf(hash, places); ; place = (place + 1) % places.length) {
      const id = places[place] as AccountId;
      if (id === NOBODY) return undefined;
      if (this.accounts.at(id)?.userId === userId) return id;
    }
  }

  has(userId: string): boolean {
    return this.get(userId) !== undefined;
  }

  /** Files an account that is among those of the state, under an id that no other has. */
  add(id: AccountId): void {
    const hash = this.hashAt(id);
    let part = this.parts[hash % PARTS];
    if (part === undefined) {
      part = { places: emptyPlaces(FIRST_ROOM), taken: 0 };
      this.parts[hash % PARTS] = part;
    }
    if (part.taken * 2 >= part.places.length) this.grow(part);
    file(part.places, hash, id);
    part.taken += 1;
    this.count += 1;
  }

  private grow(part: Part): void {
    const larger = emptyPlaces(part.places.length * 2);
    for (const id of part.places) if (id !== NOBODY) file(larger, this.hashAt(id), id);
    part.places = larger;
  }

  private hashAt(id: number): number {
    return hashOf(must(this.accounts.at(id), 'an account that is filed is there').userId);
  }
}

function emptyPlaces(room: number): Int32Array {
  return new Int32Array(room).fill(NOBODY);
}

function placeOf(hash: number, places: Int32Array): number {
  return Math.floor(hash / PARTS) % places.length;
}

function file(places: Int32Array, hash: number, id: number): void {
  let place = placeOf(hash, places);
  while (places[place] !== NOBODY) place = (place + 1) % places.length;
  places[place] = id;
}

/** FNV-1a over the units of a text, with its bits mixed: near ids lie far from each other. */
function hashOf(text: string): number {
  let hash = FNV_OFFSET;
  for (let unit = 0; unit < text.length; unit += 1) hash = Math.imul(hash ^ text.charCodeAt(unit), FNV_PRIME);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 12)) >>> 0;
}
