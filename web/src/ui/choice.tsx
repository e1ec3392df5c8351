/** Buttons of which one is chosen. Arrow keys move the choice, Tab passes it as one stop. */
import { useRef } from 'preact/hooks';

export interface ChoiceProps<Word extends string> {
  /** The name for screen readers. */
  readonly label: string;
  readonly words: readonly Word[];
  readonly chosen: Word;
  readonly textOf: (word: Word) => string;
  readonly onChoose: (word: Word) => void;
  readonly class?: string;
  readonly isDisabled?: boolean;
}

export function Choice<Word extends string>(props: ChoiceProps<Word>) {
  const { label, words, chosen, textOf, onChoose, class: name = '', isDisabled = false } = props;
  const group = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = words[nextPlace(event.key, words.indexOf(chosen), words.length) ?? -1];
    if (next === undefined || isDisabled) return;
    event.preventDefault();
    onChoose(next);
    group.current?.querySelector<HTMLElement>(`[data-word="${next}"]`)?.focus();
  };
  return (
    <div class={`choice ${name}`} role="radiogroup" aria-label={label} ref={group} onKeyDown={onKeyDown}>
      {words.map((word) => (
        <button
          type="button"
          role="radio"
          key={word}
          data-word={word}
          aria-checked={word === chosen}
          tabIndex={word === chosen ? 0 : -1}
          disabled={isDisabled}
          onClick={() => onChoose(word)}
        >
          {textOf(word)}
        </button>
      ))}
    </div>
  );
}

function nextPlace(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowRight' || key === 'ArrowDown') return (at + 1) % count;
  if (key === 'ArrowLeft' || key === 'ArrowUp') return (at - 1 + count) % count;
  return undefined;
}
