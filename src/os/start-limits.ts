/**
 * Limits of V8 that keep a start small, and those for the orders after it.
 *
 * V8 doubles the room for young objects as soon as much survives in it, and never makes it small again while something
 * is done. A start would take all of it, and a service at rest keep 67 MB that it has no use for.
 *
 * An order goes through many short functions. With two to four times as much bytecode taken into one compiled function
 * as V8 takes by itself, books do a tenth to a quarter more in the same time, and orders cost 4 to 11 % less. Code that
 * a start compiles so would take some 5 MB more. Source: docs/measured/benchmark-notes.md.
 */
import { setFlagsFromString } from 'node:v8';

/** V8 lets the room for young objects grow by this factor, and looks at it whenever the room is full. */
const FACTOR = '--semi-space-growth-factor';
/** The most bytecode of one function that is taken into another, and of all such functions together. */
const INLINED = ['--max-inlined-bytecode-size=1000', '--max-inlined-bytecode-size-cumulative=4000'];

/** Keeps the room for young objects as it is until `setLimitsForOrders`. */
export function setLimitsForStart(): void {
  setFlagsFromString(`${FACTOR}=1`);
}

/**
 * Lets the room for young objects grow from now on with those that survive in it, as V8 does by itself, and functions
 * that are compiled from now on take in more of those that they call.
 */
export function setLimitsForOrders(): void {
  for (const flag of [`${FACTOR}=2`, ...INLINED]) setFlagsFromString(flag);
}
