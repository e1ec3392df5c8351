import assert from 'node:assert/strict';
import { isAfter, type Place, placeOf, placeText, WHOLE } from '../../../src/gateway/stream/place.ts';

type Row = Readonly<Record<string, string>>;

/** The books that a stream keeps up to date, by their events, with the operations that answer them whole. */
export const BOOKS = {
  order: 'orderBook',
  trade: 'tradeBook',
  position: 'positionBook',
  limit: 'limit',
  alert: 'getAlerts',
} as const;
export type Kind = keyof typeof BOOKS;
export const KINDS = Object.keys(BOOKS) as Kind[];
/** The channels of these books. */
export const CHANNELS = ['orders', 'trades', 'positions', 'limits', 'alerts'];

/** Fields that move with the market and with the time, without an event. */
const MOVING = ['lastTradedPrice', 'totalMTM', 'totalPNL', 'unrealizedMTOM', 'requestTime'];

function keyOf(kind: Kind, row: Row): string {
  if (kind === 'order') return `order ${row.orderNumber}`;
  if (kind === 'alert') return `alert ${row.alertId}`;
  if (kind === 'trade') return `trade ${row.fillId} ${row.orderNumber}`;
  return kind === 'position' ? `position ${row.token} ${row.product}` : 'limit';
}

function still(row: Row): string {
  return JSON.stringify(Object.entries(row).filter(([name]) => !MOVING.includes(name)));
}

/** Books as the operations answer them, by the names of their rows. */
export type Answered = ReadonlyMap<string, string>;

export function answeredBooks(answers: Readonly<Record<Kind, unknown>>): Answered {
  const books = new Map<string, string>();
  for (const kind of KINDS) {
    const data = answers[kind] as Row | readonly Row[];
    for (const row of Array.isArray(data) ? (data as Row[]) : [data as Row]) books.set(keyOf(kind, row), still(row));
  }
  return books;
}

/** The books that a client holds by its stream alone. */
export class HeldBooks {
  /** The events that came, in order: `order 1843-0`. */
  readonly events: string[] = [];
  private place: Place;
  private books = new Map<string, string>();

  /** `from`: the record after which it has all. */
  constructor(from: number) {
    this.place = { seq: from, index: WHOLE };
  }

  /** Where it goes on after a cut. */
  get since(): string {
    return placeText(this.place);
  }

  /** Takes an event; false when the frame is none. Each comes once and in order. */
  take(frame: { readonly type: string; readonly seq?: string; readonly data?: unknown }): boolean {
    const kind = KINDS.find((known) => known === frame.type);
    if (kind === undefined) return false;
    const place = placeOf(frame.seq ?? '');
    assert.ok(place !== undefined && isAfter(place, this.place), `${frame.seq} comes once, after ${this.since}`);
    this.place = place;
    this.events.push(`${kind} ${frame.seq}`);
    const row = frame.data as Row;
    this.books.set(keyOf(kind, row), still(row));
    return true;
  }

  /** Events up to this record are not known any more. */
  skipTo(seq: number): void {
    this.place = { seq, index: WHOLE };
  }

  replace(answered: Answered): void {
    this.books = new Map(answered);
  }

  /** The names of the rows that differ. */
  differences(answered: Answered): string[] {
    const names = new Set([...answered.keys(), ...this.books.keys()]);
    return [...names].filter((name) => answered.get(name) !== this.books.get(name));
  }
}
