/** Tests of edits that two pages of a user make of the lists that the service keeps. */
import { deepEqual, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import type { WatchlistRow } from '../../../../client/src/wire.ts';
import { type Instruments, withAdded, withoutOne } from './list-edits.ts';
import { type ListService, saveEdit, saveNew, saveRenamed } from './list-saves.ts';

const [ITC, TCS, SBIN] = (['ITC-EQ', 'TCS-EQ', 'SBIN-EQ'] as const).map(
  (tradingSymbol) => ({ exchange: 'NSE', tradingSymbol }) as const,
) as [Instruments[number], Instruments[number], Instruments[number]];

/** A service that keeps lists, with those that another page has made. */
function keeping(...rows: readonly (readonly [string, Instruments])[]) {
  const lists = new Map(rows);
  const service: ListService = {
    list: async () => [...lists].map(([name, instruments]) => ({ name, instruments }) as unknown as WatchlistRow),
    save: async (name: string, instruments: Instruments) => void lists.set(name, instruments),
    delete: async (name: string) => void lists.delete(name),
  };
  return { service, lists };
}

test('an edit is made of the list as the service has it now, so that no page loses the edit of another one', async () => {
  const { service, lists } = keeping(['List 1', [ITC, SBIN]]);
  // This page still shows ITC alone.
  await saveEdit(service, { name: 'List 1', instruments: [ITC] }, (list) => withAdded(list, TCS));
  deepEqual(lists.get('List 1'), [ITC, SBIN, TCS]);
  const shown = await saveEdit(service, { name: 'List 1', instruments: [ITC] }, (list) => withoutOne(list, ITC));
  deepEqual(lists.get('List 1'), [SBIN, TCS]);
  deepEqual(shown, [{ name: 'List 1', instruments: [SBIN, TCS] }]);
});

test('a list that the service does not have is kept as the page shows it, with the edit', async () => {
  const { service, lists } = keeping();
  const shown = await saveEdit(service, { name: 'List 1', instruments: [ITC] }, (list) => withAdded(list, TCS));
  deepEqual([lists.get('List 1'), shown.length], [[ITC, TCS], 1]);
});

test('new lists replace none that another page has made under their names', async () => {
  const { service, lists } = keeping(['List 1', [SBIN]]);
  const added = [
    { name: 'List 1', instruments: [ITC] },
    { name: 'List 2', instruments: [] },
  ];
  const shown = await saveNew(service, added);
  deepEqual([lists.get('List 1'), lists.get('List 2')], [[SBIN], []]);
  deepEqual(
    shown.map(({ name }) => name),
    ['List 1', 'List 2'],
  );
});

test('another name is given to the list as it is now, and to no name that is taken', async () => {
  const { service, lists } = keeping(['List 1', [ITC, SBIN]], ['Mine', [TCS]]);
  await rejects(saveRenamed(service, { name: 'List 1', instruments: [ITC] }, 'Mine'), /name is taken/);
  const shown = await saveRenamed(service, { name: 'List 1', instruments: [ITC] }, 'Banks');
  deepEqual([...lists.keys()], ['Mine', 'Banks']);
  deepEqual(lists.get('Banks'), [ITC, SBIN]);
  deepEqual(
    shown.map(({ name }) => name),
    ['Mine', 'Banks'],
  );
});
