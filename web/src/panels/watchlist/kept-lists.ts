/**
 * The watchlists of the user. The service keeps them: each edit is saved there as it is made, one after the other, and
 * when one is refused the lists are read again.
 */
import { signal } from '@preact/signals';
import { failureWords } from '../../orders/words.ts';
import { client, desk } from '../../store/session.ts';
import { toast } from '../../ui/toasts.tsx';
import { freeName, type Instruments } from './list-edits.ts';

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
  save(() => client().watchlists.save(list.name, instruments));
}

/** Adds an empty list and shows it. The first list is kept with it: it would be gone when the lists are read again. */
export function addList(): void {
  const all = lists.peek();
  if (all === undefined) return;
  const name = freeName(all.map((list) => list.name));
  const added = { name, instruments: [], isKept: true };
  lists.value = [...all.map((list) => ({ ...list, isKept: true })), added];
  shownPlace.value = all.length;
  for (const list of [...all.filter(({ isKept }) => !isKept), added]) {
    save(() => client().watchlists.save(list.name, list.instruments));
  }
}

export function deleteShown(): void {
  const [all, place] = [lists.peek() ?? [], shownPlace.peek()];
  const list = all[place];
  if (list === undefined) return;
  const left = all.toSpliced(place, 1);
  lists.value = left.length === 0 ? [FIRST] : left;
  shownPlace.value = Math.max(0, place - 1);
  if (list.isKept) save(() => client().watchlists.delete(list.name));
}

/** Gives the shown list another name: it is saved under that name, and the old one is deleted. */
export function renameShown(name: string): void {
  const [all, place] = [lists.peek() ?? [], shownPlace.peek()];
  const list = all[place];
  if (list === undefined || name === '' || all.some((one) => one.name === name)) return;
  const renamed = { ...list, name, isKept: true };
  // The renamed list is the newest one for the service, and stands at the end from now on.
  lists.value = [...all.toSpliced(place, 1), renamed];
  shownPlace.value = all.length - 1;
  save(async () => {
    await client().watchlists.save(name, list.instruments);
    if (list.isKept) await client().watchlists.delete(list.name);
  });
}

function save(change: () => Promise<unknown>): void {
  lastSave = lastSave.then(change).catch((error: unknown) => {
    toast('bad', `The watchlist was not saved: ${failureWords(error)}`);
    return read();
  });
}

/** Reads the lists, also after a failure. */
export async function read(): Promise<void> {
  try {
    const rows = await client().watchlists.list();
    const kept = rows.map(({ name, instruments }) => ({ name, instruments, isKept: true }));
    readFailure.value = '';
    lists.value = kept.length === 0 ? [FIRST] : kept;
    if (shownPlace.peek() >= kept.length) shownPlace.value = 0;
  } catch (error) {
    lists.value = undefined;
    readFailure.value = failureWords(error);
  }
}
