import type { PanelProps } from '../../app/panels.ts';

export default function Chart(_props: PanelProps) {
  return null;
}
