import type { PanelProps } from '../../app/panels.ts';

export default function Holdings(_props: PanelProps) {
  return null;
}
