/** The quantities of one contract over its products. Units held are negative when short. */
export interface Quantities {
  readonly net: number;
  /** Units of open buys and of open sells. */
  readonly buys: number;
  readonly sells: number;
  /** Premium of the open buys that open, in paise; 0 for futures. */
  readonly premium: number;
}

export const NONE: Quantities = { net: 0, buys: 0, sells: 0, premium: 0 };

/**
 * The worlds that one portfolio is measured in: as it is held, with every open buy filled, with every open sell filled,
 * with every open order filled that gains when the underlying rises, and the same when it falls. In the last two, a
 * purchase of the future and a sale of a put add up, and no exit or hedge counts that may never fill. Source:
 * market-rules R4.26, R4.27.
 */
export const WORLDS = ['held', 'bought', 'sold', 'rising', 'falling'] as const;
/** The name of a world; `part` is the held world with a part of the open orders of one contract filled. */
export type WorldName = (typeof WORLDS)[number] | 'part';

/** A world by its place in `WORLDS`: a number, because it is measured for every order. */
export type World = 0 | 1 | 2 | 3 | 4;
export const HELD = 0;
export const BOUGHT = 1;
export const SOLD = 2;
export const RISING = 3;
export const FALLING = 4;
export const ALL_WORLDS: readonly World[] = [HELD, BOUGHT, SOLD, RISING, FALLING];

/** Which way a contract goes: `with` its underlying, as futures and calls do, or `against` it, as puts do. */
export type Way = 'with' | 'against';

/** True where the open buys of contracts of this way are filled. */
export function fillsBuys(world: World, way: Way): boolean {
  return world === BOUGHT || world === (way === 'with' ? RISING : FALLING);
}

/** True where the open sells of contracts of this way are filled. */
function fillsSells(world: World, way: Way): boolean {
  return world === SOLD || world === (way === 'with' ? FALLING : RISING);
}

/** Units of one contract in a world, below 0 when short. */
export function unitsIn(world: World, way: Way, { net, buys, sells }: Quantities): number {
  if (fillsBuys(world, way)) return net + buys;
  return fillsSells(world, way) ? net - sells : net;
}
