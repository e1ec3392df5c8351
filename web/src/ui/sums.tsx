/** Sums of a panel, each with its name, as the service sends them. */
import './sums.css';
import type { ResultsData } from '../../../client/src/wire.ts';
import { Figure, Result } from './figure.tsx';

export interface Sum {
  readonly name: string;
  readonly value: string;
  /** True for a result or a change, which is coloured by its sign. */
  readonly isResult?: boolean;
}

export function Sums({ label, of }: { readonly label: string; readonly of: readonly Sum[] }) {
  return (
    <dl class="sums" aria-label={label}>
      {of.map(({ name, value, isResult = false }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="figure">{isResult ? <Result value={value} /> : <Figure value={value} />}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The sums of the results of the day. */
export function resultSums({ realised, open, total, charges, net }: ResultsData): readonly Sum[] {
  return [
    { name: 'Realised', value: realised, isResult: true },
    { name: 'Open', value: open, isResult: true },
    { name: 'Total', value: total, isResult: true },
    { name: 'Charges', value: charges },
    { name: 'Net', value: net, isResult: true },
  ];
}
