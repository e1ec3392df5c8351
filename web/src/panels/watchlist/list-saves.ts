/**
 * The edits of watchlists at the service. Each reads the lists first and is made of what they are then: another page of
 * the user may have edited them. Each returns the lists as they are after it.
 */
import type { Watchlists } from '../../../../client/src/watchlists.ts';
import type { Instruments } from './list-edits.ts';

export interface NamedList {
  readonly name: string;
  readonly instruments: Instruments;
}

/** The part of the client that is used. */
export interface ListService {
  list(): ReturnType<Watchlists['list']>;
  save(name: string, instruments: Instruments): Promise<unknown>;
  delete(name: string): Promise<unknown>;
}

/** Edits a list. `shown`: as the page shows it before the edit, for one that the service does not have. */
export async function saveEdit(
  service: ListService,
  shown: NamedList,
  edit: (instruments: Instruments) => Instruments,
): Promise<readonly NamedList[]> {
  const { name } = shown;
  const kept = await listsOf(service);
  const known = kept.find((one) => one.name === name);
  const edited = { name, instruments: edit((known ?? shown).instruments) };
  await service.save(name, edited.instruments);
  return known === undefined ? [...kept, edited] : kept.map((one) => (one === known ? edited : one));
}

/** Adds lists. One whose name is there already stays as it is. */
export async function saveNew(service: ListService, added: readonly NamedList[]): Promise<readonly NamedList[]> {
  const kept = await listsOf(service);
  const missing = added.filter(({ name }) => kept.every((one) => one.name !== name));
  for (const { name, instruments } of missing) await service.save(name, instruments);
  return [...kept, ...missing];
}

/** Gives a list another name: it is saved under that name, and the old one is deleted. */
export async function saveRenamed(service: ListService, shown: NamedList, name: string): Promise<readonly NamedList[]> {
  const kept = await listsOf(service);
  if (kept.some((one) => one.name === name)) throw new Error('the name is taken');
  const known = kept.find((one) => one.name === shown.name);
  const renamed = { name, instruments: (known ?? shown).instruments };
  await service.save(name, renamed.instruments);
  if (known !== undefined) await service.delete(shown.name);
  return [...kept.filter((one) => one !== known), renamed];
}

/** The lists that the service keeps. */
export async function listsOf(service: ListService): Promise<readonly NamedList[]> {
  return (await service.list()).map(({ name, instruments }) => ({ name, instruments }));
}
