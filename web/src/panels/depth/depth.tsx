import type { PanelProps } from '../../app/panels.ts';

export default function Depth(_props: PanelProps) {
  return null;
}
