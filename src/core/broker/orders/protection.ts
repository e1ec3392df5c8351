import { must } from '../../../base/assert.ts';
import { ceilToTick, floorToTick, type Price, price, ZERO_PRICE } from '../../../base/money.ts';
import type { GuardWidths } from '../../exchange/guards/guard-widths.ts';
import { stopGap } from '../../exchange/guards/price-range.ts';
import type { Instrument, InstrumentKind } from '../../instrument.ts';
import type { PriceBand } from '../../market.ts';
import type { ProtectionE4, Side } from '../../order.ts';

/** 100 % in ten-thousandths of a percent. */
const WHOLE = 1_000_000;

/** The protection of a market order whose client names none, by its reference price. Source: market-rules R3.8. */
export function slabProtection({ slabs }: GuardWidths, kind: InstrumentKind, reference: Price): ProtectionE4 {
  const found = (kind === 'option' ? slabs.option : slabs.other).find(({ below }) => reference < below);
  return must(found, 'the last slab has no end').protection;
}

/**
 * `reference` worsened by the protection (100 % at most), rounded to the tick towards the reference. Source:
 * market-rules R3.7.
 */
export function protectedPrice(side: Side, reference: Price, protection: ProtectionE4, tick: Price): Price {
  const unit = WHOLE * tick;
  const share = Math.min(protection, WHOLE);
  if (side === 'B') {
    const worst = reference * (WHOLE + share);
    return price(((worst - (worst % unit)) / unit) * tick);
  }
  const worst = reference * (WHOLE - share);
  const rest = worst % unit;
  return price(((worst - rest) / unit + (rest > 0 ? 1 : 0)) * tick);
}

/** Brings a protected price inside the band, and to at least one tick. Source: market-rules R3.7. */
export function clampToBand(limit: Price, band: PriceBand, tick: Price): Price {
  return Math.max(Math.min(Math.max(limit, band.lower), band.upper), tick) as Price;
}

/**
 * The limit of a stop order without one: its trigger worsened by the protection, within the gap. A trigger off the tick
 * is only rounded here; another check refuses it. Source: market-rules R3.11.
 */
export function stopLimit(
  widths: GuardWidths,
  side: Side,
  trigger: Price,
  protection: ProtectionE4,
  instrument: Pick<Instrument, 'kind' | 'tick'>,
): Price {
  const { kind, tick } = instrument;
  if (trigger % tick !== 0) return side === 'B' ? ceilToTick(trigger, tick) : floorToTick(trigger, tick);
  const limit = protectedPrice(side, trigger, protection, tick);
  const widest = floorToTick(stopGap(widths, kind, trigger), tick);
  if (side === 'B') return Math.min(limit, trigger + widest) as Price;
  return Math.max(limit, trigger - widest, ZERO_PRICE) as Price;
}
