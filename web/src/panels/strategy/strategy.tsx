import type { PanelProps } from '../../app/panels.ts';

export default function Strategy(_props: PanelProps) {
  return null;
}
