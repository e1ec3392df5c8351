/** The audit trail, read from its end: who did what, from where, why and with what result. */
import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { type Column, Table } from '../ui/table.tsx';
import { type Pair, Pairs } from './pairs.tsx';
import { usePolled } from './poll.ts';
import { moment, reasonOf, type TrailLine, type TrailReport, whoseAct } from './trail-words.ts';
import { trailSearch } from './view.ts';

const KINDS = [
  '',
  'Act',
  'Command',
  'Login',
  'Logout',
  'Refusal',
  'Repeated',
  'Own',
  'Recovered',
  'Start',
  'End',
  'Seal',
];

const COLUMNS: readonly Column<TrailLine>[] = [
  { id: 'n', title: 'Line', width: '7ch', isFigure: true, cell: ({ n }) => n },
  { id: 'time', title: 'Time (IST)', width: '19ch', cell: ({ utc }) => moment(utc) },
  { id: 'kind', title: 'Kind', width: '9ch', cell: ({ kind }) => kind },
  { id: 'op', title: 'Operation', width: 'minmax(15ch, 1fr)', cell: ({ op }) => op ?? '' },
  { id: 'user', title: 'User', width: '10ch', cell: ({ user }) => user ?? '' },
  { id: 'by', title: 'By', width: '10ch', cell: whoseAct },
  { id: 'why', title: 'Reason', width: 'minmax(18ch, 2fr)', cell: reasonOf },
  { id: 'order', title: 'Order', width: '17ch', cell: ({ order }) => order ?? '' },
  { id: 'code', title: 'Code', width: '5ch', isFigure: true, cell: ({ code }) => code ?? '' },
  { id: 'address', title: 'From', width: '10ch', cell: ({ address }) => address ?? '' },
];

export function AuditTrail() {
  const before = useSignal<number | undefined>(undefined);
  const chosen = useSignal<TrailLine | undefined>(undefined);
  const words = new URLSearchParams(trailSearch.value);
  if (before.value !== undefined) words.set('before', String(before.value));
  words.set('limit', '200');
  const { answer, failure } = usePolled<TrailReport>(`/audit?${words}`);
  const onSubmit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const fields = Array.from(new FormData(event.currentTarget), ([name, value]) => [name, String(value).trim()]);
    before.value = undefined;
    trailSearch.value = Object.fromEntries(fields.filter(([, value]) => value !== ''));
  };
  return (
    <section class="part whole" aria-label="Audit trail">
      <Search key={JSON.stringify(trailSearch.value)} onSubmit={onSubmit} />
      <div class="trail">
        <Table
          label="Lines of the audit trail, the newest first"
          columns={COLUMNS}
          rows={answer?.lines ?? []}
          keyOf={({ n }) => String(n)}
          empty={failure === '' ? (answer === undefined ? 'Reading' : 'No line matches') : failure}
          chosen={chosen.value === undefined ? undefined : String(chosen.value.n)}
          onChoose={(line) => (chosen.value = line)}
          rowClass={({ code }) => (code !== undefined && code >= 400 ? 'refused' : '')}
        />
        {chosen.value !== undefined && <Line line={chosen.value} />}
      </div>
      <div class="tools">
        <button type="button" disabled={before.value === undefined} onClick={() => (before.value = undefined)}>
          Newest
        </button>
        <button type="button" disabled={answer?.reached === undefined} onClick={() => (before.value = answer?.reached)}>
          Older
        </button>
        <span class="quiet">{before.value === undefined ? 'from the end' : `before line ${before.value}`}</span>
      </div>
    </section>
  );
}

function Search({ onSubmit }: { readonly onSubmit: (event: TargetedSubmitEvent<HTMLFormElement>) => void }) {
  const { user, order, op, kind, from, to } = trailSearch.value;
  return (
    <form class="tools" role="search" aria-label="Search the audit trail" onSubmit={onSubmit}>
      <label>
        User <input name="user" size={12} defaultValue={user ?? ''} autocomplete="off" data-search />
      </label>
      <label>
        Order <input name="order" size={16} inputMode="numeric" defaultValue={order ?? ''} autocomplete="off" />
      </label>
      <label>
        Operation <input name="op" size={18} defaultValue={op ?? ''} placeholder="POST /switches" autocomplete="off" />
      </label>
      <label>
        Kind{' '}
        <select name="kind" defaultValue={kind ?? ''}>
          {KINDS.map((name) => (
            <option key={name} value={name}>
              {name === '' ? 'all' : name}
            </option>
          ))}
        </select>
      </label>
      <label>
        From <input name="from" type="date" defaultValue={from ?? ''} />
      </label>
      <label>
        To <input name="to" type="date" defaultValue={to ?? ''} />
      </label>
      <button type="submit" class="main">
        Search
      </button>
    </form>
  );
}

/** Every field of a line. */
function Line({ line }: { readonly line: TrailLine }) {
  const pairs = Object.entries(line).map(([name, value]): Pair => {
    return [name, typeof value === 'object' ? JSON.stringify(value) : String(value)];
  });
  return (
    <section class="line" aria-label={`Line ${line.n}`} tabIndex={0}>
      <Pairs of={pairs} />
    </section>
  );
}
