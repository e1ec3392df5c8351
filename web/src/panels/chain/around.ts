import { nearestTo } from '../strategy/scale.ts';
import type { Strike } from './chain-data.ts';

/** The place of the strike that is nearest to a price, the lower of two; -1 without a strike or a price. */
export function nearestStrike(strikes: readonly Pick<Strike, 'price'>[], price: string | undefined): number {
  if (price === undefined || strikes.length === 0) return -1;
  const prices = strikes.map((strike) => Number(strike.price));
  return nearestTo(prices, Number(price));
}

/** The strikes within `count` of a place, on both sides; all of them without a place. */
export function aroundPlace<Row>(strikes: readonly Row[], place: number, count: number): readonly Row[] {
  return place < 0 ? strikes : strikes.slice(Math.max(0, place - count), place + count + 1);
}
