/** A list, or something else that gives its items stretch by stretch. Later items of its source do not change it. */
export interface Stretches<Item> {
  readonly length: number;
  /** The items from a place on and before another. */
  slice(from: number, to: number): readonly Item[];
}

/** A log whose items are found by their places. */
interface PlacedLog<Item> {
  read(place: number): Item;
}

/**
 * The items of a log that stand at some of its places, as they were when it was made. They are read when they are asked
 * for: `places` may be of millions, and grows only at its end.
 */
export class PlacedRows<Item> implements Stretches<Item> {
  private readonly log: PlacedLog<Item>;
  private readonly places: readonly number[];
  readonly length: number;

  constructor(log: PlacedLog<Item>, places: readonly number[]) {
    this.log = log;
    this.places = places;
    this.length = places.length;
  }

  slice(from: number, to: number): readonly Item[] {
    return this.places.slice(from, Math.min(to, this.length)).map((place) => this.log.read(place));
  }
}
