/** The legs of the basket: side, instrument, lots, price, each edited in place, with the refusal it would meet. */
import type { ReadonlySignal } from '@preact/signals';
import type { OrdersPreview } from '../../../../client/src/wire.ts';
import { SIDE_WORDS } from '../../orders/words.ts';
import { grouped } from '../../text/figures.ts';
import { moreLots, stepped, tidied } from '../ticket/draft.ts';
import type { Previewed } from '../ticket/preview-feed.ts';
import { changeLeg, type Leg, legs, removeLeg } from './basket.ts';

/** The end of the warning that a market order is protected. */
const PROTECTION = 'its protected price.';

type PreviewRow = OrdersPreview['orders'][number];

export function LegList({ preview }: { readonly preview: ReadonlySignal<Previewed<OrdersPreview>> }) {
  const { answer, isOld } = preview.value;
  const rows = answer?.orders.length === legs.value.length ? answer.orders : [];
  return (
    <>
      <p class="leg leg-titles" aria-hidden="true">
        <span />
        <span>Leg</span>
        <span class="figure">Lots</span>
        <span class="figure">Price</span>
      </p>
      <ol class={`leg-list ${isOld ? 'old' : ''}`} aria-label="Legs">
        {legs.value.map((leg, place) => (
          <LegRow key={leg.number} leg={leg} place={place} row={rows[place]} />
        ))}
      </ol>
    </>
  );
}

/** The symbol, and the margin of the leg by itself. */
function titleOf({ tradingSymbol }: Leg, row: PreviewRow | undefined): string {
  return row === undefined ? tradingSymbol : `${tradingSymbol}: margin alone ${grouped(row.marginAlone)}`;
}

interface LegRowProps {
  readonly leg: Leg;
  readonly place: number;
  /** Undefined while the service has not judged it. */
  readonly row: PreviewRow | undefined;
}

function LegRow({ leg, place, row }: LegRowProps) {
  const { number, side, title, expiry, isMarket, lots, lotSize } = leg;
  const name = `leg ${place + 1}`;
  return (
    <li>
      <div class="leg">
        <button
          type="button"
          class={side === 'B' ? 'buy' : 'sell'}
          aria-label={`${SIDE_WORDS[side]}, turn ${name}`}
          onClick={() => changeLeg(number, { side: side === 'B' ? 'S' : 'B' })}
        >
          {side}
        </button>
        <span class="leg-name text" title={titleOf(leg, row)}>
          {title} <small>{expiry.replace(/20(?=\d\d$)/, '')}</small>
        </span>
        <input
          class="figure"
          inputMode="numeric"
          aria-label={`Lots of ${name}, of ${lotSize} units`}
          value={lots}
          onInput={({ currentTarget }) => changeLeg(number, { lots: currentTarget.value.trim() })}
          onKeyDown={(event) => onStep(event, (steps) => changeLeg(number, { lots: moreLots(lots, steps) }))}
        />
        <PriceField leg={leg} name={name} row={row} />
        <button
          type="button"
          class="market"
          aria-label={`MKT, ${name}`}
          aria-pressed={isMarket}
          onClick={() => changeLeg(number, { isMarket: !isMarket })}
        >
          MKT
        </button>
        <button type="button" class="plain" aria-label={`Remove ${name}`} onClick={() => removeLeg(number)}>
          ×
        </button>
      </div>
      {row !== undefined && <LegWords row={row} isMarket={isMarket} />}
    </li>
  );
}

function PriceField({
  leg,
  name,
  row,
}: {
  readonly leg: Leg;
  readonly name: string;
  readonly row: PreviewRow | undefined;
}) {
  const { number, side, isMarket, price, tickSize } = leg;
  if (isMarket) {
    const bound = side === 'B' ? '\u2264' : '\u2265';
    return <span class="figure quiet">{row === undefined ? 'market' : `${bound} ${grouped(row.price)}`}</span>;
  }
  return (
    <input
      class="figure"
      inputMode="decimal"
      aria-label={`Price of ${name}`}
      value={price}
      onInput={({ currentTarget }) => changeLeg(number, { price: currentTarget.value.trim() })}
      onBlur={() => changeLeg(number, { price: tidied(price) })}
      onKeyDown={(event) => onStep(event, (steps) => changeLeg(number, { price: stepped(price, tickSize, steps) }))}
    />
  );
}

/** Up and Down step, with Shift by ten. */
function onStep(event: KeyboardEvent, step: (steps: number) => void): void {
  const way = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
  if (way === 0) return;
  event.preventDefault();
  step(event.shiftKey ? way * 10 : way);
}

/** The price of a leg at the market shows its protection already. */
function LegWords({ row, isMarket }: { readonly row: PreviewRow; readonly isMarket: boolean }) {
  const warnings = row.warnings.filter((word) => !isMarket || !word.endsWith(PROTECTION));
  const words = row.outcome === 'refused' ? [`Would be refused: ${row.reason}`] : warnings;
  return (
    <>
      {words.map((word) => (
        <p key={word} class={row.outcome === 'refused' ? 'leg-refusal' : 'leg-warning'}>
          {word}
        </p>
      ))}
    </>
  );
}
