/** The preview of an order: margin, charges, funds left, warnings, and a refusal. */
import type { ReadonlySignal } from '@preact/signals';
import type { OrdersPreview } from '../../../../client/src/wire.ts';
import { NamedFigure } from '../../ui/named-figure.tsx';
import type { Previewed } from './preview-feed.ts';

export function Preview({ preview }: { readonly preview: ReadonlySignal<Previewed<OrdersPreview>> }) {
  const { answer, failure, isOld } = preview.value;
  const order = answer?.orders[0];
  return (
    <section class={`preview ${isOld ? 'old' : ''}`} aria-label="Preview" aria-busy={isOld}>
      <dl>
        <NamedFigure name="Margin" value={answer?.margin} />
        <NamedFigure name="Charges" value={answer?.charges} />
        <NamedFigure name="Available" value={answer?.availableMargin} />
        <NamedFigure name="Left after it" value={answer?.availableAfter} />
      </dl>
      <div class="preview-words" aria-live="polite">
        {order?.outcome === 'refused' && <p class="refusal">Would be refused: {order.reason}</p>}
        {order?.warnings.map((warning) => (
          <p class="warning" key={warning}>
            {warning}
          </p>
        ))}
        {failure !== '' && <p class="warning">{failure}</p>}
      </div>
    </section>
  );
}
