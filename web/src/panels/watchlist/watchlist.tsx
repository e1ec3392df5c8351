import type { PanelProps } from '../../app/panels.ts';

export default function Watchlist(_props: PanelProps) {
  return null;
}
