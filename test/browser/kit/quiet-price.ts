import type { StoryUser } from './story-service.ts';

/**
 * A price some ticks below the best bid, so that a buy rests there; decimal text of rupees. Levels that the depth shows
 * are not far enough: on a busy machine a story lasts as long as the market needs to come down to them.
 */
export async function belowBid(
  user: StoryUser,
  named: { readonly exchange: string; readonly tradingSymbol: string },
  ticks: number,
): Promise<string> {
  const { bestBuyPrice1 } = await user.call<{ readonly bestBuyPrice1: string }>('getQuote', named);
  const { tickSize } = await user.call<{ readonly tickSize: string }>('getInstrument', named);
  return (Number(bestBuyPrice1) - ticks * Number(tickSize)).toFixed(2);
}
