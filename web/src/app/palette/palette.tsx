/**
 * The palette: instruments of the whole service and the actions of the page, found by typing. `/` opens it for
 * instruments, Ctrl-K for both. Up and Down choose, Enter does it, Alt-B and Alt-S open the ticket of an instrument.
 */
import { signal, useComputed, useSignal } from '@preact/signals';
import { useEffect, useId, useMemo, useRef } from 'preact/hooks';
import type { Side } from '../../../../client/src/generated/operations.ts';
import { openTicket } from '../../orders/ticket-request.ts';
import { activeLink, choose } from '../../store/chosen.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { type Action, actions } from '../actions.ts';
import { keyText } from '../key-text.ts';
import { isNarrow, phonePanel } from '../layout/narrow.ts';
import { fuzzyScore } from './fuzzy.ts';
import { InstrumentSearch } from './instrument-search.ts';
import { type FoundInstrument, recentInstruments, remember } from './recent.ts';

type Mode = 'all' | 'instruments';

/** Undefined while the palette is closed. */
export const paletteMode = signal<Mode | undefined>(undefined);

/** A line of the palette. */
type Entry =
  | { readonly kind: 'instrument'; readonly key: string; readonly row: FoundInstrument }
  | { readonly kind: 'action'; readonly key: string; readonly action: Action };

const MOST_ACTIONS = 8;

export function Palette() {
  return paletteMode.value === undefined ? null : <OpenPalette mode={paletteMode.value} />;
}

function OpenPalette({ mode }: { readonly mode: Mode }) {
  const id = useId();
  const search = useMemo(() => new InstrumentSearch(), []);
  const text = useSignal('');
  const at = useSignal(0);
  const entries = useComputed<readonly Entry[]>(() => {
    const typed = text.value.trim();
    const rows = typed === '' ? recentInstruments.value : search.found.value.rows;
    return [...(mode === 'all' ? actionsFor(typed) : []), ...rows.map(entryOf)];
  });
  const chosen = entries.value[Math.min(at.value, entries.value.length - 1)];
  const { failure, text: foundFor } = search.found.value;
  const isWaiting = text.value.trim() !== '' && foundFor !== text.value.trim();
  const { decide, forget } = useDecision(chosen, isWaiting);

  const onInput = (event: InputEvent): void => {
    text.value = (event.currentTarget as HTMLInputElement).value;
    at.value = 0;
    forget();
    search.look(text.value);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const count = entries.value.length;
    const way = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const side = event.altKey && event.code === 'KeyB' ? 'B' : event.altKey && event.code === 'KeyS' ? 'S' : undefined;
    if (way !== 0 && count > 0) at.value = (Math.min(at.value, count - 1) + way + count) % count;
    else if (event.key === 'Enter' && !event.repeat && !event.isComposing) decide(undefined);
    else if (side !== undefined) decide(side);
    else return;
    event.preventDefault();
  };

  return (
    <Dialog title={titleOf(mode)} class="palette" onClose={close}>
      <input
        role="combobox"
        aria-label={titleOf(mode)}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={chosen === undefined ? undefined : `${id}-${chosen.key}`}
        aria-autocomplete="list"
        placeholder={mode === 'all' ? 'A command or an instrument' : 'ITC, Reliance, NIFTY 24000'}
        autocomplete="off"
        spellcheck={false}
        autoFocus
        onInput={onInput}
        onKeyDown={onKeyDown}
      />
      <EntryList id={id} entries={entries.value} chosen={chosen} at={at.value} />
      <p class="quiet small" role="status">
        {statusText(entries.value.length, text.value.trim(), isWaiting, failure)}
      </p>
      <KeyHints />
    </Dialog>
  );
}

interface Decision {
  /** Takes the chosen entry; with a side, the ticket of an instrument. */
  readonly decide: (side: Side | undefined) => void;
  /** Takes back a decision that waits. */
  readonly forget: () => void;
}

/** A decision that comes before the answer is for the first entry of the answer, never for a find of an older text. */
function useDecision(chosen: Entry | undefined, isWaiting: boolean): Decision {
  const decided = useRef<{ readonly side: Side | undefined } | undefined>(undefined);
  useEffect(() => {
    const { current } = decided;
    decided.current = undefined;
    if (current !== undefined && !isWaiting) take(chosen, current.side);
  }, [isWaiting]);
  const decide = (side: Side | undefined): void => {
    if (isWaiting && chosen?.kind !== 'action') decided.current = { side };
    else if (side === undefined || chosen?.kind === 'instrument') take(chosen, side);
  };
  const forget = (): void => {
    decided.current = undefined;
  };
  return { decide, forget };
}

interface EntryListProps {
  readonly id: string;
  readonly entries: readonly Entry[];
  readonly chosen: Entry | undefined;
  /** The place that the keys moved to; the chosen entry is scrolled into view when it changes. */
  readonly at: number;
}

function EntryList({ id, entries, chosen, at }: EntryListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  return (
    <div role="listbox" id={id} aria-label="Found" class="entries" ref={list} tabIndex={-1}>
      {entries.map((entry) => (
        <div
          role="option"
          id={`${id}-${entry.key}`}
          key={entry.key}
          class="entry"
          aria-selected={entry === chosen}
          onClick={() => take(entry)}
        >
          {entry.kind === 'action' ? <ActionLine action={entry.action} /> : <InstrumentLine row={entry.row} />}
        </div>
      ))}
    </div>
  );
}

function KeyHints() {
  return (
    <p class="quiet small hints">
      <span>
        <kbd>Enter</kbd> choose
      </span>
      <span>
        <kbd>Alt B</kbd> buy
      </span>
      <span>
        <kbd>Alt S</kbd> sell
      </span>
      <span>
        <kbd>Esc</kbd> close
      </span>
    </p>
  );
}

function ActionLine({ action }: { readonly action: Action }) {
  return (
    <>
      <span>{action.title}</span>
      <span class="quiet small">{action.group}</span>
      {action.keys !== undefined && <kbd>{keyText(action.keys)}</kbd>}
    </>
  );
}

function InstrumentLine({ row }: { readonly row: FoundInstrument }) {
  return (
    <>
      <span>
        <span class="exchange">{row.exchange}</span>
        {row.tradingSymbol}
      </span>
      <span class="quiet small text">{row.companyName}</span>
      <span class="quiet small">{row.instrumentName}</span>
    </>
  );
}

function titleOf(mode: Mode): string {
  return mode === 'all' ? 'Find a command or an instrument' : 'Find an instrument';
}

function statusText(count: number, typed: string, isWaiting: boolean, failure: string): string {
  if (failure !== '') return `The search failed: ${failure}`;
  if (isWaiting) return 'Searching';
  if (count === 0) return typed === '' ? 'Type a part of a name.' : `Nothing is named like ${typed}.`;
  return `${count} found`;
}

/** The actions that answer a text, best first; all of them when nothing is typed. */
function actionsFor(typed: string): readonly Entry[] {
  return [...actions.value.values()]
    .map((action) => ({ action, score: fuzzyScore(typed, `${action.title} ${action.group}`) ?? -1 }))
    .filter(({ score, action }) => score >= 0 || (typed === '' && action.keys !== undefined))
    .sort((a, b) => (typed === '' ? 0 : b.score - a.score))
    .slice(0, typed === '' ? undefined : MOST_ACTIONS)
    .map(({ action }) => ({ kind: 'action', key: `action-${action.id}`, action }));
}

function entryOf(row: FoundInstrument): Entry {
  return { kind: 'instrument', key: `${row.exchange}-${row.tradingSymbol}`.replaceAll(' ', '_'), row };
}

function close(): void {
  paletteMode.value = undefined;
}

/** Does what an entry is for. With a side, the instrument's ticket is opened. */
function take(entry: Entry | undefined, side?: Side): void {
  if (entry === undefined) return;
  close();
  if (entry.kind === 'action') {
    // The focus goes back to where it was first, so that the action finds the panel that was used.
    setTimeout(() => entry.action.run());
    return;
  }
  remember(entry.row);
  choose(activeLink.peek(), entry.row);
  if (side !== undefined) openTicket({ kind: 'new', instrument: entry.row, side });
  else if (isNarrow.peek()) phonePanel.value = 'depth';
}
