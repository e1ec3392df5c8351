/** The operator's page: the gate while there is no token, else the bar, the chosen part and the age of figures. */
import { useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import type { MarketClock } from '../../../client/src/time.ts';
import type { StatusReport } from '../../../src/operator/operations/service/status-operations.ts';
import { listenForKeys, useActions } from '../app/actions.ts';
import { Dialog } from '../ui/dialog.tsx';
import { theme, turnTheme } from '../ui/theme.ts';
import { Toasts } from '../ui/toasts.tsx';
import { ActDialog } from './act-dialog.tsx';
import { AuditTrail } from './audit-trail.tsx';
import { Clock } from './clock.tsx';
import { paceOf } from './clock-acts.ts';
import { Gate } from './gate.tsx';
import { Health } from './health.tsx';
import { Journal } from './journal.tsx';
import { type Pair, Pairs } from './pairs.tsx';
import { answeredAt, silence, usePolled } from './poll.ts';
import { Risk } from './risk.tsx';
import { Switches } from './switches.tsx';
import { lock, operatorName, token } from './token.ts';
import { moment } from './trail-words.ts';
import { Users } from './users.tsx';
import { PARTS, type Part, part, show } from './view.ts';

export function OperatorPage() {
  useLayoutEffect(listenForKeys, []);
  return token.value === undefined ? <Gate /> : <Desk />;
}

function Desk() {
  const status = usePolled<StatusReport>('/status').answer;
  const clock = usePolled<MarketClock>('/clock').answer;
  const isHelpShown = useSignal(false);
  useActions(() => [
    ...PARTS.map((name, index) => ({
      id: `part.${name}`,
      title: name,
      group: 'Parts',
      keys: String(index + 1),
      run: () => show(name),
    })),
    {
      id: 'search',
      title: 'Search',
      group: 'Parts',
      keys: '/',
      run: () => document.querySelector<HTMLElement>('[data-search]')?.focus(),
    },
    { id: 'help', title: 'Keys', group: 'Parts', keys: 'Shift+?', run: () => (isHelpShown.value = true) },
  ]);
  return (
    <div class={`operator ${silence.value === '' ? '' : 'stale'}`}>
      <Bar status={status} clock={clock} />
      <main class="parts">
        <Shown name={part.value} status={status} clock={clock} />
      </main>
      <Foot status={status} />
      <ActDialog />
      {isHelpShown.value && <Help onClose={() => (isHelpShown.value = false)} />}
      <Toasts />
    </div>
  );
}

interface Read {
  readonly status: StatusReport | undefined;
  readonly clock: MarketClock | undefined;
}

function Shown({ name, status, clock }: Read & { readonly name: Part }) {
  switch (name) {
    case 'Risk':
      return <Risk />;
    case 'Users':
      return <Users />;
    case 'Switches':
      return <Switches />;
    case 'Audit trail':
      return <AuditTrail />;
    case 'Journal':
      return <Journal />;
    case 'Clock':
      return <Clock clock={clock} />;
    default:
      return <Health status={status} />;
  }
}

function Bar({ status, clock }: Read) {
  const switches = status?.books.switches ?? 0;
  return (
    <header class="top-bar">
      <h1>Sauda operator</h1>
      <nav aria-label="Parts">
        {PARTS.map((name, index) => (
          <button
            type="button"
            key={name}
            class="tab"
            aria-pressed={part.value === name}
            title={`Key ${index + 1}`}
            onClick={() => show(name)}
          >
            {name}
            {name === 'Switches' && switches > 0 && <span class="count">{switches}</span>}
          </button>
        ))}
      </nav>
      <span class="space" />
      <time title="Market time">{clock?.market ?? ''}</time>
      {clock !== undefined && clock.speed !== 1 && <span class="pace still">{paceOf(clock.speed)}</span>}
      <Readiness status={status} />
      <span title="Your name, for the journal">{operatorName.value}</span>
      <button type="button" class="plain" onClick={turnTheme}>
        {theme.value === 'auto' ? 'Theme' : theme.value === 'dark' ? 'Dark' : 'Light'}
      </button>
      <button type="button" class="plain" onClick={() => lock('the token is forgotten')}>
        Lock
      </button>
    </header>
  );
}

function Readiness({ status }: { readonly status: StatusReport | undefined }) {
  if (silence.value !== '') return <span class="bad">▲ No answer</span>;
  if (status === undefined) return null;
  if (status.missing.length > 0) return <span class="bad">▲ Not ready: {status.missing.join('; ')}</span>;
  return <span class="good">● Ready</span>;
}

function Foot({ status }: { readonly status: StatusReport | undefined }) {
  return (
    <footer class="status-bar">
      <span role="status" class={silence.value === '' ? 'good' : 'bad'}>
        {silence.value === ''
          ? 'Live'
          : `No answer: ${silence.value}. ${answeredAt.value === 0 ? '' : `Figures are of ${moment(answeredAt.value)} IST.`}`}
      </span>
      <span class="space" />
      {status !== undefined && (
        <>
          <span>record {status.journal.durableSeq}</span>
          <span>loop late {status.load.loopDelay.p99} ms</span>
          <span>market lag {status.load.marketLagSeconds} s</span>
        </>
      )}
      <span>? for keys</span>
    </footer>
  );
}

const KEYS: readonly Pair[] = [
  ['1 to 7', 'Risk, users, switches, audit trail, journal, health, clock'],
  ['/', 'Search'],
  ['Up, Down, Page, Home, End', 'Move in a table'],
  ['Enter', 'Open the row'],
  ['x', 'Cancel the open orders of the chosen user'],
  ['k', 'Kill the chosen user, or lift the kill switch'],
  ['t', 'The audit trail of the chosen user'],
  ['p', 'On the clock: pause the market, or let it run'],
  ['m, b', 'On the clock: step a minute, step to the next boundary'],
  ['Esc', 'Close a dialog without doing anything'],
];

function Help({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <Pairs of={KEYS} />
    </Dialog>
  );
}
