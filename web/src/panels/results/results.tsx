import type { PanelProps } from '../../app/panels.ts';

export default function Results(_props: PanelProps) {
  return null;
}
