/** The records of the journal, the newest first. */
import { useSignal } from '@preact/signals';
import type { RecordRow } from '../../../src/operator/operations/service/journal-operations.ts';
import { type Column, Table } from '../ui/table.tsx';
import { usePolled } from './poll.ts';

const AT_ONCE = 200;

const COLUMNS: readonly Column<RecordRow>[] = [
  { id: 'seq', title: 'Record', width: '10ch', isFigure: true, cell: ({ seq }) => seq },
  { id: 'at', title: 'Time (IST)', width: '19ch', cell: ({ at }) => at },
  { id: 'command', title: 'Command', width: '16ch', cell: ({ command }) => command },
  { id: 'user', title: 'User', width: '13ch', cell: ({ user }) => user ?? '' },
  { id: 'order', title: 'Order', width: '17ch', cell: ({ order }) => order ?? '' },
  { id: 'by', title: 'By', width: '12ch', cell: ({ by }) => by ?? '' },
  { id: 'why', title: 'Reason', width: 'minmax(16ch, 1fr)', cell: ({ why }) => why ?? '' },
  { id: 'events', title: 'Events', width: 'minmax(30ch, 2fr)', cell: ({ events }) => events.join(', ') },
];

export function Journal() {
  const before = useSignal<number | undefined>(undefined);
  const chosen = useSignal<string | undefined>(undefined);
  const from = before.value === undefined ? '' : `before=${before.value}&`;
  const { answer, failure } = usePolled<readonly RecordRow[]>(`/journal?${from}limit=${AT_ONCE}`);
  const oldest = answer?.at(-1)?.seq;
  const hasOlder = answer?.length === AT_ONCE && oldest !== undefined && oldest > 1;
  return (
    <section class="part whole" aria-label="Journal">
      <Table
        label="Records of the journal, the newest first"
        columns={COLUMNS}
        rows={answer ?? []}
        keyOf={({ seq }) => String(seq)}
        empty={failure === '' ? (answer === undefined ? 'Reading' : 'There is no record') : failure}
        chosen={chosen.value}
        onChoose={({ seq }) => (chosen.value = String(seq))}
      />
      <div class="tools">
        <button type="button" disabled={before.value === undefined} onClick={() => (before.value = undefined)}>
          Newest
        </button>
        <button type="button" disabled={!hasOlder} onClick={() => (before.value = oldest)}>
          Older
        </button>
        <span class="quiet">{before.value === undefined ? 'from the end' : `before record ${before.value}`}</span>
      </div>
    </section>
  );
}
