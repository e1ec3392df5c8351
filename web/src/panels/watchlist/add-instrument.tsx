/** The field that adds an instrument to the shown list: type, choose by arrow keys or the mouse, Enter adds. */
import { useSignal } from '@preact/signals';
import { useEffect, useId, useMemo, useRef } from 'preact/hooks';
import { instrumentText } from '../../../../client/src/instrument.ts';
import type { ScripRow } from '../../../../client/src/wire.ts';
import { InstrumentSearch } from '../../app/palette/instrument-search.ts';

const MOST_SHOWN = 12;

export function AddInstrument({ onAdd }: { readonly onAdd: (row: ScripRow) => void }) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const search = useMemo(() => new InstrumentSearch(), []);
  const text = useSignal('');
  const at = useSignal(0);
  const wanted = text.value.trim();
  const { text: foundFor, rows, failure } = search.found.value;
  const isWaiting = wanted !== foundFor;
  const found = wanted === '' ? [] : rows.slice(0, MOST_SHOWN);
  const write = (written: string): void => {
    text.value = written;
    at.value = 0;
    isDecided.current = false;
    search.look(written);
  };
  const clear = (): void => write('');
  const add = (row: ScripRow | undefined): void => {
    if (row === undefined) return;
    onAdd(row);
    clear();
    field.current?.focus();
  };
  // Enter that comes before the answer is for the first row of the answer.
  const isDecided = useRef(false);
  useEffect(() => {
    if (!isWaiting && isDecided.current) add(found[0]);
    if (!isWaiting) isDecided.current = false;
  }, [isWaiting]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      at.value = Math.max(0, Math.min(found.length - 1, at.value + step));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (isWaiting) isDecided.current = true;
      else add(found[at.value]);
    } else if (event.key === 'Escape' && text.value !== '') {
      event.stopPropagation();
      clear();
    }
  };
  const isOpen = found.length > 0;
  const isNothing = wanted !== '' && !isWaiting && !isOpen;
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
        onInput={(event) => write(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={clear}
      />
      <FoundList id={id} rows={found} at={at.value} onAdd={add} />
      {isNothing && (
        <p class="found quiet" role="status">
          {failure === '' ? `Nothing is named like ${wanted}.` : `The search failed: ${failure}`}
        </p>
      )}
    </div>
  );
}

interface FoundListProps {
  /** The id of the field, with which those of the list and its rows begin. */
  readonly id: string;
  readonly rows: readonly ScripRow[];
  /** The place of the row that Enter adds. */
  readonly at: number;
  readonly onAdd: (row: ScripRow) => void;
}

function FoundList({ id, rows, at, onAdd }: FoundListProps) {
  return (
    <div id={`${id}-found`} class="found" role="listbox" aria-label="Instruments found" hidden={rows.length === 0}>
      {rows.map((row, place) => (
        <div
          key={instrumentText(row)}
          id={`${id}-${place}`}
          role="option"
          tabIndex={-1}
          aria-selected={place === at}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onAdd(row)}
        >
          <b>{row.tradingSymbol}</b> <span class="quiet">{row.exchange}</span>
          <span class="quiet name">{row.companyName}</span>
        </div>
      ))}
    </div>
  );
}
