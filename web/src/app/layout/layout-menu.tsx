/** The menu of layouts: save the arrangement under a name, open or delete a saved one, or go back to the first one. */
import { useSignal } from '@preact/signals';
import type { TargetedSubmitEvent } from 'preact';
import { Menu } from '../../ui/menu.tsx';
import { toast } from '../../ui/toasts.tsx';
import {
  deleteLayout,
  LONGEST_NAME,
  openLayout,
  resetArrangement,
  savedLayouts,
  saveLayout,
  workspace,
} from './layouts.ts';

export function LayoutMenu() {
  return (
    <Menu label="Layouts" face={<>Layout &#9662;</>}>
      {() => (
        <>
          <SaveForm />
          {savedLayouts.value.length > 0 && <p class="title">Saved</p>}
          {savedLayouts.value.map((layout) => (
            <div class="row" key={layout.name}>
              <button type="button" onClick={() => openLayout(layout)}>
                {layout.name}
                <span class="quiet">{layout.workspace}</span>
              </button>
              <button
                type="button"
                class="narrow"
                data-stays=""
                aria-label={`Delete layout ${layout.name}`}
                onClick={() => deleteLayout(layout.name)}
              >
                ×
              </button>
            </div>
          ))}
          <p class="title">This workspace</p>
          <button type="button" onClick={resetArrangement}>
            Reset {workspace.value}
          </button>
        </>
      )}
    </Menu>
  );
}

function SaveForm() {
  const wrong = useSignal('');
  const onSubmit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name') ?? '');
    wrong.value = saveLayout(name);
    if (wrong.value !== '') return;
    event.currentTarget.reset();
    toast('good', `Layout ${name.trim()} is saved in this browser.`);
  };
  return (
    <form class="row save-layout" onSubmit={onSubmit}>
      <label class="field">
        <span>Save this layout as</span>
        <input name="name" maxLength={LONGEST_NAME} autocomplete="off" />
        {wrong.value !== '' && (
          <span class="wrong" role="alert">
            {wrong.value}
          </span>
        )}
      </label>
      <button type="submit" data-stays="" class="narrow">
        Save
      </button>
    </form>
  );
}
