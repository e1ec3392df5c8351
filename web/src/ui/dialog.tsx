/** A dialog of the platform: it takes the focus, Esc closes it, and the focus goes back to where it was. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

export interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** False for one beside which the page can be used. */
  readonly isModal?: boolean;
  readonly class?: string;
}

export function Dialog({ title, onClose, children, isModal = true, class: name = '' }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  // Before the next event: a key that follows the one that opened the dialog belongs to it.
  useLayoutEffect(() => {
    const dialog = element.current;
    if (isModal) dialog?.showModal();
    else dialog?.show();
    return () => dialog?.close();
  }, [isModal]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !isModal) onClose();
  };
  return (
    <dialog class={name} ref={element} aria-label={title} onClose={onClose} onKeyDown={onKeyDown}>
      <header>
        <h2>{title}</h2>
        <button type="button" class="plain" aria-label="Close" onClick={onClose}>
          ×
        </button>
      </header>
      {children}
    </dialog>
  );
}
