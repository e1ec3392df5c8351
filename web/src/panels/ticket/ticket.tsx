import type { PanelProps } from '../../app/panels.ts';

export default function Ticket(_props: PanelProps) {
  return null;
}
