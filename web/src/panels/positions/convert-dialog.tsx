/** The conversion of a position to another product. A refusal of the service stays in the dialog. */
import './asking.css';
import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import type { Product } from '../../../../client/src/generated/operations.ts';
import type { ConversionResult } from '../../../../client/src/portfolio.ts';
import { send } from '../../orders/sender.ts';
import { PRODUCT_WORDS } from '../../orders/words.ts';
import { positions } from '../../store/books.ts';
import { client } from '../../store/session.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { type Convertible, convertibleParts, keyOf, otherProducts, type PositionResult, sideOf } from './rows.ts';

const AGE_WORDS = { day: 'Of today', carried: 'Carried' } as const;

export function ConvertDialog({ row, onClose }: { readonly row: PositionResult; readonly onClose: () => void }) {
  const failure = useSignal('');
  const isSending = useSignal(false);
  const book = positions.list.value.find((one) => keyOf(one) === keyOf(row));
  const parts = convertibleParts(row, book);
  const products = otherProducts(row);
  const onSubmit = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (isSending.value) return;
    isSending.value = true;
    failure.value = await convert(row, new FormData(event.currentTarget));
    isSending.value = false;
    if (failure.value === '') onClose();
  };
  return (
    <Dialog title={`Convert ${row.tradingSymbol}`} onClose={onClose}>
      <form class="asking" onSubmit={onSubmit}>
        <div class="fields">
          <span>From</span>
          <span>{PRODUCT_WORDS[row.product]}</span>
          <label for="convert-to">To</label>
          <select id="convert-to" name="to">
            {products.map((product) => (
              <option key={product} value={product}>
                {PRODUCT_WORDS[product]}
              </option>
            ))}
          </select>
          <UnitsAndQuantity parts={parts} lotSize={book?.lotSize ?? '1'} />
        </div>
        {failure.value !== '' && (
          <p role="alert" class="bad">
            {failure.value}
          </p>
        )}
        <div class="question-buttons">
          <button type="button" onClick={onClose}>
            Keep
          </button>
          <button type="submit" class="main" disabled={isSending.value || parts.length === 0}>
            Convert
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** The part of a position that is converted, and how much of it: at first all of the first part. */
function UnitsAndQuantity({ parts, lotSize }: { readonly parts: readonly Convertible[]; readonly lotSize: string }) {
  const age = useSignal<Convertible['age'] | undefined>(undefined);
  const part = parts.find((one) => one.age === age.value) ?? parts[0];
  return (
    <>
      <label for="convert-age">Units</label>
      <select
        id="convert-age"
        name="age"
        value={part?.age}
        onChange={({ currentTarget }) => (age.value = currentTarget.value as Convertible['age'])}
      >
        {parts.map(({ age, units }) => (
          <option key={age} value={age}>
            {AGE_WORDS[age]} ({units})
          </option>
        ))}
      </select>
      <label for="convert-quantity">Quantity</label>
      <input
        key={part?.age}
        id="convert-quantity"
        name="quantity"
        type="number"
        min={lotSize}
        step={lotSize}
        max={part?.units}
        defaultValue={part?.units}
        required
        autoFocus
      />
    </>
  );
}

/** Sends the conversion. Returns the reason of a refusal; blank when it was done. */
async function convert(row: PositionResult, fields: FormData): Promise<string> {
  const { exchange, tradingSymbol, product } = row;
  const to = fields.get('to') as Product;
  const quantity = String(fields.get('quantity'));
  const text = `Convert ${quantity} ${tradingSymbol} to ${PRODUCT_WORDS[to]}`;
  let refusal = 'It was not carried out; the message at the edge of the page has the reason.';
  const done = await send(text, async (): Promise<ConversionResult> => {
    const result = await client().portfolio.convert({
      instrument: { exchange, tradingSymbol },
      from: product,
      to,
      quantity,
      side: sideOf(row) ?? 'B',
      age: fields.get('age') === 'carried' ? 'carried' : 'day',
    });
    if (result.outcome === 'converted') return result;
    refusal = result.reason;
    throw new Error(result.reason);
  });
  return done === undefined ? refusal : '';
}
