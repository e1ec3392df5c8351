/** One user: what can be done, and the account by underlying, positions, open orders, funds and access. */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { UserRisk } from '../../../../src/operator/operations/risk/risk-of-user.ts';
import { useActions } from '../../app/actions.ts';
import { Figure, Result } from '../../ui/figure.tsx';
import { askFor, cancelOrders, killUser, liftUser } from '../acts.ts';
import { type Pair, Pairs } from '../pairs.tsx';
import { usePolled } from '../poll.ts';
import { chosenUser, showTrailOf } from '../view.ts';
import { UserAccess } from './user-access.tsx';
import { UserFunds } from './user-funds.tsx';
import { UserTables } from './user-tables.tsx';

const SHEETS = ['Risk', 'Funds', 'Access'] as const;
type Sheet = (typeof SHEETS)[number];

export function UserPane() {
  const user = chosenUser.value;
  return (
    <aside class="part" aria-label="Chosen user">
      {user === undefined ? (
        <p class="empty">Choose a user in the list: up and down keys, or a click.</p>
      ) : (
        <User key={user} user={user} />
      )}
    </aside>
  );
}

function User({ user }: { readonly user: string }) {
  const { answer: risk, failure } = usePolled<UserRisk>(`/risk/${encodeURIComponent(user)}`);
  const sheet = useSignal<Sheet>('Risk');
  return (
    <>
      <header class="tools">
        <h2>{user}</h2>
        <span class="quiet">{risk?.name === user ? '' : risk?.name}</span>
        {risk?.killed && <span class="bad">■ killed</span>}
        <span class="space" />
        <Buttons user={user} risk={risk} />
      </header>
      {risk === undefined && failure !== '' && <p class="empty">{failure}</p>}
      <Summary risk={risk} />
      <div class="tools sheets" role="group" aria-label="Sheets">
        {SHEETS.map((name) => (
          <button
            type="button"
            key={name}
            class="tab"
            aria-pressed={sheet.value === name}
            onClick={() => (sheet.value = name)}
          >
            {name}
          </button>
        ))}
      </div>
      <div class="sheet">
        <SheetOf name={sheet.value} user={user} risk={risk} />
      </div>
    </>
  );
}

function Buttons({ user, risk }: { readonly user: string; readonly risk: UserRisk | undefined }) {
  const now = useRef(risk);
  now.current = risk;
  const cancel = (): void => askFor(cancelOrders(user, now.current?.openOrderCount));
  const kill = (): void => askFor(now.current?.killed ? liftUser(user) : killUser(user, now.current?.openOrderCount));
  const trail = (): void => showTrailOf(user);
  useActions(() => [
    { id: 'user.cancel', title: 'Cancel the orders of the chosen user', group: 'User', keys: 'x', run: cancel },
    { id: 'user.kill', title: 'Kill the chosen user, or lift it', group: 'User', keys: 'k', run: kill },
    { id: 'user.trail', title: 'Audit trail of the chosen user', group: 'User', keys: 't', run: trail },
  ]);
  return (
    <>
      <button type="button" onClick={trail} title="Key t">
        Audit trail
      </button>
      <button type="button" onClick={cancel} title="Key x">
        Cancel orders
      </button>
      <button type="button" class={risk?.killed ? '' : 'harsh'} onClick={kill} title="Key k">
        {risk?.killed ? 'Lift the kill switch' : 'Kill'}
      </button>
    </>
  );
}

function Summary({ risk }: { readonly risk: UserRisk | undefined }) {
  const percent = risk === undefined || risk.usedPercent === '' ? '' : ` (${risk.usedPercent} %)`;
  const share = risk === undefined || risk.largest === '' ? '' : `${risk.largest} ${risk.concentration} %`;
  const cells: readonly Pair[] = [
    [`Margin used${percent}`, <Figure value={risk?.marginUsed} />],
    ['Available', <Figure value={risk?.available} />],
    ['Realised', <Result value={risk?.realised} />],
    ['Open', <Result value={risk?.open} />],
    ['Result', <Result value={risk?.result} />],
    ['Largest stake', share],
  ];
  return <Pairs of={cells} class="totals" />;
}

function SheetOf({
  name,
  user,
  risk,
}: {
  readonly name: Sheet;
  readonly user: string;
  readonly risk: UserRisk | undefined;
}) {
  switch (name) {
    case 'Risk':
      return <UserTables risk={risk} />;
    case 'Funds':
      return <UserFunds user={user} />;
    default:
      return <UserAccess user={user} />;
  }
}
