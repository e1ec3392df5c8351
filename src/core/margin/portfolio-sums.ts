import type { InstrumentId } from '../../base/ids.ts';
import type { Paise } from '../../base/money.ts';
import { OffsetGroup } from './offset-group.ts';
import type { RiskSheet } from './risk-sheet.ts';
import { addMargins, type WorldMargin } from './world-margin.ts';
import { type ContractLeg, NO_LEG, type World } from './worlds.ts';

/**
 * The contracts of one portfolio added up by the figures of one sheet: a change of one contract costs that contract, whatever else is
 * held. All sums are of whole numbers, so taking away what was added leaves nothing behind, and any order of changes gives the same.
 */
export class PortfolioSums {
  readonly sheet: RiskSheet;
  private readonly legs = new Map<InstrumentId, ContractLeg>();
  private readonly later = new OffsetGroup();
  /** What expires on the day of the figures, to which nothing later is an offset. Source: market-rules R4.38. */
  private readonly expiring = new OffsetGroup();
  private buying = 0;
  private selling = 0;
  private premium = 0;

  constructor(sheet: RiskSheet) {
    this.sheet = sheet;
  }

  /** The quantities that a contract counts with. */
  leg(id: InstrumentId): ContractLeg {
    return this.legs.get(id) ?? NO_LEG;
  }

  /** Lets a contract count with these quantities. */
  set(id: InstrumentId, leg: ContractLeg): void {
    const before = this.leg(id);
    const risk = this.sheet.contract(id);
    (risk.expiring ? this.expiring : this.later).change(risk, before, leg);
    this.buying += isOpen(leg.buys) - isOpen(before.buys);
    this.selling += isOpen(leg.sells) - isOpen(before.sells);
    this.premium += leg.premium - before.premium;
    this.legs.set(id, leg);
  }

  /** False when a world is what is held: no order is open on its side. */
  differs(world: World): boolean {
    return world === 'bought' ? this.buying > 0 : world === 'sold' && this.selling > 0;
  }

  /** The margin of one world. The premium of open buys counts where they are filled. Source: market-rules R4.25, R4.27. */
  measure(world: World): WorldMargin {
    const { later, expiring } = this;
    const margin = expiring.isEmpty()
      ? later.measure(world)
      : addMargins(later.measure(world), expiring.measure(world));
    return world === 'bought' ? { ...margin, premium: this.premium as Paise } : margin;
  }
}

function isOpen(units: number): number {
  return units === 0 ? 0 : 1;
}
