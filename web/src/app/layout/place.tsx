/** A place of a workspace: its panels as tabs, the instrument that it follows, and its menu. */
import type { ComponentType } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { activeLink, chosenOf, LINKS, type Link } from '../../store/chosen.ts';
import { Menu } from '../../ui/menu.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { PANELS, type PanelName, type PanelProps } from '../panels.ts';
import { AREAS, type Area, moved, type Place, withLink, withoutPanel, withPanel, withShown } from './arrangement.ts';
import { arrange, arrangement } from './layouts.ts';

const AREA_TITLES: Readonly<Record<Area, string>> = {
  left: 'Left',
  'left-low': 'Left, below',
  main: 'Middle',
  bottom: 'Middle, below',
  right: 'Right',
  'right-low': 'Right, below',
};

export function PlaceView({ area, place }: { readonly area: Area; readonly place: Place }) {
  const id = useId();
  const activate = (): void => {
    activeLink.value = place.link;
  };
  const chosen = chosenOf(place.link).value;
  return (
    <section class="place" aria-label={AREA_TITLES[area]} onFocusCapture={activate} onPointerDown={activate}>
      <div class="place-head">
        <Tabs
          label={`Panels: ${AREA_TITLES[area]}`}
          tabs={place.panels.map((name) => ({ name, title: PANELS[name].title }))}
          shown={place.shown}
          onShow={(name) => arrange((now) => withShown(now, area, name))}
          onRemove={(name) => arrange((now) => withoutPanel(now, area, name))}
          controls={id}
        />
        <span class="space" />
        <span class="chosen-name">{chosen?.tradingSymbol ?? ''}</span>
        <PlaceMenu area={area} place={place} />
      </div>
      <LoadedPanel key={place.shown} id={id} name={place.shown} link={place.link} />
    </section>
  );
}

function PlaceMenu({ area, place }: { readonly area: Area; readonly place: Place }) {
  const { shown, link } = place;
  const absent = (Object.keys(PANELS) as PanelName[]).filter((name) => !place.panels.includes(name));
  const title = PANELS[shown].title;
  return (
    <Menu label={`Arrange: ${AREA_TITLES[area]}`} face={<PlaceFace link={link} />}>
      {() => (
        <>
          <p class="title">Follows the instrument of</p>
          <div class="row">
            {LINKS.map((colour) => (
              <button
                type="button"
                key={colour}
                aria-pressed={colour === link}
                onClick={() => arrange((now) => withLink(now, area, colour))}
              >
                <span class={`link-dot ${colour}`} />
                {colour}
                {colour === link ? ' \u2713' : ''}
              </button>
            ))}
          </div>
          <p class="title">Move {title} to</p>
          {AREAS.filter((to) => to !== area).map((to) => (
            <button type="button" key={to} onClick={() => arrange((now) => moved(now, shown, area, to))}>
              {AREA_TITLES[to]}
              {arrangement.value.places[to] === undefined ? ' (new)' : ''}
            </button>
          ))}
          <p class="title">Add here</p>
          {absent.map((name) => (
            <button type="button" key={name} onClick={() => arrange((now) => withPanel(now, area, name, link))}>
              {PANELS[name].title}
            </button>
          ))}
          <p class="title">Take away</p>
          <button type="button" onClick={() => arrange((now) => withoutPanel(now, area, shown))}>
            {title}
          </button>
        </>
      )}
    </Menu>
  );
}

function PlaceFace({ link }: { readonly link: Link }) {
  return (
    <span class="place-face">
      <span class={`link-dot ${link}`} />
      <span aria-hidden="true">&#8942;</span>
    </span>
  );
}

/** A panel, loaded when it is first shown. */
export function LoadedPanel({
  name,
  link,
  id,
}: {
  readonly name: PanelName;
  readonly link: Link;
  readonly id: string;
}) {
  const [Panel, setPanel] = useState<ComponentType<PanelProps>>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let isShown = true;
    PANELS[name].load().then(
      (part) => {
        if (isShown) setPanel(() => part.default);
      },
      () => {
        if (isShown) setFailed(true);
      },
    );
    return () => {
      isShown = false;
    };
  }, [name]);
  return (
    <div class={`panel ${name}`} id={id} role="tabpanel" aria-label={PANELS[name].title} tabIndex={0}>
      {Panel !== undefined && <Panel link={link} />}
      {Panel === undefined && !failed && <p class="empty">Loading</p>}
      {failed && (
        <p class="empty">
          This panel could not be loaded. <a href="/">Load the page again.</a>
        </p>
      )}
    </div>
  );
}
