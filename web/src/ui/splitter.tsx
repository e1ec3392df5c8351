/** The handle between two places: dragged, moved by the arrow keys, and set back by a double click or Enter. */
import type { TargetedPointerEvent } from 'preact';

export interface SplitterProps {
  /** As screen readers say it: `Width of the left places`. */
  readonly label: string;
  /** `across` stands upright and moves left and right; `down` lies flat. */
  readonly way: 'across' | 'down';
  readonly value: number;
  readonly least: number;
  readonly most: number;
  /** The change by one press of an arrow key. */
  readonly step: number;
  /** The change of the value for a movement by one pixel to the right or down, at this moment. */
  readonly perPixel: (handle: HTMLElement) => number;
  readonly onChange: (value: number) => void;
  readonly onReset: () => void;
}

export function Splitter(props: SplitterProps) {
  const { label, way, value, least, most, step, perPixel, onChange, onReset } = props;
  const onPointerDown = (event: TargetedPointerEvent<HTMLDivElement>): void => {
    const handle = event.currentTarget;
    const [from, scale] = [way === 'across' ? event.clientX : event.clientY, perPixel(handle)];
    handle.setPointerCapture(event.pointerId);
    const onMove = (move: PointerEvent): void => {
      onChange(value + ((way === 'across' ? move.clientX : move.clientY) - from) * scale);
    };
    const onEnd = (): void => {
      handle.removeEventListener('pointermove', onMove);
      handle.removeEventListener('lostpointercapture', onEnd);
    };
    handle.addEventListener('pointermove', onMove);
    handle.addEventListener('lostpointercapture', onEnd);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const way1 = Math.sign(perPixel(event.currentTarget as HTMLElement));
    const back = way === 'across' ? 'ArrowLeft' : 'ArrowUp';
    const on = way === 'across' ? 'ArrowRight' : 'ArrowDown';
    if (event.key === back) onChange(value - way1 * step);
    else if (event.key === on) onChange(value + way1 * step);
    else if (event.key === 'Home') onChange(least);
    else if (event.key === 'End') onChange(most);
    else if (event.key === 'Enter') onReset();
    else return;
    event.preventDefault();
  };
  return (
    <div
      role="separator"
      class={`splitter ${way}`}
      tabIndex={0}
      aria-label={label}
      aria-orientation={way === 'across' ? 'vertical' : 'horizontal'}
      aria-valuenow={value}
      aria-valuemin={least}
      aria-valuemax={most}
      onPointerDown={onPointerDown}
      onDblClick={onReset}
      onKeyDown={onKeyDown}
    />
  );
}
