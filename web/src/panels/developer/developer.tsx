import type { PanelProps } from '../../app/panels.ts';

export default function Developer(_props: PanelProps) {
  return null;
}
