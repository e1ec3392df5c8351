/** A menu of the platform beneath its button. The arrow keys go through its entries, Esc and a choice close it. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';

export interface MenuProps {
  /** The hint of the button; screen readers say it after the face. */
  readonly label: string;
  /** The face of the button. */
  readonly face: ComponentChildren;
  /** Buttons, and headings between them; they exist while the menu is open. `data-stays` on a button keeps it open. */
  readonly children: () => ComponentChildren;
}

const ENTRIES = 'button, input';

export function Menu({ label, face, children }: MenuProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const isOpen = useSignal(false);
  // At once: a menu that opened unheard would stay empty.
  useLayoutEffect(() => {
    const menu = box.current;
    const listener = (event: Event): void => {
      isOpen.value = (event as ToggleEvent).newState === 'open';
    };
    menu?.addEventListener('beforetoggle', listener);
    return () => menu?.removeEventListener('beforetoggle', listener);
  }, []);
  useEffect(() => {
    if (isOpen.value) box.current?.querySelector<HTMLElement>(ENTRIES)?.focus();
  }, [isOpen.value]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const entries = [...(box.current?.querySelectorAll<HTMLElement>(ENTRIES) ?? [])];
    const way = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (way === 0 || entries.length === 0) return;
    event.preventDefault();
    const at = entries.indexOf(document.activeElement as HTMLElement);
    entries[(at + way + entries.length) % entries.length]?.focus();
  };
  const onClick = (event: MouseEvent): void => {
    const entry = (event.target as HTMLElement).closest('button');
    if (entry !== null && entry.dataset.stays === undefined) box.current?.hidePopover();
  };
  return (
    <>
      <button type="button" class="plain" title={label} popovertarget={id}>
        {face}
        <span class="unseen">{label}</span>
      </button>
      <div class="menu" id={id} popover="auto" ref={box} onKeyDown={onKeyDown} onClick={onClick}>
        {isOpen.value && children()}
      </div>
    </>
  );
}
