/** The users, found by a part of their id or name, and the chosen one beside. */
import { useSignal } from '@preact/signals';
import type { UserRow } from '../../../src/operator/operations/access-operations.ts';
import { type Column, Table } from '../ui/table.tsx';
import { askFor, REGISTER } from './acts.ts';
import { usePolled } from './poll.ts';
import { UserPane } from './user/user-pane.tsx';
import { chosenUser } from './view.ts';

const MOST = 200;

/** How many users are shown. */
function numberOf(rows: number): string {
  if (rows === MOST) return `the first ${MOST}`;
  return rows === 1 ? '1 user' : `${rows} users`;
}

const COLUMNS: readonly Column<UserRow>[] = [
  { id: 'user', title: 'User', width: '12ch', cell: ({ userId }) => userId },
  { id: 'name', title: 'Name', width: 'minmax(12ch, 1fr)', cell: ({ name }) => name },
  { id: 'kind', title: 'Kind', width: '6ch', cell: ({ demo }) => (demo ? 'demo' : '') },
  { id: 'key', title: 'Key good until', width: '12ch', cell: ({ keyGoodUntil }) => keyGoodUntil },
  { id: 'sessions', title: 'Sessions', width: '8ch', isFigure: true, cell: ({ sessions }) => sessions },
  { id: 'orders', title: 'Orders', width: '7ch', isFigure: true, cell: ({ orders }) => orders },
  {
    id: 'from',
    title: 'Orders from',
    width: '14ch',
    cell: ({ fixed, addresses }) => (fixed ? addresses.join(', ') : 'anywhere'),
  },
  { id: 'rate', title: 'A second', width: '8ch', isFigure: true, cell: ({ orderRate }) => orderRate?.perSecond ?? '' },
  { id: 'group', title: 'Risk group', width: '12ch', cell: ({ riskGroup }) => riskGroup?.name ?? 'ONLINE' },
];

export function Users() {
  const search = useSignal('');
  const words = search.value.trim();
  const query = words === '' ? '' : `search=${encodeURIComponent(words)}&`;
  const { answer, failure } = usePolled<readonly UserRow[]>(`/users?${query}limit=${MOST}`);
  const rows = answer ?? [];
  return (
    <>
      <section class="part" aria-label="Users">
        <div class="tools">
          <input
            type="search"
            aria-label="Search users"
            placeholder="User id or name"
            data-search
            value={search.value}
            onInput={(event) => (search.value = event.currentTarget.value)}
          />
          <span class="quiet">{numberOf(rows.length)}</span>
          <span class="space" />
          <button type="button" class="main" onClick={() => askFor(REGISTER)}>
            Register a user
          </button>
        </div>
        <Table
          label="Users"
          columns={COLUMNS}
          rows={rows}
          keyOf={({ userId }) => userId}
          empty={failure === '' ? 'No user matches' : failure}
          chosen={chosenUser.value}
          onChoose={({ userId }) => (chosenUser.value = userId)}
        />
      </section>
      <UserPane />
    </>
  );
}
