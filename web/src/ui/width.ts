/** The width of an element, in whole pixels; 0 until it is known. The element is there as long as its component. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

export function useWidth(frame: { readonly current: HTMLElement | null }): number {
  const width = useSignal(0);
  useEffect(() => {
    if (frame.current === null) return undefined;
    const watcher = new ResizeObserver(([entry]) => {
      width.value = Math.floor(entry?.contentRect.width ?? 0);
    });
    watcher.observe(frame.current);
    return () => watcher.disconnect();
  }, []);
  return width.value;
}
