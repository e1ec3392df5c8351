/** The reports of a book on messages, folded into one number, so that two books can be compared message by message. */
export interface Reports {
  /** `maker` and `taker` are serial numbers of orders; the price is in paise. */
  traded(maker: number, taker: number, price: number, quantity: number): void;
  /** A message named an order that is not in the book. */
  refused(serial: number): void;
  /** The rest of an immediate order was cancelled. */
  ended(serial: number): void;
}

/** FNV-1a over the fields of the reports. */
export class Digest implements Reports {
  trades = 0;
  private hash = 0x811c9dc5;

  traded(maker: number, taker: number, price: number, quantity: number): void {
    this.trades += 1;
    for (const field of [1, maker, taker, price, quantity]) this.add(field);
  }

  refused(serial: number): void {
    this.add(2);
    this.add(serial);
  }

  ended(serial: number): void {
    this.add(3);
    this.add(serial);
  }

  get text(): string {
    return (this.hash >>> 0).toString(16).padStart(8, '0');
  }

  private add(field: number): void {
    for (let shift = 0; shift < 32; shift += 8) {
      this.hash = Math.imul(this.hash ^ ((field >>> shift) & 0xff), 0x01000193);
    }
  }
}

/** Counts trades alone: for runs that are timed. */
export class Counted implements Reports {
  trades = 0;
  units = 0;

  traded(_maker: number, _taker: number, _price: number, quantity: number): void {
    this.trades += 1;
    this.units += quantity;
  }

  refused(): void {}

  ended(): void {}
}
