import type { InstrumentId, Tick } from '../../../src/base/ids.ts';
import { price } from '../../../src/base/money.ts';
import type { Print } from '../../../src/core/market.ts';
import { SyntheticMarket } from '../../../src/market/synthetic/synthetic-market.ts';

/** The indices stand at a share of their level from a tick on. */
interface Fall {
  readonly from: Tick;
  readonly share: number;
}

/** The synthetic market with falls of the indices that a test asks for: no seed of it falls so far by itself. */
export class FallingMarket extends SyntheticMarket {
  /** Says which instruments fall. */
  isIndex: (id: InstrumentId) => boolean = () => false;
  private fall: Fall | undefined;

  /** From a tick on the indices stand this many per cent below where they would. */
  letFall(from: Tick, percent: number): void {
    this.fall = { from, share: 1 - percent / 100 };
  }

  override lastPrint(id: InstrumentId, tick: Tick): Print {
    const print = super.lastPrint(id, tick);
    const { fall } = this;
    if (fall === undefined || tick < fall.from || !this.isIndex(id)) return print;
    return { ...print, price: price(Math.round(print.price * fall.share)) };
  }
}
