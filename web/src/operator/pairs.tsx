/** Names with their values: one below the other, or the totals of a part in one row. */
import type { ComponentChildren } from 'preact';

export type Pair = readonly [name: string, value: ComponentChildren];

export function Pairs({
  of,
  class: kind = 'pairs',
}: {
  readonly of: readonly Pair[];
  readonly class?: 'pairs' | 'totals';
}) {
  return (
    <dl class={kind}>
      {of.map(([name, value], index) => (
        <div key={index}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
