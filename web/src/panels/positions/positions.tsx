import type { PanelProps } from '../../app/panels.ts';

export default function Positions(_props: PanelProps) {
  return null;
}
