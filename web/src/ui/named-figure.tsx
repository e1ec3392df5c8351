/** A figure with its name, as one entry of a `dl`. */
import { Figure } from './figure.tsx';

export function NamedFigure({ name, value }: { readonly name: string; readonly value: string | undefined }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="figure">
        <Figure value={value} />
      </dd>
    </div>
  );
}
