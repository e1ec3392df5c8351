/** A narrow page, on which one panel is shown at a time. */
import { signal } from '@preact/signals';
import type { PanelName } from '../panels.ts';

/** Below this width three columns do not fit. */
const NARROW = matchMedia('(max-width: 760px)');

/** True while the page is narrow. */
export const isNarrow = signal(NARROW.matches);
NARROW.addEventListener('change', ({ matches }) => {
  isNarrow.value = matches;
});

/** The panel that a narrow page shows. */
export const phonePanel = signal<PanelName>('watchlist');
