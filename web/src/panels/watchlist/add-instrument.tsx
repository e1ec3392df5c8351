/** The field that adds an instrument to the shown list: type, choose by arrow keys or the mouse, Enter adds. */
import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { ScripRow } from '../../../../client/src/wire.ts';
import { client } from '../../store/session.ts';

const PAUSE_MS = 120;
const MOST_SHOWN = 12;

export function AddInstrument({ onAdd }: { readonly onAdd: (row: ScripRow) => void }) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const text = useSignal('');
  const found = useSignal<readonly ScripRow[]>([]);
  const at = useSignal(0);
  useSearch(text.value, (rows) => {
    found.value = rows.slice(0, MOST_SHOWN);
    at.value = 0;
  });
  const clear = (): void => {
    text.value = '';
    found.value = [];
  };
  const add = (row: ScripRow | undefined): void => {
    if (row === undefined) return;
    onAdd(row);
    clear();
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      at.value = Math.max(0, Math.min(found.value.length - 1, at.value + step));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      add(found.value[at.value]);
    } else if (event.key === 'Escape' && text.value !== '') {
      event.stopPropagation();
      clear();
    }
  };
  const isOpen = text.value !== '' && found.value.length > 0;
  return (
    <div class="add-instrument">
      <input
        ref={field}
        role="combobox"
        aria-label="Add an instrument"
        aria-expanded={isOpen}
        aria-controls={`${id}-found`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen ? `${id}-${at.value}` : undefined}
        placeholder="Add an instrument"
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={clear}
      />
      <div id={`${id}-found`} class="found" role="listbox" aria-label="Instruments found" hidden={!isOpen}>
        {found.value.map((row, place) => (
          <div
            key={`${row.exchange}:${row.tradingSymbol}`}
            id={`${id}-${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === at.value}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => add(row)}
          >
            <b>{row.tradingSymbol}</b> <span class="quiet">{row.exchange}</span>
            <span class="quiet name">{row.companyName}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

/** Searches a short while after the text changed; an answer to an older text is dropped. */
function useSearch(text: string, take: (rows: readonly ScripRow[]) => void): void {
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === '') {
      take([]);
      return undefined;
    }
    let isOld = false;
    const timer = setTimeout(() => {
      client()
        .market.search(wanted)
        .then(
          (rows) => {
            if (!isOld) take(rows);
          },
          () => undefined,
        );
    }, PAUSE_MS);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [text]);
}
