import type { InstrumentId } from '../../../base/ids.ts';
import type { IstDay } from '../../../base/time.ts';

/**
 * The fixed bands that a share without contracts can have, in percent of its previous close. Source: market-rules
 * R1.40.
 */
export const SHARE_BAND_PERCENTS = [2, 5, 10, 20] as const;
export type ShareBandPercent = (typeof SHARE_BAND_PERCENTS)[number];

/** The band of a share for which nobody has set another. */
export const USUAL_BAND: ShareBandPercent = 20;

/** The fixed band of a share from a trading day on, until the next one. */
export interface ShareBand {
  readonly instrument: InstrumentId;
  readonly percent: ShareBandPercent;
  readonly from: IstDay;
}

/** In the order in which they were set. A list never changes; a new one replaces it. */
export type ShareBands = readonly ShareBand[];
export const NO_SHARE_BANDS: ShareBands = Object.freeze([]);

/** The fixed band of a share on a day, in percent. Source: market-rules R1.40. */
export function shareBandOn(bands: ShareBands, id: InstrumentId, day: IstDay): ShareBandPercent {
  const own = bands.filter(({ instrument, from }) => instrument === id && from <= day);
  return own.reduce((last, band) => (band.from >= last.from ? band : last), { percent: USUAL_BAND, from: 0 }).percent;
}
