/**
 * The rows of the ladder. Up and Down move the row, Left and Right the side, Enter presses the price, Delete cancels
 * the own orders there, Home centres. The wheel moves the prices.
 */
import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useId } from 'preact/hooks';
import type { Side } from '../../../../client/src/generated/operations.ts';
import { isRepeat } from '../../orders/press.ts';
import { SIDE_WORDS } from '../../orders/words.ts';
import { grouped } from '../../text/figures.ts';
import { shareOf } from '../depth/levels.ts';
import type { LadderRow, OwnOrder } from './ladder-rows.ts';

export interface LadderGridProps {
  readonly view: RefObject<HTMLDivElement | null>;
  /** The instrument's name. */
  readonly name: string;
  readonly rows: readonly LadderRow[];
  readonly armed: boolean;
  /** Moves the prices up by rows. */
  readonly onMove: (rows: number) => void;
  /** The pointer has come to the rows, or left them. */
  readonly onHold: (isHeld: boolean) => void;
  readonly onCentre: () => void;
  readonly onPrice: (side: Side, row: LadderRow) => void;
  readonly onCancel: (row: LadderRow, side: Side) => void;
}

export function LadderGrid({ view, name, rows, armed, onMove, onHold, onCentre, onPrice, onCancel }: LadderGridProps) {
  const id = useId();
  /** The row and the side that keys act on. */
  const at = useSignal<{ readonly price: number; readonly side: Side } | undefined>(undefined);
  const here = rows.findIndex(({ price }) => price === at.value?.price);
  const side = at.value?.side ?? 'B';
  const largest = rows.reduce((most, { bid, ask }) => Math.max(most, bid, ask), 0);
  const go = (place: number, to: Side): void => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, place))];
    if (row !== undefined) at.value = { price: row.price, side: to };
    if (place < 0) onMove(1);
    else if (place >= rows.length) onMove(-1);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const start = here < 0 ? rows.findIndex(({ isLast }) => isLast) : here;
    const row = rows[here];
    if (event.key === 'ArrowUp') go(start - 1, side);
    else if (event.key === 'ArrowDown') go(start + 1, side);
    else if (event.key === 'ArrowLeft') go(start, 'B');
    else if (event.key === 'ArrowRight') go(start, 'S');
    else if (event.key === 'PageUp') onMove(10);
    else if (event.key === 'PageDown') onMove(-10);
    else if (event.key === 'Home') onCentre();
    else if (event.key === 'Enter' && row !== undefined && !isRepeat(event)) onPrice(side, row);
    else if (event.key === 'Delete' && row !== undefined && !isRepeat(event)) onCancel(row, side);
    else return;
    event.preventDefault();
  };
  return (
    <div
      class="ladder-grid"
      role="grid"
      aria-label={`Ladder of ${name}`}
      tabIndex={0}
      aria-activedescendant={here < 0 ? undefined : `${id}-${here}-${side}`}
      onKeyDown={onKeyDown}
      onPointerEnter={() => onHold(true)}
      onPointerLeave={() => onHold(false)}
      onWheel={(event) => onMove(event.deltaY < 0 ? 2 : -2)}
    >
      <HeadRow />
      <div class="ladder-body" role="rowgroup" ref={view}>
        {rows.map((row, place) => (
          <PriceRow
            key={row.price}
            id={`${id}-${place}`}
            row={row}
            largest={largest}
            at={place === here ? side : undefined}
            armed={armed}
            onPress={onPrice}
            onCancel={onCancel}
          />
        ))}
      </div>
    </div>
  );
}

function HeadRow() {
  return (
    <div class="ladder-row head" role="row">
      <OwnHead />
      <span role="columnheader">Bid</span>
      <span role="columnheader">Price</span>
      <span role="columnheader">Ask</span>
      <OwnHead />
    </div>
  );
}

function OwnHead() {
  return (
    <span role="columnheader" title="My units, and # the units in front of them">
      Mine #ahead
    </span>
  );
}

interface PriceRowProps {
  readonly id: string;
  readonly row: LadderRow;
  /** The most units of a cell: the bars of all rows are shares of it. */
  readonly largest: number;
  /** The side that keys act on, when they act on this row. */
  readonly at: Side | undefined;
  readonly armed: boolean;
  readonly onPress: (side: Side, row: LadderRow) => void;
  readonly onCancel: (row: LadderRow, side: Side) => void;
}

function PriceRow({ id, row, largest, at, armed, onPress, onCancel }: PriceRowProps) {
  const priceCell = (side: Side) => (
    <PriceCell id={`${id}-${side}`} side={side} row={row} largest={largest} isAt={at === side} onPress={onPress} />
  );
  return (
    <div class={`ladder-row ${row.isLast ? 'last' : ''}`} role="row">
      <OwnCell orders={row.buys} armed={armed} onCancel={() => onCancel(row, 'B')} />
      {priceCell('B')}
      <span role="gridcell" class="ladder-price">
        {grouped(row.text)}
      </span>
      {priceCell('S')}
      <OwnCell orders={row.sells} armed={armed} onCancel={() => onCancel(row, 'S')} />
    </div>
  );
}

interface PriceCellProps {
  readonly id: string;
  readonly side: Side;
  readonly row: LadderRow;
  readonly largest: number;
  readonly isAt: boolean;
  readonly onPress: (side: Side, row: LadderRow) => void;
}

function PriceCell({ id, side, row, largest, isAt, onPress }: PriceCellProps) {
  const units = side === 'B' ? row.bid : row.ask;
  const word = SIDE_WORDS[side];
  return (
    <span
      role="gridcell"
      id={id}
      class={`ladder-units ${side === 'B' ? 'bid' : 'ask'} ${isAt ? 'at' : ''}`}
      style={{ '--bar': `${shareOf(units, largest)}%` }}
      aria-label={`${units === 0 ? '' : grouped(String(units))} ${word} at ${row.text}`.trim()}
      title={`${word} at ${row.text}`}
      onClick={(event) => {
        if (!isRepeat(event)) onPress(side, row);
      }}
    >
      {units === 0 ? '' : grouped(String(units))}
    </span>
  );
}

function OwnCell(props: {
  readonly orders: readonly OwnOrder[];
  readonly armed: boolean;
  readonly onCancel: () => void;
}) {
  const { orders, armed, onCancel } = props;
  if (orders.length === 0) return <span role="gridcell" class="ladder-own" />;
  const words = orders.map(wordsOf).join('; ');
  const units = orders.reduce((sum, { quantity }) => sum + quantity, 0);
  const first = orders.find(({ ahead }) => ahead !== undefined)?.ahead;
  return (
    <span role="gridcell" class={`ladder-own ${orders.some(({ isStop }) => isStop) ? 'stop' : ''}`} title={words}>
      <b>{grouped(String(units))}</b>
      <span class="ahead">
        {first !== undefined && `#${grouped(String(first))}`}
        {orders.some(({ isStop }) => isStop) && ' stop'}
      </span>
      {armed && (
        <button type="button" class="plain" aria-label={`Cancel: ${words}`} onClick={onCancel}>
          ×
        </button>
      )}
    </span>
  );
}

function wordsOf({ quantity, ahead, isStop }: OwnOrder): string {
  if (isStop) return `stop of ${quantity} units`;
  return ahead === undefined ? `${quantity} units` : `${quantity} units, ${ahead} units ahead`;
}
