/** The panels that a workspace can show. Each is its own part of the build and is loaded when it is first shown. */
import type { ComponentType } from 'preact';
import type { Link } from '../store/chosen.ts';

export interface PanelProps {
  /** The colour that the panel follows: `chosenOf(link)` is its instrument. */
  readonly link: Link;
}

export interface PanelKind {
  readonly title: string;
  readonly load: () => Promise<{ readonly default: ComponentType<PanelProps> }>;
}

export const PANELS = {
  watchlist: { title: 'Watchlists', load: () => import('../panels/watchlist/watchlist.tsx') },
  depth: { title: 'Depth', load: () => import('../panels/depth/depth.tsx') },
  ladder: { title: 'Ladder', load: () => import('../panels/ladder/ladder.tsx') },
  chart: { title: 'Chart', load: () => import('../panels/chart/chart.tsx') },
  ticket: { title: 'Ticket', load: () => import('../panels/ticket/ticket.tsx') },
  orders: { title: 'Orders', load: () => import('../panels/orders/orders.tsx') },
  trades: { title: 'Trades', load: () => import('../panels/trades/trades.tsx') },
  positions: { title: 'Positions', load: () => import('../panels/positions/positions.tsx') },
  holdings: { title: 'Holdings', load: () => import('../panels/holdings/holdings.tsx') },
  funds: { title: 'Funds', load: () => import('../panels/funds/funds.tsx') },
  results: { title: 'Day', load: () => import('../panels/results/results.tsx') },
  chain: { title: 'Option chain', load: () => import('../panels/chain/chain.tsx') },
  strategy: { title: 'Strategy', load: () => import('../panels/strategy/strategy.tsx') },
  alerts: { title: 'Alerts', load: () => import('../panels/alerts/alerts.tsx') },
  developer: { title: 'Developer', load: () => import('../panels/developer/developer.tsx') },
} satisfies Readonly<Record<string, PanelKind>>;

export type PanelName = keyof typeof PANELS;
