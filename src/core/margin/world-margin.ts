import { BASIS_POINTS } from './fixed-point.ts';

/** Exposure is added up in these parts of a paisa: a third of a basis point's share of a price. */
export const EXPOSURE_PARTS = 3 * BASIS_POINTS;

/** The margin of the contracts of one portfolio in one world. Parts of SPAN in hundredths of a paisa. */
export interface WorldMargin {
  readonly scan: number;
  /** The scenario of the largest loss, from 1; 0 when none loses. */
  readonly worst: number;
  readonly calendar: number;
  readonly shortMinimum: number;
  readonly optionValue: number;
  readonly span: number;
  /** In `EXPOSURE_PARTS` of a paisa. */
  readonly exposure: number;
}

/** Two parts of a portfolio that do not offset each other. The worst scenario is that of the larger loss. */
export function addMargins(a: WorldMargin, b: WorldMargin): WorldMargin {
  return {
    scan: a.scan + b.scan,
    worst: a.scan >= b.scan ? a.worst : b.worst,
    calendar: a.calendar + b.calendar,
    shortMinimum: a.shortMinimum + b.shortMinimum,
    optionValue: a.optionValue + b.optionValue,
    span: a.span + b.span,
    exposure: a.exposure + b.exposure,
  };
}
