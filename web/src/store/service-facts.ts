/** The facts of the market in the headers of each answer, so that nobody takes a replay for the present. */
import { batch, signal } from '@preact/signals';

/** `simulated`, `replay` or `live`; blank before the first answer. */
export const marketKind = signal('');
/** True where users bring about outcomes by their remarks. */
export const hasScenarios = signal(false);

/** Takes the headers of an answer of the service. */
export function noteFacts(headers: Headers): void {
  const kind = headers.get('x-market');
  // Files of the page say nothing of the market.
  if (kind === null) return;
  batch(() => {
    marketKind.value = kind;
    hasScenarios.value = headers.get('x-scenarios') === 'on';
  });
}
