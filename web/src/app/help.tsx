/** The help: the keys of all actions by section, those of each panel, and those of tables, tabs and handles. */
import { signal } from '@preact/signals';
import { Dialog } from '../ui/dialog.tsx';
import { actions, run } from './actions.ts';
import { KEYS_EVERYWHERE, KEYS_OF_PANELS } from './help-keys.ts';
import { keyText } from './key-text.ts';

export const isHelpOpen = signal(false);

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
        {sections().map(({ group, rows }) => (
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
  const ofPanels = Object.entries(KEYS_OF_PANELS).map(([name, rows]) => ({ group: `In ${name}`, rows }));
  const ofActions = [...groups].map(([group, rows]) => ({ group, rows }));
  return [...ofActions, ...ofPanels, { group: 'Everywhere', rows: KEYS_EVERYWHERE }];
}
