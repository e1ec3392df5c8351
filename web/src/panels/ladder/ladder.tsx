/**
 * The ladder: the market and the user's own orders price by price. A click fills the ticket; once the ladder is armed,
 * a click places or cancels at once. It disarms itself when the instrument changes or figures are old.
 */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Product, Side } from '../../../../client/src/generated/operations.ts';
import { type InstrumentName, instrumentText } from '../../../../client/src/instrument.ts';
import { toPaise } from '../../../../client/src/money.ts';
import type { InstrumentRow, QuoteRow } from '../../../../client/src/wire.ts';
import type { PanelProps } from '../../app/panels.ts';
import { armed as isArmed } from '../../orders/armed.ts';
import { useInstrumentInfo } from '../../orders/instrument-info.ts';
import { cancel, place } from '../../orders/sender.ts';
import { openTicket } from '../../orders/ticket-request.ts';
import { orders } from '../../store/books.ts';
import { chosenOf } from '../../store/chosen.ts';
import { isStale } from '../../store/link.ts';
import { depths, queues, useRow } from '../../store/market.ts';
import { isSameInstrument } from '../../text/same-instrument.ts';
import { levelsOf } from '../depth/levels.ts';
import { LadderGrid } from './ladder-grid.tsx';
import { alignedTo, followed, hiddenTouch, type LadderRow, ladderRows, middleOf, ownOrders } from './ladder-rows.ts';
import { LadderTools } from './ladder-tools.tsx';
import './ladder.css';

const ROW_PX = 22;

export default function Ladder({ link }: PanelProps) {
  const chosen = chosenOf(link).value;
  if (chosen === undefined) return <p class="empty">Choose an instrument in a list, or press / to search.</p>;
  return <LadderFor key={instrumentText(chosen)} instrument={chosen} />;
}

function LadderFor({ instrument }: { readonly instrument: InstrumentName }) {
  const quote = useRow(depths, instrument).value;
  const { info, failure } = useInstrumentInfo(instrument);
  if (failure !== '') return <p class="empty">{failure}</p>;
  if (quote === undefined || info === undefined) return <p class="empty">Loading</p>;
  if (info.products.length === 0) return <p class="empty">{info.reason || 'This instrument is not traded.'}</p>;
  return <LadderOf instrument={instrument} quote={quote} info={info} />;
}

interface LadderProps {
  readonly instrument: InstrumentName;
  readonly quote: QuoteRow;
  readonly info: InstrumentRow;
}

function LadderOf({ instrument, quote, info }: LadderProps) {
  const armed = isArmed.value;
  const setArmed = (next: boolean): void => {
    isArmed.value = next;
  };
  // Nothing stays armed that is not seen.
  useEffect(() => () => setArmed(false), []);
  const [quantity, setQuantity] = useState(info.lotSize);
  const [product, setProduct] = useState<Product>(info.products.includes('I') ? 'I' : (info.products[0] ?? 'C'));
  const group = useSignal<number>(1);
  const { view, rows, touch, hold, move, goTo, centre } = useRows(
    instrument,
    quote,
    toPaise(info.tickSize) * group.value,
  );
  useEffect(() => {
    if (isStale.value) setArmed(false);
  }, [isStale.value]);

  const onPrice = (side: Side, { text: price }: LadderRow): void => {
    if (!armed) openTicket({ kind: 'new', instrument, side, price, quantity, product });
    else void place({ ...instrument, transactionType: side, priceType: 'LMT', price, quantity, product });
  };
  const onCancel = (row: LadderRow, side: Side): void => {
    if (armed) for (const { number } of side === 'B' ? row.buys : row.sells) void cancel(number);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !armed) return;
    event.stopPropagation();
    setArmed(false);
  };
  return (
    <div class={`ladder-view ${armed ? 'armed' : ''}`} onKeyDown={onKeyDown}>
      <LadderTools
        info={info}
        armed={armed}
        setArmed={setArmed}
        quantity={quantity}
        setQuantity={setQuantity}
        product={product}
        setProduct={setProduct}
        group={group.value}
        setGroup={(next) => {
          group.value = next;
          centre();
        }}
        onCentre={centre}
        touch={touch}
        goTo={goTo}
      />
      <LadderGrid
        view={view}
        name={instrument.tradingSymbol}
        rows={rows}
        armed={armed}
        onMove={move}
        onHold={hold}
        onCentre={centre}
        onPrice={onPrice}
        onCancel={onCancel}
      />
    </div>
  );
}

/** The rows that fit, around the touch until the user moves them. */
function useRows(instrument: InstrumentName, quote: QuoteRow, step: number) {
  const view = useRef<HTMLDivElement>(null);
  const [count, setCount] = useState(25);
  const moved = useSignal<number | undefined>(undefined);
  const middle = useRef(0);
  // A price must not move from under the pointer that is about to press it.
  const isHeld = useRef(false);
  const queue = useRow(queues, instrument).value;
  useEffect(() => {
    if (view.current === null) return undefined;
    const watcher = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setCount(Math.max(5, Math.floor(entry.contentRect.height / ROW_PX)));
    });
    watcher.observe(view.current);
    return () => watcher.disconnect();
  }, []);
  const own = useMemo(() => {
    const rows = orders.list.value.filter((row) => isSameInstrument(row, instrument));
    return ownOrders(rows, queue ?? []);
  }, [orders.list.value, queue, instrument]);
  const source = { bids: levelsOf(quote, 'B'), asks: levelsOf(quote, 'S'), own, last: toPaise(quote.lastTradedPrice) };
  if (moved.value !== undefined) middle.current = moved.value;
  else if (!isHeld.current || middle.current === 0)
    middle.current = followed(middle.current, middleOf(source), step, count);
  const rows = ladderRows(source, middle.current, step, count);
  return {
    view,
    rows,
    touch: hiddenTouch(source, rows),
    goTo: (price: string) => {
      moved.value = alignedTo(step, toPaise(price));
    },
    hold: (held: boolean) => {
      isHeld.current = held;
    },
    move: (by: number) => {
      moved.value = Math.max(step, middle.current + by * step);
    },
    centre: () => {
      moved.value = undefined;
      middle.current = middleOf(source);
    },
  };
}
