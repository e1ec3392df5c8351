/**
 * The watchlists of the user. The service keeps them: each edit is shown at once and saved there, one after the other.
 * After the last one the page shows what the service has, and so it does when one is refused.
 */
import { signal } from '@preact/signals';
import { failureWords } from '../../orders/words.ts';
import { type Desk, desk } from '../../store/session.ts';
import { toast } from '../../ui/toasts.tsx';
import { freeName, type Instruments } from './list-edits.ts';
import { type ListService, listsOf, type NamedList, saveEdit, saveNew, saveRenamed } from './list-saves.ts';

export interface Watchlist {
  readonly name: string;
  readonly instruments: Instruments;
  /** False until the service keeps it. */
  readonly isKept: boolean;
}

/** Shown to a user who has no list yet. It is saved with the first edit. */
const FIRST: Watchlist = {
  name: 'List 1',
  isKept: false,
  instruments: [
    { exchange: 'NSE', tradingSymbol: 'NIFTY' },
    { exchange: 'NSE', tradingSymbol: 'BANKNIFTY' },
    ...['RELIANCE', 'HDFCBANK', 'ICICIBANK', 'INFY', 'TCS', 'ITC', 'SBIN', 'BHARTIARTL'].map(
      (symbol) => ({ exchange: 'NSE', tradingSymbol: `${symbol}-EQ` }) as const,
    ),
  ],
};

/** Undefined until the service has sent them: lists that are not known are not edited. */
export const lists = signal<readonly Watchlist[] | undefined>(undefined);
/** Why the lists could not be read, in words; blank while they can. */
export const readFailure = signal('');
/** The place of the shown list. */
export const shownPlace = signal(0);

let owner: string | undefined;
let lastSave: Promise<unknown> = Promise.resolve();
/** Edits that are not saved yet. */
let unsaved = 0;

/** Reads the lists of the user who is logged in, unless they are here. */
export function loadLists(): void {
  const userId = desk.peek()?.userId;
  if (userId === owner && lists.peek() !== undefined) return;
  owner = userId;
  lists.value = undefined;
  shownPlace.value = 0;
  void read();
}

export function shownList(): Watchlist | undefined {
  return lists.value?.[shownPlace.value];
}

/** Shows the list at a place; nothing happens where there is none. */
export function showList(place: number): void {
  if (lists.peek()?.[place] !== undefined) shownPlace.value = place;
}

/** Gives the shown list other instruments. */
export function editShown(edit: (instruments: Instruments) => Instruments): void {
  const [all, place] = [lists.peek() ?? [], shownPlace.peek()];
  const list = all[place];
  if (list === undefined) return;
  const instruments = edit(list.instruments);
  if (instruments === list.instruments) return;
  lists.value = all.with(place, { ...list, instruments, isKept: true });
  save((service) => saveEdit(service, list, edit));
}

/** Adds an empty list and shows it. The first list is kept with it: it would be gone when the lists are read again. */
export function addList(): void {
  const all = lists.peek();
  if (all === undefined) return;
  const name = freeName(all.map((list) => list.name));
  const added = { name, instruments: [], isKept: true };
  lists.value = [...all.map((list) => ({ ...list, isKept: true })), added];
  shownPlace.value = all.length;
  save((service) => saveNew(service, [...all.filter(({ isKept }) => !isKept), added]));
}

export function deleteShown(): void {
  const [all, place] = [lists.peek() ?? [], shownPlace.peek()];
  const list = all[place];
  if (list === undefined) return;
  const left = all.toSpliced(place, 1);
  lists.value = left.length === 0 ? [FIRST] : left;
  shownPlace.value = Math.max(0, place - 1);
  if (!list.isKept) return;
  save(async (service) => {
    await service.delete(list.name);
    return listsOf(service);
  });
}

/** Gives the shown list another name. */
export function renameShown(name: string): void {
  const [all, place] = [lists.peek() ?? [], shownPlace.peek()];
  const list = all[place];
  if (list === undefined || name === '' || all.some((one) => one.name === name)) return;
  const renamed = { ...list, name, isKept: true };
  // The renamed list is the newest one for the service, and stands at the end from now on.
  lists.value = [...all.toSpliced(place, 1), renamed];
  shownPlace.value = all.length - 1;
  save((service) => saveRenamed(service, list, name));
}

/** Saves a change in the session in which it was made: in another one it would be made of another user's lists. */
function save(change: (service: ListService) => Promise<readonly NamedList[]>): void {
  const open = desk.peek();
  unsaved += 1;
  lastSave = lastSave.then(() => saved(open, change));
}

async function saved(
  open: Desk | undefined,
  change: (service: ListService) => Promise<readonly NamedList[]>,
): Promise<void> {
  try {
    if (open === undefined || desk.peek() !== open) return;
    const kept = await change(open.sauda.watchlists);
    // Lists that the service had before the next edit would take that edit back on the page.
    if (desk.peek() === open && unsaved === 1) show(kept);
  } catch (error) {
    if (desk.peek() !== open) return;
    toast('bad', `The watchlist was not saved: ${failureWords(error)}`);
    await read();
  } finally {
    unsaved -= 1;
  }
}

/** Reads the lists, also after a failure. */
export async function read(): Promise<void> {
  const open = desk.peek();
  if (open === undefined) return;
  try {
    const kept = await listsOf(open.sauda.watchlists);
    if (desk.peek() !== open) return;
    readFailure.value = '';
    show(kept);
  } catch (error) {
    if (desk.peek() !== open) return;
    lists.value = undefined;
    readFailure.value = failureWords(error);
  }
}

/** Shows the lists of the service, and of them the one that was shown before. */
function show(kept: readonly NamedList[]): void {
  const name = shownList()?.name;
  const place = kept.findIndex((one) => one.name === name);
  lists.value = kept.length === 0 ? [FIRST] : kept.map((one) => ({ ...one, isKept: true }));
  if (place >= 0) shownPlace.value = place;
  else if (shownPlace.peek() >= kept.length) shownPlace.value = 0;
}
