import assert from 'node:assert/strict';
import type { AccountId } from '../../../src/base/ids.ts';
import { limit } from '../../../src/gateway/endpoints/account/limit.ts';
import { positionBook } from '../../../src/gateway/endpoints/account/position-book.ts';
import { orderBook } from '../../../src/gateway/endpoints/orders/order-book.ts';
import { tradeBook } from '../../../src/gateway/endpoints/orders/trade-book.ts';
import { isAfter, type Place, placeOf, WHOLE } from '../../../src/gateway/stream/place.ts';
import { FakeSocket } from './fake-socket.ts';
import type { StreamWorld } from './stream-world.ts';

type Row = Readonly<Record<string, string>>;

/** Fields that move with the market and with the time, without an event. */
const MOVING = ['lastTradedPrice', 'totalMTM', 'totalPNL', 'unrealizedMTOM', 'requestTime'];
const BOOKS = { order: orderBook, trade: tradeBook, position: positionBook, limit };
type Kind = keyof typeof BOOKS;
const KINDS = Object.keys(BOOKS) as Kind[];

function keyOf(kind: Kind, row: Row): string {
  if (kind === 'order') return `order ${row.orderNumber}`;
  if (kind === 'trade') return `trade ${row.fillId} ${row.orderNumber}`;
  return kind === 'position' ? `position ${row.token} ${row.product}` : 'limit';
}

function still(row: Row): string {
  return JSON.stringify(Object.entries(row).filter(([name]) => !MOVING.includes(name)));
}

/** A user's program: it holds the books by the stream alone, and reads them anew only when it is told of a gap. */
export class StreamReader {
  readonly account: AccountId;
  /** The events that came, in order: `order 1843-0`. */
  readonly events: string[] = [];
  /** The records after which the books were read anew. */
  readonly gaps: number[] = [];
  readonly closes: number[] = [];
  socket: FakeSocket | undefined;
  private readonly world: StreamWorld;
  private readonly books = new Map<string, string>();
  /** The record after which it wanted all. */
  readonly from: number;
  private place: Place;
  private needsBooks = false;

  /** `from`: the record after which it wants all. */
  constructor(world: StreamWorld, account: AccountId, from: number) {
    this.world = world;
    this.account = account;
    this.from = from;
    this.place = { seq: from, index: WHOLE };
  }

  /** Opens a socket and asks for what it has not seen. */
  connect(): void {
    const { world, place } = this;
    const socket = new FakeSocket();
    this.socket = socket;
    world.dialect.open(socket, new URL('http://socket/stream'));
    const userId = world.live.state.accounts[this.account]?.userId;
    socket.say({ login: { userId, jKey: 'x' } });
    const since = place.index === WHOLE ? String(place.seq) : `${place.seq}-${place.index}`;
    socket.say({ subscribe: ['orders', 'trades', 'positions', 'limits'], since });
    if (this.needsBooks) void this.readBooks();
  }

  /** The connection breaks: what was not read is lost. */
  cut(): void {
    this.socket?.close(1006);
    this.socket = undefined;
  }

  /** Reads at most this number of texts. */
  read(most: number): void {
    const { socket } = this;
    if (socket === undefined) return;
    for (const text of socket.read(most)) this.take(JSON.parse(text));
    if (socket.closedWith !== undefined) {
      this.closes.push(socket.closedWith);
      this.socket = undefined;
    }
  }

  /** The names of the rows that differ from the books, as the operations answer them now. */
  async wrongRows(): Promise<string[]> {
    const wanted = await this.booksNow();
    const names = new Set([...wanted.keys(), ...this.books.keys()]);
    return [...names].filter((name) => wanted.get(name) !== this.books.get(name));
  }

  private take(frame: { type: string; seq: string; data: Row; channels: readonly string[] }): void {
    assert.notEqual(frame.type, 'error', JSON.stringify(frame));
    if (frame.type === 'gap') {
      assert.equal(frame.channels.length, 4);
      this.gaps.push(Number(frame.seq));
      this.place = { seq: Number(frame.seq), index: WHOLE };
      this.needsBooks = true;
      void this.readBooks();
    }
    const kind = KINDS.find((known) => known === frame.type);
    if (kind === undefined) return;
    const place = placeOf(frame.seq);
    assert.ok(place !== undefined && isAfter(place, this.place), `${frame.seq} comes once, in order`);
    assert.ok(place.seq <= this.world.journal.head().seq, 'nothing comes before it is durable');
    this.place = place;
    this.events.push(`${kind} ${frame.seq}`);
    this.books.set(keyOf(kind, frame.data), still(frame.data));
  }

  /** As a client does beside its socket: rows that events bring in the meantime are newer. */
  private async readBooks(): Promise<void> {
    const { kills } = this.world;
    const seen = this.events.length;
    const fresh = await this.booksNow();
    if (this.world.kills !== kills || this.events.length !== seen)
      return this.needsBooks ? this.readBooks() : undefined;
    this.books.clear();
    for (const [name, row] of fresh) this.books.set(name, row);
    this.needsBooks = false;
  }

  private async booksNow(): Promise<Map<string, string>> {
    const books = new Map<string, string>();
    for (const kind of KINDS) {
      const data = (await this.world.ask(BOOKS[kind], this.account)) as Row | readonly Row[];
      for (const row of Array.isArray(data) ? (data as Row[]) : [data as Row]) books.set(keyOf(kind, row), still(row));
    }
    return books;
  }
}
