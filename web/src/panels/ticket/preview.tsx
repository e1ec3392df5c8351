/** What the service says of the order before it is sent: margin, charges, funds left, warnings, and a refusal. */
import type { ReadonlySignal } from '@preact/signals';
import type { OrdersPreview } from '../../../../client/src/wire.ts';
import { Figure } from '../../ui/figure.tsx';
import type { Previewed } from './preview-feed.ts';

export function Preview({ preview }: { readonly preview: ReadonlySignal<Previewed<OrdersPreview>> }) {
  const { answer, failure, isOld } = preview.value;
  const order = answer?.orders[0];
  return (
    <section class={`preview ${isOld ? 'old' : ''}`} aria-label="Preview" aria-busy={isOld}>
      <dl>
        <Row name="Margin" value={answer?.margin} />
        <Row name="Charges" value={answer?.charges} />
        <Row name="Available" value={answer?.availableMargin} />
        <Row name="Left after it" value={answer?.availableAfter} />
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

function Row({ name, value }: { readonly name: string; readonly value: string | undefined }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="figure">
        <Figure value={value} />
      </dd>
    </div>
  );
}
