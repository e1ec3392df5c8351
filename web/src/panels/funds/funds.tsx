import type { PanelProps } from '../../app/panels.ts';

export default function Funds(_props: PanelProps) {
  return null;
}
