/**
 * The workspaces with the arrangement that the user gave each of them, and the layouts that were saved under a name.
 * This browser keeps both.
 */
import { computed, effect, signal } from '@preact/signals';
import { activeLink } from '../../store/chosen.ts';
import { keep, kept } from '../../store/kept.ts';
import type { PanelName } from '../panels.ts';
import { AREAS, type Arrangement, areaOf, readArrangement, withShown } from './arrangement.ts';
import { isNarrow, phonePanel } from './narrow.ts';
import { FIRST_ARRANGEMENTS, WORKSPACES, type WorkspaceName } from './workspaces.ts';

/** An arrangement under a name, with the workspace that it belongs to. */
export interface SavedLayout {
  readonly name: string;
  readonly workspace: WorkspaceName;
  readonly arrangement: Arrangement;
}

const MOST_SAVED = 30;
export const LONGEST_NAME = 40;

const asKept = kept('workspaces') as { readonly workspace?: unknown; readonly arrangements?: unknown } | undefined;

/** The workspace that is shown. */
export const workspace = signal<WorkspaceName>(WORKSPACES.find((name) => name === asKept?.workspace) ?? 'Trade');
const arrangements = signal(readAll(asKept?.arrangements));
/** In the order in which they were saved first. */
export const savedLayouts = signal(readSaved(kept('layouts')));

/** The arrangement of the workspace that is shown. */
export const arrangement = computed(() => arrangements.value[workspace.value]);

effect(() => keep('workspaces', { workspace: workspace.value, arrangements: arrangements.value }));
effect(() => keep('layouts', savedLayouts.value));
// Keys act on a colour that is seen.
effect(() => {
  const places = AREAS.flatMap((area) => arrangement.value.places[area] ?? []);
  if (places.some(({ link }) => link === activeLink.peek())) return;
  const seen = arrangement.value.places.main ?? places[0];
  if (seen !== undefined) activeLink.value = seen.link;
});

/** Changes the arrangement of the workspace that is shown. */
export function arrange(change: (now: Arrangement) => Arrangement): void {
  const name = workspace.peek();
  arrangements.value = { ...arrangements.peek(), [name]: change(arrangements.peek()[name]) };
}

export function resetArrangement(): void {
  arrange(() => FIRST_ARRANGEMENTS[workspace.peek()]);
}

/** Shows a panel where it stands in the workspace; false when it stands nowhere. A narrow page has a place for each. */
export function showPanel(panel: PanelName): boolean {
  if (isNarrow.peek()) {
    phonePanel.value = panel;
    return true;
  }
  const area = areaOf(arrangement.peek(), panel);
  if (area !== undefined) arrange((now) => withShown(now, area, panel));
  return area !== undefined;
}

/** Saves the arrangement that is shown. A layout of the same name is replaced. Returns the reason of a refusal. */
export function saveLayout(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > LONGEST_NAME) return `A name has 1 to ${LONGEST_NAME} characters.`;
  const others = savedLayouts.peek().filter((one) => one.name !== name);
  if (others.length >= MOST_SAVED) return `At most ${MOST_SAVED} layouts are kept. Delete one first.`;
  savedLayouts.value = [...others, { name, workspace: workspace.peek(), arrangement: arrangement.peek() }];
  return '';
}

/** Shows a saved layout in its workspace. */
export function openLayout(layout: SavedLayout): void {
  workspace.value = layout.workspace;
  arrange(() => layout.arrangement);
}

export function deleteLayout(name: string): void {
  savedLayouts.value = savedLayouts.peek().filter((one) => one.name !== name);
}

function readAll(value: unknown): Readonly<Record<WorkspaceName, Arrangement>> {
  const read = (name: WorkspaceName): Arrangement =>
    readArrangement((value as Readonly<Record<string, unknown>> | undefined)?.[name], FIRST_ARRANGEMENTS[name]);
  return { Trade: read('Trade'), Options: read('Options'), Risk: read('Risk') };
}

function readSaved(value: unknown): readonly SavedLayout[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MOST_SAVED).flatMap((one: Partial<SavedLayout> | null) => {
    const at = WORKSPACES.find((name) => name === one?.workspace);
    if (at === undefined || typeof one?.name !== 'string') return [];
    return [{ name: one.name, workspace: at, arrangement: readArrangement(one.arrangement, FIRST_ARRANGEMENTS[at]) }];
  });
}
