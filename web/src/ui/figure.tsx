/** Figures in cells. A price flashes when it changes: the class turns, and the layout stays. */
import { useRef } from 'preact/hooks';
import { grouped, signClass, signed } from '../text/figures.ts';

/** An amount or a price, grouped. */
export function Figure({ value }: { readonly value: string | undefined }) {
  return <>{value === undefined ? '\u2013' : grouped(value)}</>;
}

/** A result or a change: with its sign, and coloured by it. */
export function Result({ value }: { readonly value: string | undefined }) {
  if (value === undefined) return <>{'\u2013'}</>;
  return <span class={signClass(value)}>{signed(value)}</span>;
}

/** A price that shows whether it rose or fell when it changed last. */
export function Price({ value }: { readonly value: string | undefined }) {
  const last = useRef<{ value: string | undefined; turn: string; isOdd: boolean }>({ value, turn: '', isOdd: false });
  const { current } = last;
  if (value !== current.value) {
    const way = value === undefined || current.value === undefined ? '' : isAbove(value, current.value) ? 'up' : 'down';
    // Two names for one animation, so that it runs again at each change.
    last.current = {
      value,
      turn: way === '' ? '' : `${way} flash-${current.isOdd ? 'a' : 'b'}`,
      isOdd: !current.isOdd,
    };
  }
  return <span class={`price ${last.current.turn}`}>{value === undefined ? '\u2013' : grouped(value)}</span>;
}

/** Compares prices of one number of decimals as text, without arithmetic. */
function isAbove(price: string, other: string): boolean {
  return price.length === other.length ? price > other : price.length > other.length;
}
