/**
 * The curve of the day as a drawing: points of amounts become places in a box. Amounts are read as numbers here for the
 * drawing alone; every figure that is shown is the service's text.
 */

/** The place of a point in the box, from its left upper corner. */
export interface Spot {
  readonly x: number;
  readonly y: number;
}

export interface Box {
  readonly width: number;
  readonly height: number;
}

/** The lowest and the highest amount that a drawing holds; 0 is always among them. */
export interface Scale {
  readonly low: number;
  readonly high: number;
}

/** The scale of some amounts, with a little room at both ends. */
export function scaleOf(amounts: readonly string[]): Scale {
  let low = 0;
  let high = 0;
  for (const amount of amounts) {
    low = Math.min(low, Number(amount));
    high = Math.max(high, Number(amount));
  }
  if (low === high) return { low: -1, high: 1 };
  const room = (high - low) * 0.06;
  return { low: low - room, high: high + room };
}

export function heightOf(amount: number, { low, high }: Scale, { height }: Box): number {
  return ((high - amount) / (high - low)) * height;
}

/** The places of amounts that stand at the same distance from each other. */
export function spotsOf(amounts: readonly string[], scale: Scale, box: Box): readonly Spot[] {
  const step = box.width / Math.max(1, amounts.length - 1);
  return amounts.map((amount, index) => ({ x: index * step, y: heightOf(Number(amount), scale, box) }));
}

/** An SVG path through places. */
export function pathOf(spots: readonly Spot[]): string {
  return spots.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)},${y.toFixed(1)}`).join('');
}

/** The area between places and a height. */
export function areaOf(spots: readonly Spot[], height: number): string {
  const [first, last] = [spots[0], spots.at(-1)];
  if (first === undefined || last === undefined) return '';
  return `${pathOf(spots)}L${last.x.toFixed(1)},${height.toFixed(1)}L${first.x.toFixed(1)},${height.toFixed(1)}Z`;
}

/** The index of the point that is nearest to a place. */
export function nearest(x: number, count: number, { width }: Box): number {
  return Math.min(count - 1, Math.max(0, Math.round((x / width) * (count - 1))));
}
