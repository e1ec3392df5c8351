import type { PanelProps } from '../../app/panels.ts';

export default function Trades(_props: PanelProps) {
  return null;
}
