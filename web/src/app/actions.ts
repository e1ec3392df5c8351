/**
 * The actions of the page: each has a name for the palette and perhaps keys. Panels add theirs while they are shown.
 * The palette, the help and the keyboard all read this one list.
 */
import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { createKeybindingsHandler } from 'tinykeys';

export interface Action {
  /** Unique, as `order.buy`. */
  readonly id: string;
  /** As people read it in the palette and the help: `Buy the chosen instrument`. */
  readonly title: string;
  /** The section of the help. */
  readonly group: string;
  /** As tinykeys writes them: `b`, `$mod+k`, `F6`, `g t`. A sign, as `?`, needs no word on Shift. */
  readonly keys?: string;
  /** True when the keys work while the user types in a field too. */
  readonly alsoTyping?: boolean;
  readonly run: () => void;
}

/** Fields that take letters. */
const TYPED_INTO = 'input:not([type="checkbox"], [type="radio"], [type="range"]), textarea, select';

/** All actions of the moment by id. */
export const actions = signal<ReadonlyMap<string, Action>>(new Map());

/** Adds actions; the result removes them. A later action with the id of an earlier one takes its place. */
export function addActions(added: readonly Action[]): () => void {
  actions.value = new Map([...actions.peek(), ...added.map((action) => [action.id, action] as const)]);
  return () => {
    const left = new Map(actions.peek());
    for (const action of added) if (left.get(action.id) === action) left.delete(action.id);
    actions.value = left;
  };
}

/** Does an action by its id; nothing when it is not offered now. */
export function run(id: string): void {
  actions.peek().get(id)?.run();
}

/**
 * Offers actions while the component is shown, its first moment included: a key that is pressed as soon as something is
 * seen does what it says. Their `run` reads signals, so they need not be made again.
 */
export function useActions(make: () => readonly Action[]): void {
  useLayoutEffect(() => addActions(make()), []);
}

/**
 * Listens for the keys of all actions. A key that is held down counts once. A single key is first for the part of the
 * page that has the focus. One that ends a sequence, as `g o`, is first for the sequence and does nothing else. Each
 * press has a handler of its own, which stays while actions come and go, so a sequence that is half typed is not
 * forgotten.
 */
export function listenForKeys(): () => void {
  const handlers = new Map<string, (event: KeyboardEvent) => void>();
  let taken: KeyboardEvent | undefined;
  const handlerOf = (press: string): ((event: KeyboardEvent) => void) => {
    const known = handlers.get(press);
    if (known !== undefined) return known;
    const onPress = (event: KeyboardEvent): void => {
      if (taken !== event && act(press, event)) taken = event;
    };
    // Which keys work in a field is said by each action, and not by the library.
    const handler = createKeybindingsHandler({ [press]: onPress }, { ignore: ({ isComposing }) => isComposing });
    handlers.set(press, handler);
    return handler;
  };
  const handle = (event: KeyboardEvent, areSequences: boolean): void => {
    const presses = new Set([...actions.peek().values()].flatMap(pressesOf));
    for (const press of presses) if (isSequence(press) === areSequences) handlerOf(press)(event);
  };
  const onSequences = (event: KeyboardEvent): void => {
    handle(event, true);
    if (taken === event) event.stopPropagation();
  };
  const onSingles = (event: KeyboardEvent): void => {
    if (!event.defaultPrevented) handle(event, false);
  };
  window.addEventListener('keydown', onSequences, { capture: true });
  window.addEventListener('keydown', onSingles);
  return () => {
    window.removeEventListener('keydown', onSequences, { capture: true });
    window.removeEventListener('keydown', onSingles);
  };
}

/** Keyboards differ in whether a sign needs Shift. */
function pressesOf({ keys }: Action): readonly string[] {
  if (keys === undefined) return [];
  return /^[^a-z0-9]$/i.test(keys) ? [keys, `Shift+${keys}`] : [keys];
}

/** True for several keys one after the other. */
function isSequence(press: string): boolean {
  return press.includes(' ');
}

/** Does the action of a press, the one that came last where several have it. False when nothing is done. */
function act(press: string, event: KeyboardEvent): boolean {
  const action = [...actions.peek().values()].findLast((one) => pressesOf(one).includes(press));
  if (action === undefined || event.repeat || (isBusy(event.target) && action.alsoTyping !== true)) return false;
  event.preventDefault();
  action.run();
  return true;
}

/** True while letters belong to a field, or to a dialog or menu in front of the page. */
function isBusy(target: EventTarget | null): boolean {
  if (document.querySelector('dialog:modal, :popover-open') !== null) return true;
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches(TYPED_INTO);
}
