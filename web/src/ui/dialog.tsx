/**
 * A dialog of the platform: it takes the focus, Esc closes it, and the focus goes back to where it was. An Enter that
 * is held down presses nothing in it.
 */
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
  const isGone = useRef(false);
  // Before the next event: a key that follows the one that opened the dialog belongs to it.
  useLayoutEffect(() => {
    const dialog = element.current;
    isGone.current = false;
    if (isModal) dialog?.showModal();
    else dialog?.show();
    return () => {
      isGone.current = true;
      dialog?.close();
    };
  }, [isModal]);
  // The event comes later: one of a dialog that is gone already is not of the user, and another dialog may be open.
  const onClosed = (): void => {
    if (!isGone.current) onClose();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // The key that opened the dialog may still be held down.
    if (event.key === 'Enter' && event.repeat) event.preventDefault();
    if (event.key === 'Escape' && !isModal) onClose();
  };
  return (
    <dialog class={name} ref={element} aria-label={title} onClose={onClosed} onKeyDown={onKeyDown}>
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
