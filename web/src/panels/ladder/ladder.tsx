import type { PanelProps } from '../../app/panels.ts';

export default function Ladder(_props: PanelProps) {
  return null;
}
