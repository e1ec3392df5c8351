import { ToolRefusal } from './tool-answer.ts';

/** How much an agent may place while the server runs. */
export interface CapSettings {
  /** The largest value of one order, in paise. */
  readonly maxOrderValue: bigint;
  readonly maxOrders: number;
}

/** Counts the orders of one run of the server, whatever became of them. */
export class TradingCaps {
  readonly settings: CapSettings;
  private orders = 0;

  constructor(settings: CapSettings) {
    this.settings = settings;
  }

  /** How many orders may still be placed. */
  get left(): number {
    return this.settings.maxOrders - this.orders;
  }

  /** Whether an order of that value, in paise, is within the cap of one order. */
  admits(value: bigint): boolean {
    return value <= this.settings.maxOrderValue;
  }

  /** Counts an order that is about to be placed. Throws `ToolRefusal` beyond a cap. */
  take(value: bigint): void {
    if (!this.admits(value)) throw new ToolRefusal('the order is worth more than --max-order-value');
    if (this.left <= 0) throw new ToolRefusal('all orders of --max-orders are placed');
    this.orders += 1;
  }

  /** The order was certainly not placed. */
  giveBack(): void {
    this.orders -= 1;
  }
}
