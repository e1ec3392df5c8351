/** The tools above the ladder: armed or not, the quantity and the product of its orders, the grouping of prices. */
import type { Product, Side } from '../../../../client/src/generated/operations.ts';
import type { InstrumentRow } from '../../../../client/src/wire.ts';
import { PRODUCT_WORDS } from '../../orders/words.ts';
import { isStale } from '../../store/link.ts';
import { grouped } from '../../text/figures.ts';

/** Ticks in a row that can be chosen. */
const GROUPS = [1, 2, 5, 10, 20] as const;

export interface LadderToolsProps {
  readonly info: InstrumentRow;
  readonly armed: boolean;
  readonly setArmed: (armed: boolean) => void;
  /** Units, as the field has it. */
  readonly quantity: string;
  readonly setQuantity: (quantity: string) => void;
  readonly product: Product;
  readonly setProduct: (product: Product) => void;
  /** Ticks in a row. */
  readonly group: number;
  readonly setGroup: (group: number) => void;
  readonly onCentre: () => void;
  /** The bid and the ask that are not among the rows, as decimal text of rupees. */
  readonly touch: Partial<Record<Side, string>>;
  readonly goTo: (price: string) => void;
}

export function LadderTools(props: LadderToolsProps) {
  const { info, armed, setArmed, quantity, setQuantity, product, setProduct } = props;
  const { group, setGroup, onCentre, touch, goTo } = props;
  return (
    <div class="ladder-tools">
      <button
        type="button"
        class="arm"
        aria-pressed={armed}
        disabled={isStale.value}
        title={
          armed ? 'A click places an order at once. Esc disarms.' : 'Clicks fill the ticket. Arm to place by click.'
        }
        onClick={() => setArmed(!armed)}
      >
        {armed ? 'Armed' : 'Arm'}
      </button>
      <label>
        Quantity
        <input
          type="number"
          min={info.lotSize}
          step={info.lotSize}
          value={quantity}
          onInput={(event) => setQuantity(event.currentTarget.value)}
        />
      </label>
      <label>
        Product
        <select value={product} onChange={(event) => setProduct(event.currentTarget.value as Product)}>
          {info.products.map((one) => (
            <option key={one} value={one}>
              {PRODUCT_WORDS[one]}
            </option>
          ))}
        </select>
      </label>
      <label>
        Group
        <select value={group} onChange={(event) => setGroup(Number(event.currentTarget.value))}>
          {GROUPS.map((ticks) => (
            <option key={ticks} value={ticks}>
              {ticks === 1 ? '1 tick' : `${ticks} ticks`}
            </option>
          ))}
        </select>
      </label>
      <button type="button" onClick={onCentre} title="Centre on the touch (Home in the ladder)">
        Centre
      </button>
      {(['B', 'S'] as const).map((side) => {
        const price = touch[side];
        if (price === undefined) return null;
        return (
          <button type="button" key={side} class={`touch ${side === 'B' ? 'bid' : 'ask'}`} onClick={() => goTo(price)}>
            {side === 'B' ? 'Bid' : 'Ask'} {grouped(price)}
          </button>
        );
      })}
      <p class="state" role="status">
        {armed ? `Armed: a click places an order for ${quantity} at once` : 'Not armed: a click fills the ticket'}
      </p>
    </div>
  );
}
