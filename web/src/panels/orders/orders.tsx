import type { PanelProps } from '../../app/panels.ts';

export default function Orders(_props: PanelProps) {
  return null;
}
