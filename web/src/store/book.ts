/** A book of the user as the stream keeps it: rows by key, handed to the components once a frame. */
import { type ReadonlySignal, signal } from '@preact/signals';
import type { Resync, UserEvent } from '../../../client/src/stream/events.ts';
import { atNextFrame } from './frame.ts';

export class Book<Row> {
  private readonly rows = new Map<string, Row>();
  private readonly keyOf: (row: Row) => string;
  private readonly shown = signal<readonly Row[]>([]);
  private readonly known = signal(false);

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

  /** Takes a changed row, or the whole book. */
  readonly take = (event: UserEvent<string, Row> | Resync<Row>): void => {
    if (event.type === 'resync') this.replace(event.data as readonly Row[]);
    else this.set(event.data as Row);
    atNextFrame(this.show);
  };

  clear(): void {
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
    this.shown.value = [...this.rows.values()];
    this.known.value = true;
  };
}
