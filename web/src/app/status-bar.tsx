/** The bar beneath the workspace: the state of the stream, the age of figures, and the last order's time. */
import { sendings } from '../orders/sender.ts';
import { cutReason, isStale, type LinkState, link, silentFor } from '../store/link.ts';

const WORDS: Readonly<Record<LinkState, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  draining: 'The service is stopping',
  cut: 'Connection lost, trying again',
  ended: 'The session ended',
};

export function StatusBar() {
  const last = sendings.value.at(-1);
  return (
    <footer class="status-bar">
      <span role="status" class={isStale.value ? 'bad' : 'good'}>
        {WORDS[link.value]}
        {link.value === 'cut' && cutReason.value !== '' ? ` (${cutReason.value})` : ''}
        {isStale.value ? `; figures are ${Math.round(silentFor.value / 1000)} s old` : ''}
      </span>
      <span class="space" />
      {last?.took !== undefined && <span>Last order: {Math.round(last.took)} ms</span>}
      <a href="/docs">Reference</a>
    </footer>
  );
}
