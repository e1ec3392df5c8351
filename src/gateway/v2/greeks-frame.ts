import type { MarketData } from '../../core/market.ts';
import type { Sight } from '../sockets/market-watch.ts';
import { type TextFrame, textFrame } from '../sockets/text-frame.ts';

/** Figures are whole ten-thousandths: of a delta, of a gamma per rupee, and of rupees. Source: docs/stream.md. */
const SCALE = 10_000;
const PAISE = 100;

/**
 * Makes the frame of an option's greeks, at the market's own prices; nothing for any other instrument. The same
 * function has to be used for all sockets.
 */
export function greeksFrames(market: MarketData): (sight: Sight) => TextFrame | undefined {
  return ({ instrument: { id, exchange, token }, tick }) => {
    const greeks = market.greeks(id, tick);
    if (greeks === undefined) return undefined;
    const { delta, gamma, theta, vega, rho } = greeks;
    const rupees = (paise: number): number => Math.round((paise / PAISE) * SCALE);
    return textFrame(
      `{"${exchange}:${token}":{"c_exch_seg":"${exchange}","c_symbol":"${token}",` +
        `"gamma":${Math.round(gamma * PAISE * SCALE)},"theta":${rupees(theta)},"delta":${Math.round(delta * SCALE)},` +
        `"vega":${rupees(vega)},"rho":${rupees(rho)}}}`,
    );
  };
}
