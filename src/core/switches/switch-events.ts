import type { InstrumentId } from '../../base/ids.ts';
import type { Price } from '../../base/money.ts';
import type { IstDay } from '../../base/time.ts';
import type { ShareBandPercent } from '../exchange/guards/share-band.ts';
import type { SwitchTarget } from './switch.ts';

/** An operator has set a switch or lifted it. */
export interface SwitchSet {
  readonly type: 'SwitchSet';
  readonly target: SwitchTarget;
  readonly on: boolean;
  readonly by: string;
  readonly why: string;
}

/** A share has another fixed band from a trading day on. Source: market-rules R1.40. */
export interface ShareBandSet {
  readonly type: 'ShareBandSet';
  readonly instrument: InstrumentId;
  /** In percent of the previous close. */
  readonly percent: ShareBandPercent;
  readonly from: IstDay;
  readonly by: string;
  readonly why: string;
}

/** Orders may have these prices until the day ends. */
export interface BandWidened {
  readonly type: 'BandWidened';
  readonly instrument: InstrumentId;
  readonly lower: Price;
  readonly upper: Price;
  readonly by: string;
  readonly why: string;
}
