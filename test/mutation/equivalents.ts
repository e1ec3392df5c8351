import { IN_BROKER } from './equivalents/broker.ts';
import { IN_DOORS } from './equivalents/doors.ts';
import type { Equivalent } from './equivalents/equivalent.ts';
import { IN_EXCHANGE } from './equivalents/exchange.ts';
import { IN_MARGIN } from './equivalents/margin.ts';
import { IN_MARGIN_SUMS } from './equivalents/margin-sums.ts';

/** All mutants that are not drawn, because nothing could notice them. */
export const EQUIVALENTS: readonly Equivalent[] = [
  ...IN_BROKER,
  ...IN_DOORS,
  ...IN_EXCHANGE,
  ...IN_MARGIN,
  ...IN_MARGIN_SUMS,
];
