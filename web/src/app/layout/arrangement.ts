/**
 * An arrangement: which panels stand in which place of a workspace, and how large the places are. Every change makes a
 * new arrangement; nothing here knows the page.
 */
import { LINKS, type Link } from '../../store/chosen.ts';
import { PANELS, type PanelName } from '../panels.ts';

/** The places: three columns, each with a lower half. A place without panels takes no room. */
export const AREAS = ['left', 'left-low', 'main', 'bottom', 'right', 'right-low'] as const;
export type Area = (typeof AREAS)[number];

/** Panels as tabs, of which one is shown. */
export interface Place {
  readonly panels: readonly PanelName[];
  readonly shown: PanelName;
  readonly link: Link;
}

/** `left` and `right` are pixels of width; the others are the share of the lower half in percent. */
export const SIZES = {
  left: { least: 180, most: 640, step: 16 },
  right: { least: 220, most: 720, step: 16 },
  leftLow: { least: 15, most: 85, step: 3 },
  bottom: { least: 15, most: 85, step: 3 },
  rightLow: { least: 15, most: 85, step: 3 },
} as const;
export type SizeName = keyof typeof SIZES;

export interface Arrangement {
  readonly places: Readonly<Partial<Record<Area, Place>>>;
  readonly sizes: Readonly<Record<SizeName, number>>;
}

export function withSize(arrangement: Arrangement, name: SizeName, size: number): Arrangement {
  const { least, most } = SIZES[name];
  const bounded = Math.round(Math.min(most, Math.max(least, size)));
  return { ...arrangement, sizes: { ...arrangement.sizes, [name]: bounded } };
}

/** Shows a panel that stands in a place already. */
export function withShown(arrangement: Arrangement, area: Area, shown: PanelName): Arrangement {
  const place = arrangement.places[area];
  return place?.panels.includes(shown) ? withPlace(arrangement, area, { ...place, shown }) : arrangement;
}

export function withLink(arrangement: Arrangement, area: Area, link: Link): Arrangement {
  const place = arrangement.places[area];
  return place === undefined ? arrangement : withPlace(arrangement, area, { ...place, link });
}

/** Adds a panel to a place, which may be an empty one, and shows it. `link` is for a place that was empty. */
export function withPanel(arrangement: Arrangement, area: Area, panel: PanelName, link: Link): Arrangement {
  const place = arrangement.places[area] ?? { panels: [], shown: panel, link };
  const panels = place.panels.includes(panel) ? place.panels : [...place.panels, panel];
  return withPlace(arrangement, area, { ...place, panels, shown: panel });
}

/** Takes a panel away. The last panel of all stays. */
export function withoutPanel(arrangement: Arrangement, area: Area, panel: PanelName): Arrangement {
  const place = arrangement.places[area];
  if (place === undefined || !place.panels.includes(panel)) return arrangement;
  const at = place.panels.indexOf(panel);
  const panels = place.panels.filter((name) => name !== panel);
  const next = panels[Math.min(at, panels.length - 1)];
  if (next !== undefined) {
    return withPlace(arrangement, area, { ...place, panels, shown: place.shown === panel ? next : place.shown });
  }
  const { [area]: _gone, ...places } = arrangement.places;
  return Object.keys(places).length === 0 ? arrangement : { ...arrangement, places };
}

/** Moves a panel to another place, and shows it there. */
export function moved(arrangement: Arrangement, panel: PanelName, from: Area, to: Area): Arrangement {
  const link = arrangement.places[from]?.link;
  if (link === undefined || from === to) return arrangement;
  return withoutPanel(withPanel(arrangement, to, panel, link), from, panel);
}

/** The first place that has a panel. */
export function areaOf(arrangement: Arrangement, panel: PanelName): Area | undefined {
  return AREAS.find((area) => arrangement.places[area]?.panels.includes(panel));
}

function withPlace(arrangement: Arrangement, area: Area, place: Place): Arrangement {
  return { ...arrangement, places: { ...arrangement.places, [area]: place } };
}

/**
 * The arrangement that was kept, with whatever of it can be used today: unknown panels and sizes are passed over.
 * `otherwise` has the sizes that are missing, and is the answer when no panel is left.
 */
export function readArrangement(value: unknown, otherwise: Arrangement): Arrangement {
  const { places, sizes } = recordOf(value);
  let read: Arrangement = { places: {}, sizes: otherwise.sizes };
  for (const area of AREAS) {
    const place = placeOf(recordOf(places)[area]);
    if (place !== undefined) read = withPlace(read, area, place);
  }
  for (const name of Object.keys(SIZES) as SizeName[]) {
    const size = recordOf(sizes)[name];
    if (typeof size === 'number' && Number.isFinite(size)) read = withSize(read, name, size);
  }
  return Object.keys(read.places).length === 0 ? otherwise : read;
}

function placeOf(value: unknown): Place | undefined {
  const { panels, shown, link } = recordOf(value);
  const known = Array.isArray(panels) ? [...new Set(panels.filter(isPanel))] : [];
  const [first] = known;
  if (first === undefined) return undefined;
  return {
    panels: known,
    shown: known.find((name) => name === shown) ?? first,
    link: LINKS.find((colour) => colour === link) ?? 'blue',
  };
}

function isPanel(name: unknown): name is PanelName {
  return typeof name === 'string' && Object.hasOwn(PANELS, name);
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
