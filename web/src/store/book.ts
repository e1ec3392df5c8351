/** A book of the user as the stream keeps it: rows by key, handed to the components once a frame. */
import { type ReadonlySignal, signal } from '@preact/signals';
import type { Resync, UserEvent } from '../../../client/src/stream/events.ts';
import { atNextFrame } from './frame.ts';

export class Book<Row> {
  private readonly rows = new Map<string, Row>();
  private readonly keyOf: (row: Row) => string;
  private readonly shown = signal<readonly Row[]>([]);
  private readonly known = signal(false);
  /** True when something came since the last picture. */
  private isFresh = false;
  /** The listener of the present stream. */
  private listening: ((event: UserEvent<string, Row> | Resync<Row>) => void) | undefined;

  constructor(keyOf: (row: Row) => string) {
    this.keyOf = keyOf;
  }

  /** The rows in the order in which they came first. */
  get list(): ReadonlySignal<readonly Row[]> {
    return this.shown;
  }

  /** False until the service has sent the book. An empty book that is known is empty. */
  get isKnown(): ReadonlySignal<boolean> {
    return this.known;
  }

  get(key: string): Row | undefined {
    return this.rows.get(key);
  }

  /**
   * The listener for the events of one stream: a changed row, or the whole book. Those of a stream before are passed
   * over, as a book that was asked for is answered after the end of its stream too.
   */
  listener(): (event: UserEvent<string, Row> | Resync<Row>) => void {
    const take = (event: UserEvent<string, Row> | Resync<Row>): void => {
      if (this.listening !== take) return;
      if (event.type === 'resync') this.replace(event.data as readonly Row[]);
      else this.set(event.data as Row);
      this.isFresh = true;
      atNextFrame(this.show);
    };
    this.listening = take;
    return take;
  }

  clear(): void {
    this.listening = undefined;
    this.isFresh = false;
    this.rows.clear();
    this.shown.value = [];
    this.known.value = false;
  }

  private replace(rows: readonly Row[]): void {
    this.rows.clear();
    for (const row of rows) this.set(row);
  }

  private set(row: Row): void {
    this.rows.set(this.keyOf(row), row);
  }

  private readonly show = (): void => {
    // The book may have been cleared since.
    if (!this.isFresh) return;
    this.isFresh = false;
    this.shown.value = [...this.rows.values()];
    this.known.value = true;
  };
}
