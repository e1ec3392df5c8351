/** A workspace: its places with their panels as tabs. A panel is loaded when it is first shown. */
import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { activeLink, chosenOf, type Link } from '../store/chosen.ts';
import { PANELS, type PanelName, type PanelProps } from './panels.ts';
import { type Place, WORKSPACES, workspace } from './workspaces.ts';

export function Workspace() {
  const plan = WORKSPACES.find(({ name }) => name === workspace.value) ?? WORKSPACES[0];
  return (
    <main class="workspace" key={plan?.name}>
      {plan?.places.map((place) => (
        <PlaceView key={place.area} place={place} />
      ))}
    </main>
  );
}

function PlaceView({ place }: { readonly place: Place }) {
  const shown = useSignal<PanelName | undefined>(place.panels[0]);
  const activate = (): void => {
    activeLink.value = place.link;
  };
  return (
    <section class={`place ${place.area}`} aria-label={place.area} onFocusCapture={activate} onPointerDown={activate}>
      <div class="tabs" role="tablist">
        {place.panels.map((name) => (
          <button
            type="button"
            role="tab"
            key={name}
            class="tab"
            aria-selected={shown.value === name}
            onClick={() => (shown.value = name)}
          >
            {PANELS[name].title}
          </button>
        ))}
        <span class="space" />
        <span class={`link ${place.link}`}>{chosenOf(place.link).value?.tradingSymbol ?? ''}</span>
      </div>
      {shown.value !== undefined && <LoadedPanel key={shown.value} name={shown.value} link={place.link} />}
    </section>
  );
}

function LoadedPanel({ name, link }: { readonly name: PanelName; readonly link: Link }) {
  const [Panel, setPanel] = useState<ComponentType<PanelProps>>();
  useEffect(() => {
    let isShown = true;
    void PANELS[name].load().then((part) => {
      if (isShown) setPanel(() => part.default);
    });
    return () => {
      isShown = false;
    };
  }, [name]);
  return (
    <div class={`panel ${name}`} role="tabpanel" aria-label={PANELS[name].title}>
      {Panel === undefined ? <p class="empty">Loading</p> : <Panel link={link} />}
    </div>
  );
}
