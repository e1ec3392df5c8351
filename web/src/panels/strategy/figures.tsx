/** The figures of a strategy: bounds and breakevens, greeks, and the margin of the whole beside that of its legs. */
import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { OrdersPreview, Strategy } from '../../../../client/src/wire.ts';
import { grouped } from '../../text/figures.ts';
import { Figure, Result } from '../../ui/figure.tsx';
import type { Previewed } from '../ticket/preview-feed.ts';
import { sortLegs } from './basket.ts';

export interface FiguresProps {
  readonly preview: ReadonlySignal<Previewed<OrdersPreview>>;
  readonly payoff: ReadonlySignal<Previewed<Strategy>>;
}

export function StrategyFigures({ preview, payoff }: FiguresProps) {
  return (
    <div class="strategy-figures">
      <PayoffFigures {...payoff.value} />
      <GreekFigures {...payoff.value} />
      <MarginFigures {...preview.value} />
    </div>
  );
}

function PayoffFigures({ answer, isOld }: Previewed<Strategy>) {
  const breakevens = answer?.breakevens.map(grouped).join(' · ');
  return (
    <dl class={isOld ? 'old' : ''} aria-label="Payoff">
      <Row name="Greatest profit">{answer && <Bound value={answer.greatestProfit} />}</Row>
      <Row name="Greatest loss">{answer && <Bound value={answer.greatestLoss} />}</Row>
      <Row name="Breakeven">{breakevens === '' ? 'none' : breakevens}</Row>
      <Row name="Net premium">
        <Result value={answer?.netPremium} />
      </Row>
    </dl>
  );
}

function GreekFigures({ answer, isOld }: Previewed<Strategy>) {
  return (
    <dl class={`greeks ${isOld ? 'old' : ''}`} aria-label="Greeks">
      <Row name="Delta">
        <Figure value={answer?.delta} />
      </Row>
      <Row name="Gamma">
        <Figure value={answer?.gamma} />
      </Row>
      <Row name="Theta, a day">
        <Result value={answer?.theta} />
      </Row>
      <Row name="Vega, a point">
        <Result value={answer?.vega} />
      </Row>
    </dl>
  );
}

/** Blank is without a bound. */
function Bound({ value }: { readonly value: string }) {
  return value === '' ? <>no bound</> : <Result value={value} />;
}

function MarginFigures({ answer, failure, isOld }: Previewed<OrdersPreview>) {
  return (
    <dl class={isOld ? 'old' : ''} aria-label="Margin" aria-busy={isOld}>
      <Row name="Margin of the whole" hint="Once all legs have filled at their prices.">
        <Figure value={answer?.margin} />
      </Row>
      <Row name="Sum of the legs">
        <Figure value={answer?.sumAlone} />
      </Row>
      <Row
        name="Peak on the way"
        hint="The funds that placing the legs in this order takes, each filled before the next."
      >
        <Figure value={answer?.peak} />
      </Row>
      <Row name="Peak, best order">{answer && <BestOrder answer={answer} />}</Row>
      <Row name="Blocked when placed" hint="A hedge that rests gives no relief before it fills.">
        <Figure value={answer?.blocked} />
      </Row>
      <Row name="Margin used then">
        <Figure value={answer?.marginUsedAfter} />
      </Row>
      <Row name="Available then">
        <Figure value={answer?.availableAfter} />
      </Row>
      <Row name="Charges">
        <Figure value={answer?.charges} />
      </Row>
      {failure !== '' && <p class="leg-refusal">{failure}</p>}
    </dl>
  );
}

function BestOrder({ answer: { bestOrder, bestPeak } }: { readonly answer: OrdersPreview }) {
  const places = bestOrder.map(Number);
  const isGiven = places.every((place, index) => place === index);
  const words = places.map((place) => place + 1).join(', ');
  return (
    <>
      {!isGiven && (
        <button type="button" class="plain link" title={`Legs ${words}`} onClick={() => sortLegs(places)}>
          use {words}
        </button>
      )}{' '}
      <Figure value={bestPeak} />
    </>
  );
}

interface RowProps {
  readonly name: string;
  readonly hint?: string;
  readonly children: ComponentChildren;
}

function Row({ name, hint, children }: RowProps) {
  return (
    <div title={hint}>
      <dt>{name}</dt>
      <dd class="figure">{children ?? '\u2013'}</dd>
    </div>
  );
}
