import { type MarketClock, marketOfTheWall } from '../engine/market-clock.ts';
import { wallClock } from '../os/wall-clock.ts';

/** The clock of the market of this process: the wall's. */
export const marketClock: MarketClock = marketOfTheWall(wallClock);
