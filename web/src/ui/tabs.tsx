/** Tabs: one stop of the Tab key, the arrow keys go from one to the next, Home and End to the ends. */
import { useRef } from 'preact/hooks';

export interface TabsProps<Name extends string> {
  readonly label: string;
  readonly tabs: readonly { readonly name: Name; readonly title: string }[];
  readonly shown: Name;
  readonly onShow: (name: Name) => void;
  /** The id of the element that shows the chosen tab. */
  readonly controls: string;
  /** Delete on a tab, where tabs can be taken away. */
  readonly onRemove?: (name: Name) => void;
}

export function Tabs<Name extends string>({ label, tabs, shown, onShow, controls, onRemove }: TabsProps<Name>) {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = tabs.findIndex(({ name }) => name === shown);
    if (event.key === 'Delete' && onRemove !== undefined) {
      event.preventDefault();
      onRemove(shown);
      return;
    }
    const next = nextTab(event.key, at, tabs.length);
    const tab = next === undefined ? undefined : tabs[next];
    if (tab === undefined || next === undefined) return;
    event.preventDefault();
    onShow(tab.name);
    (list.current?.children[next] as HTMLElement | undefined)?.focus();
  };
  return (
    <div role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
      {tabs.map(({ name, title }) => (
        <button
          type="button"
          role="tab"
          key={name}
          class="tab"
          aria-selected={name === shown}
          aria-controls={name === shown ? controls : undefined}
          tabIndex={name === shown ? 0 : -1}
          onClick={() => onShow(name)}
        >
          {title}
        </button>
      ))}
    </div>
  );
}

function nextTab(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
      return (at + 1) % count;
    case 'ArrowLeft':
      return (at + count - 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
