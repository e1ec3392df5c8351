import { type Matcher, RUPEES, T1 } from '../wire-checks.ts';

/** The answer of `limit`. Source: interface §limit. */
export const LIMITS: Matcher = {
  availableMargin: RUPEES,
  brkcollamt: RUPEES,
  cash: RUPEES,
  collateral: RUPEES,
  expo: RUPEES,
  marginused: RUPEES,
  totalMargin: RUPEES,
  payin: RUPEES,
  peak_mar: RUPEES,
  premium: RUPEES,
  requestTime: T1,
  span: RUPEES,
};
