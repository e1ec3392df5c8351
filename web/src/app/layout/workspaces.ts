/** The three workspaces as they are before the user changes them. */
import type { Arrangement } from './arrangement.ts';

export const WORKSPACES = ['Trade', 'Options', 'Risk'] as const;
export type WorkspaceName = (typeof WORKSPACES)[number];

export const FIRST_ARRANGEMENTS: Readonly<Record<WorkspaceName, Arrangement>> = {
  Trade: {
    places: {
      left: { panels: ['watchlist', 'alerts'], shown: 'watchlist', link: 'blue' },
      main: { panels: ['chart', 'chain'], shown: 'chart', link: 'blue' },
      bottom: {
        panels: ['orders', 'positions', 'trades', 'holdings', 'funds', 'developer'],
        shown: 'orders',
        link: 'blue',
      },
      right: { panels: ['depth', 'ladder'], shown: 'depth', link: 'blue' },
      'right-low': { panels: ['ticket'], shown: 'ticket', link: 'blue' },
    },
    sizes: { left: 330, right: 330, leftLow: 40, bottom: 34, rightLow: 50 },
  },
  Options: {
    places: {
      left: { panels: ['watchlist', 'alerts'], shown: 'watchlist', link: 'amber' },
      'left-low': { panels: ['ticket', 'depth'], shown: 'ticket', link: 'amber' },
      main: { panels: ['chain', 'chart'], shown: 'chain', link: 'amber' },
      bottom: { panels: ['positions', 'orders', 'trades', 'funds'], shown: 'positions', link: 'amber' },
      right: { panels: ['strategy', 'ladder'], shown: 'strategy', link: 'amber' },
    },
    sizes: { left: 300, right: 420, leftLow: 50, bottom: 30, rightLow: 50 },
  },
  Risk: {
    places: {
      left: { panels: ['funds'], shown: 'funds', link: 'green' },
      main: { panels: ['positions', 'holdings'], shown: 'positions', link: 'green' },
      bottom: { panels: ['orders', 'trades', 'developer'], shown: 'orders', link: 'green' },
      right: { panels: ['results', 'chart'], shown: 'results', link: 'green' },
      'right-low': { panels: ['alerts', 'ticket'], shown: 'alerts', link: 'green' },
    },
    sizes: { left: 360, right: 420, leftLow: 40, bottom: 40, rightLow: 44 },
  },
};
