/**
 * The limit that protects a market order: its reference price worsened by a share, within the band and the limit price
 * protection of its contract.
 */

import { must } from '../../../base/assert.ts';
import { ceilToTick, floorToTick, type Price, price, ZERO_PRICE } from '../../../base/money.ts';
import type { GuardWidths } from '../../exchange/guards/guard-widths.ts';
import { protectionAt } from '../../exchange/guards/guarded-prices.ts';
import { stopGap } from '../../exchange/guards/price-range.ts';
import { isGathering } from '../../exchange/phase.ts';
import { bestOpposite, lastTradedPrice } from '../../exchange/reference.ts';
import type { Venue } from '../../exchange/venue.ts';
import type { Instrument, InstrumentKind } from '../../instrument.ts';
import type { PriceBand } from '../../market.ts';
import type { OrderTerms, ProtectionE4, Side } from '../../order.ts';

/** 100 % in ten-thousandths of a percent. */
const WHOLE = 1_000_000;

/**
 * Terms with the limit that protects a market order. Terms that have a limit stay as they are. The price stays 0 when
 * the market gives no reference. Source: market-rules R3.6 to R3.11.
 */
export function withLimit(
  venue: Venue,
  instrument: Instrument,
  side: Side,
  terms: OrderTerms,
  protection: ProtectionE4 | undefined,
): OrderTerms {
  if (instrument.kind === 'index' || (terms.priceType !== 'MKT' && terms.priceType !== 'SL-MKT')) return terms;
  const band = venue.band();
  if (terms.priceType === 'SL-MKT') {
    const share = protection ?? slabProtection(venue.guards, instrument.kind, terms.trigger);
    const limit = stopLimit(venue.guards, side, terms.trigger, share, instrument);
    const inside = terms.trigger >= band.lower && terms.trigger <= band.upper;
    return { ...terms, price: inside ? clampToBand(limit, band, instrument.tick) : limit };
  }
  const { phase } = venue;
  if (isGathering(phase)) return { ...terms, price: auctionLimit(venue, side, instrument.tick, protection) };
  const reference = bestOpposite(venue, side) ?? lastTradedPrice(venue);
  if (reference <= 0) return { ...terms, price: ZERO_PRICE };
  if (phase === 'PostClose') return { ...terms, price: reference };
  const share = protection ?? slabProtection(venue.guards, instrument.kind, reference);
  const limit = protectedPrice(side, reference, share, instrument.tick);
  return { ...terms, price: clampToBand(protectedLimit(venue, side, limit, instrument.tick), band, instrument.tick) };
}

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

/**
 * In an auction a market order trades at the auction's price, whatever it is. Its limit is the edge of the band, or the
 * reference worsened by the protection that its client named. Source: market-rules R2.6, R3.8.
 */
function auctionLimit(venue: Venue, side: Side, tick: Price, protection: ProtectionE4 | undefined): Price {
  const band = venue.band();
  const edge = side === 'B' ? floorToTick(band.upper, tick) : ceilToTick(band.lower, tick);
  if (protection === undefined) return edge;
  const { reference } = venue.market.auction(venue.instrument, venue.tick);
  return clampToBand(protectedPrice(side, reference, protection, tick), band, tick);
}

/**
 * Keeps a market order's limit inside the limit price protection of its contract. Source: market-rules R3.7, R1.46.
 */
function protectedLimit(venue: Venue, side: Side, limit: Price, tick: Price): Price {
  const range = protectionAt(venue);
  if (range === undefined) return limit;
  return (
    side === 'B' ? Math.min(limit, floorToTick(range.upper, tick)) : Math.max(limit, ceilToTick(range.lower, tick))
  ) as Price;
}
