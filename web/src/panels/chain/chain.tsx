import type { PanelProps } from '../../app/panels.ts';

export default function Chain(_props: PanelProps) {
  return null;
}
