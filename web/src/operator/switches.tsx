/** The switches that are set, since when, by whom and why; setting and lifting one. */
import { useSignal } from '@preact/signals';
import type { SwitchRow } from '../../../src/operator/operations/switch-operations.ts';
import { type Column, Table } from '../ui/table.tsx';
import { askFor } from './acts.ts';
import { usePolled } from './poll.ts';
import { liftSwitch, SWITCH_ACTS, switchTitle } from './switch-acts.ts';

const COLUMNS: readonly Column<SwitchRow>[] = [
  { id: 'switch', title: 'Switch', width: 'minmax(24ch, 1fr)', cell: switchTitle },
  { id: 'since', title: 'Since', width: '20ch', cell: ({ since }) => since },
  { id: 'by', title: 'By', width: '16ch', cell: ({ by }) => by },
  { id: 'why', title: 'Reason', width: 'minmax(24ch, 2fr)', cell: ({ why }) => why },
  {
    id: 'lift',
    title: 'Lift',
    width: '8ch',
    cell: (row) => (
      <button
        type="button"
        class="small"
        aria-label={`Lift: ${switchTitle(row)}`}
        onClick={() => askFor(liftSwitch(row))}
      >
        Lift
      </button>
    ),
  },
];

export function Switches() {
  const { answer, failure } = usePolled<readonly SwitchRow[]>('/switches');
  const chosen = useSignal<string | undefined>(undefined);
  return (
    <section class="part whole" aria-label="Switches">
      <div class="tools">
        {SWITCH_ACTS.map((one) => (
          <button
            type="button"
            key={one.title}
            class={one.title === 'Kill everybody' ? 'harsh' : ''}
            onClick={() => askFor(one)}
          >
            {one.title}
          </button>
        ))}
      </div>
      <Table
        label="Switches that are on"
        columns={COLUMNS}
        rows={answer ?? []}
        keyOf={({ kind, name }) => `${kind} ${name}`}
        empty={failure === '' ? 'Nothing is held up' : failure}
        chosen={chosen.value}
        onChoose={({ kind, name }) => (chosen.value = `${kind} ${name}`)}
        onOpen={(row) => askFor(liftSwitch(row))}
      />
    </section>
  );
}
