/** Shows a panel and puts the focus on it, wherever it stands; one that stands nowhere is added. */
import type { PanelName } from '../panels.ts';
import { withPanel } from './arrangement.ts';
import { arrange, showPanel } from './layouts.ts';

export function revealPanel(name: PanelName): void {
  if (!showPanel(name)) arrange((now) => withPanel(now, 'main', name, now.places.main?.link ?? 'blue'));
  requestAnimationFrame(() => {
    const panel = document.querySelector<HTMLElement>(`.panel.${name}`);
    (panel?.querySelector<HTMLElement>('[role="grid"]') ?? panel)?.focus();
  });
}
