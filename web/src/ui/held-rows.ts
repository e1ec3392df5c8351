/**
 * Rows that keep their places while the pointer is among them: a row must not move from under a pointer that is about
 * to press its buttons. Where rows come in above those that are seen, the table is scrolled by them.
 */
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** A pointer that rests among the rows holds them for this time; longer on the buttons that it may press. */
const REST_MS = 3_000;
const ON_BUTTONS_MS = 10_000;

export interface Hold<Row> {
  /** The rows that are shown, by their filter: others begin with the places that they have. */
  readonly name: string;
  /** A row that is held and was left out since, as it is now. */
  readonly rowOf: (row: Row) => Row;
  /** The selector of the buttons of a row. */
  readonly buttons: string;
}

type Body = { readonly current: HTMLDivElement | null };

/** The rows in the places of those before: later ones are left out, and earlier ones stay. */
export function inPlaces<Row>(
  before: readonly Row[],
  now: readonly Row[],
  keyOf: (row: Row) => string,
  rowOf: (row: Row) => Row,
): readonly Row[] {
  const known = new Map(now.map((row) => [keyOf(row), row]));
  return before.map((row) => known.get(keyOf(row)) ?? rowOf(row));
}

/** The number of rows that came above the one at a place; negative for rows that went, 0 when that one went itself. */
export function movedBy<Row>(
  before: readonly Row[],
  now: readonly Row[],
  keyOf: (row: Row) => string,
  place: number,
): number {
  const row = before[place];
  const at = row === undefined ? -1 : now.findIndex((one) => keyOf(one) === keyOf(row));
  return at < 0 ? 0 : at - place;
}

/** The rows to show. `order` names their sorting. Nothing is held without a `hold`. */
export function useHeldRows<Row>(
  body: Body,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  { hold, order, rowPx }: { readonly hold: Hold<Row> | undefined; readonly order: string; readonly rowPx: number },
): readonly Row[] {
  const isHeld = useHeld(body, hold?.buttons);
  const name = `${hold?.name} ${order}`;
  const last = useRef({ name, shown: rows });
  const { current: before } = last;
  const isSame = hold !== undefined && before.name === name;
  const isKept = isSame && isHeld && before.shown.length > 0;
  const shown = isKept ? inPlaces(before.shown, rows, keyOf, hold.rowOf) : rows;
  useLayoutEffect(() => {
    const { current: element } = body;
    last.current = { name, shown };
    if (!isSame || element === null || element.scrollTop === 0 || before.shown === shown) return;
    element.scrollTop += movedBy(before.shown, shown, keyOf, Math.floor(element.scrollTop / rowPx)) * rowPx;
  });
  return shown;
}

/** True while a pointer is among the rows. By touch nothing is: a finger comes and presses at once. */
function useHeld(body: Body, buttons: string | undefined): boolean {
  const isHeld = useSignal(false);
  useEffect(() => {
    const element = body.current;
    if (element === null || buttons === undefined) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const leave = (): void => {
      clearTimeout(timer);
      isHeld.value = false;
    };
    const come = ({ pointerType, target }: PointerEvent): void => {
      if (pointerType === 'touch') return;
      clearTimeout(timer);
      isHeld.value = (target as Element).closest('.table-row') !== null;
      timer = setTimeout(leave, (target as Element).closest(buttons) === null ? REST_MS : ON_BUTTONS_MS);
    };
    element.addEventListener('pointermove', come);
    element.addEventListener('pointerdown', come);
    element.addEventListener('pointerleave', leave);
    return () => {
      clearTimeout(timer);
      element.removeEventListener('pointermove', come);
      element.removeEventListener('pointerdown', come);
      element.removeEventListener('pointerleave', leave);
    };
  }, [buttons]);
  return isHeld.value;
}
