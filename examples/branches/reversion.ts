/** Whether a strategy holds: it buys a part below the average of the last prices, and sells at that average. */
export function wantsToHold(prices: readonly number[], belowE4: number, holds: boolean): boolean {
  const last = prices.at(-1) ?? 0;
  const average = prices.reduce((sum, price) => sum + price, 0) / prices.length;
  return holds ? last < average : last <= average * (1 - belowE4 / 10_000);
}
