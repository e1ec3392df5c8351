/**
 * The room for young objects, which V8 doubles as soon as much survives in it, and never makes small again while
 * something is done. A start would take all of it, and a service at rest keep 67 MB that it has no use for.
 */
import { setFlagsFromString } from 'node:v8';

/** V8 lets the room grow by this factor, and looks at it whenever the room is full. */
const FACTOR = '--semi-space-growth-factor';

/** Keeps the room as it is until `freeYoungRoom`. */
export function holdYoungRoom(): void {
  setFlagsFromString(`${FACTOR}=1`);
}

/** Lets the room grow from now on with the objects that survive in it, as V8 does by itself. */
export function freeYoungRoom(): void {
  setFlagsFromString(`${FACTOR}=2`);
}
