import type { PanelProps } from '../../app/panels.ts';

export default function Alerts(_props: PanelProps) {
  return null;
}
