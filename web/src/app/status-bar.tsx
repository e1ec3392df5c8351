/** The bar beneath the workspace: the state of the stream, the age of figures, and the last order's time. */
import { sendings } from '../orders/sendings.ts';
import { isStale, type LinkState, link, silentFor } from '../store/link.ts';
import { run } from './actions.ts';
import { ageText } from './notice.tsx';

const WORDS: Readonly<Record<LinkState, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  draining: 'The service is stopping',
  cut: 'Connection lost',
  ended: 'The session ended',
};

export function StatusBar() {
  const last = sendings.value.findLast(({ orders, took }) => orders.length > 0 || took === undefined);
  return (
    <footer class="status-bar">
      <span class={isStale.value ? 'bad' : 'good'}>
        <span class="dot" />
        {link.value === 'live' && isStale.value ? 'Silent' : WORDS[link.value]}
      </span>
      <span class="age" title="Time since the service was last heard">
        Data {ageText(silentFor.value)} old
      </span>
      {last !== undefined && (
        <span class="text" title={last.text}>
          Last order {last.took === undefined ? 'is being sent' : `answered in ${Math.round(last.took)} ms`}
        </span>
      )}
      <span class="space" />
      <button type="button" class="plain" onClick={() => run('palette.all')}>
        Commands <kbd>Ctrl K</kbd>
      </button>
      <button type="button" class="plain" onClick={() => run('help.keys')}>
        Help <kbd>?</kbd>
      </button>
      <a href="/docs">Reference</a>
    </footer>
  );
}
