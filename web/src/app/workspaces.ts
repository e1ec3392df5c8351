/** The workspaces: which panel stands in which place. */
import { signal } from '@preact/signals';
import type { Link } from '../store/chosen.ts';
import type { PanelName } from './panels.ts';

/** A place of a workspace. Its panels are tabs; the first is shown at the beginning. */
export interface Place {
  /** The place in the grid of the workspace. */
  readonly area: 'left' | 'main' | 'right' | 'bottom';
  readonly panels: readonly PanelName[];
  readonly link: Link;
}

export interface WorkspacePlan {
  readonly name: string;
  readonly places: readonly Place[];
}

export const WORKSPACES: readonly WorkspacePlan[] = [
  {
    name: 'Trade',
    places: [
      { area: 'left', panels: ['watchlist', 'alerts'], link: 'blue' },
      { area: 'main', panels: ['chart', 'chain'], link: 'blue' },
      { area: 'right', panels: ['depth', 'ladder'], link: 'blue' },
      { area: 'bottom', panels: ['orders', 'positions', 'trades', 'holdings', 'funds', 'developer'], link: 'blue' },
    ],
  },
  {
    name: 'Options',
    places: [
      { area: 'left', panels: ['watchlist', 'alerts'], link: 'amber' },
      { area: 'main', panels: ['chain', 'chart'], link: 'amber' },
      { area: 'right', panels: ['strategy', 'depth'], link: 'amber' },
      { area: 'bottom', panels: ['positions', 'orders', 'trades', 'funds'], link: 'amber' },
    ],
  },
  {
    name: 'Risk',
    places: [
      { area: 'left', panels: ['funds'], link: 'green' },
      { area: 'main', panels: ['positions', 'holdings'], link: 'green' },
      { area: 'right', panels: ['results', 'alerts'], link: 'green' },
      { area: 'bottom', panels: ['orders', 'trades', 'developer'], link: 'green' },
    ],
  },
];

/** The workspace that is shown. */
export const workspace = signal('Trade');
