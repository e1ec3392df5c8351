/** The help: the keys of all actions by section, and the keys of tables, tabs and handles. */
import { signal } from '@preact/signals';
import { Dialog } from '../ui/dialog.tsx';
import { actions, run } from './actions.ts';
import { keyText } from './key-text.ts';

export const isHelpOpen = signal(false);

/** Keys that belong to what has the focus. */
const OF_CONTROLS = [
  ['Up, Down, Page, Home, End', 'Move the chosen row of a table'],
  ['Enter', 'Open the chosen row; send the ticket'],
  ['Left, Right', 'Go to the next tab'],
  ['Delete', 'Take the shown panel away from its place'],
  ['Arrow keys on a handle', 'Resize places; Enter sets the first size'],
  ['Esc', 'Close what is open'],
] as const;

interface Section {
  readonly group: string;
  readonly rows: readonly (readonly [keys: string, title: string])[];
}

export function Help() {
  if (!isHelpOpen.value) return null;
  const close = (): void => {
    isHelpOpen.value = false;
  };
  const again = (): void => {
    close();
    run('help.first-steps');
  };
  return (
    <Dialog title="Keys and help" class="help" onClose={close}>
      <div class="sections">
        {[...sections(), { group: 'Everywhere', rows: OF_CONTROLS }].map(({ group, rows }) => (
          <section key={group} aria-label={group}>
            <h3>{group}</h3>
            <dl>
              {rows.map(([keys, title]) => (
                <div key={title}>
                  <dt>{title}</dt>
                  <dd>
                    <kbd>{keys}</kbd>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p>
        Every order, margin and charge on this page comes from the service. <a href="/docs">The reference</a> describes
        the interface behind it; the panel Developer shows each request that this page made.
      </p>
      <p>
        <button type="button" onClick={again}>
          Show the first steps
        </button>
      </p>
    </Dialog>
  );
}

function sections(): readonly Section[] {
  const groups = new Map<string, (readonly [string, string])[]>();
  for (const { group, keys, title } of actions.value.values()) {
    if (keys === undefined) continue;
    groups.set(group, [...(groups.get(group) ?? []), [keyText(keys), title]]);
  }
  return [...groups].map(([group, rows]) => ({ group, rows }));
}
