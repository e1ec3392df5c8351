/** The steps of the end of a trading day, in this order. Source: market-rules R7.5. */
export const DAY_END_STEPS = [
  'SquareOffLeftovers',
  'ClosingPrices',
  'Expiry',
  'MarkToMarket',
  'HoldingsRoll',
  'Charges',
] as const;
export type DayEndStep = (typeof DAY_END_STEPS)[number];

/** The step that is due after `done`; `undefined` when the day has ended and the next one may begin. */
export function stepAfter(done: DayEndStep | undefined): DayEndStep | undefined {
  return DAY_END_STEPS[done === undefined ? 0 : DAY_END_STEPS.indexOf(done) + 1];
}
