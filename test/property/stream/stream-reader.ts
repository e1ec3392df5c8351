import assert from 'node:assert/strict';
import type { AccountId } from '../../../src/base/ids.ts';
import { limit } from '../../../src/gateway/endpoints/account/limit.ts';
import { positionBook } from '../../../src/gateway/endpoints/account/position-book.ts';
import { getAlerts } from '../../../src/gateway/endpoints/lists/get-alerts.ts';
import { orderBook } from '../../../src/gateway/endpoints/orders/order-book.ts';
import { tradeBook } from '../../../src/gateway/endpoints/orders/trade-book.ts';
import { placeOf } from '../../../src/gateway/stream/place.ts';
import { type Answered, answeredBooks, CHANNELS, HeldBooks } from '../../kit/wire/held-books.ts';
import { FakeSocket } from './fake-socket.ts';
import type { StreamWorld } from './stream-world.ts';

/** A user's program: it holds the books by the stream alone, and reads them again only after a gap. */
export class StreamReader {
  readonly account: AccountId;
  /** The record after which it wanted all. */
  readonly from: number;
  /** The records after which the books were read again. */
  readonly gaps: number[] = [];
  readonly closes: number[] = [];
  socket: FakeSocket | undefined;
  private readonly world: StreamWorld;
  private readonly books: HeldBooks;
  private needsBooks = false;

  constructor(world: StreamWorld, account: AccountId, from: number) {
    this.world = world;
    this.account = account;
    this.from = from;
    this.books = new HeldBooks(from);
  }

  get events(): readonly string[] {
    return this.books.events;
  }

  /** Opens a socket and asks for what it has not seen. */
  connect(): void {
    const { world } = this;
    const socket = new FakeSocket();
    this.socket = socket;
    world.dialect.open(socket, new URL('http://socket/stream'));
    const userId = world.live.state.accounts.at(this.account)?.userId;
    socket.say({ login: { userId, jKey: 'x' } });
    socket.say({ subscribe: CHANNELS, since: this.books.since });
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
    return this.books.differences(await this.booksNow());
  }

  private take(frame: { type: string; seq: string; channels: readonly string[] }): void {
    assert.notEqual(frame.type, 'error', JSON.stringify(frame));
    const durable = this.world.journal.head().seq;
    if (this.books.take(frame)) {
      assert.ok((placeOf(frame.seq)?.seq ?? 0) <= durable, 'nothing comes before it is durable');
    } else if (frame.type === 'gap') {
      assert.deepEqual(frame.channels, CHANNELS);
      this.gaps.push(Number(frame.seq));
      this.books.skipTo(Number(frame.seq));
      this.needsBooks = true;
      void this.readBooks();
    }
  }

  /** As a client does beside its socket: rows that events bring in the meantime are newer. */
  private async readBooks(): Promise<void> {
    const { kills } = this.world;
    const seen = this.events.length;
    const fresh = await this.booksNow();
    if (!this.needsBooks) return;
    if (this.world.kills !== kills || this.events.length !== seen) await this.readBooks();
    else {
      this.books.replace(fresh);
      this.needsBooks = false;
    }
  }

  private async booksNow(): Promise<Answered> {
    const { world, account } = this;
    return answeredBooks({
      order: await world.ask(orderBook, account),
      trade: await world.ask(tradeBook, account),
      position: await world.ask(positionBook, account),
      limit: await world.ask(limit, account),
      alert: await world.ask(getAlerts, account),
    });
  }
}
