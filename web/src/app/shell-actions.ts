/** The actions of the page itself: search, help, workspaces, panels, theme, session. */
import { logOut } from '../store/session.ts';
import { turnTheme } from '../ui/theme.ts';
import type { Action } from './actions.ts';
import { restartFirstSteps } from './first-steps.tsx';
import { isHelpOpen } from './help.tsx';
import { openLayout, resetArrangement, savedLayouts, workspace } from './layout/layouts.ts';
import { revealPanel } from './layout/reveal.ts';
import { WORKSPACES } from './layout/workspaces.ts';
import { paletteMode } from './palette/palette.tsx';
import { PANELS, type PanelName } from './panels.ts';

const PANEL_KEYS: Readonly<Partial<Record<PanelName, string>>> = {
  depth: 'd',
  chart: 'c',
  chain: 'o',
  watchlist: 'g w',
  ladder: 'g l',
  orders: 'g b',
  positions: 'g p',
  holdings: 'g h',
  funds: 'g f',
  alerts: 'g a',
  developer: 'g d',
};
const WORKSPACE_KEYS = { Trade: 'g t', Options: 'g o', Risk: 'g r' } as const;

export function shellActions(): readonly Action[] {
  return [...ofFinding(), ...ofWorkspaces(), ...ofPanels(), ...ofPage()];
}

function ofFinding(): readonly Action[] {
  const open = (mode: 'all' | 'instruments') => () => {
    paletteMode.value = mode;
  };
  return [
    { id: 'palette.instruments', title: 'Find an instrument', group: 'Find', keys: '/', run: open('instruments') },
    {
      id: 'palette.all',
      title: 'Find a command or an instrument',
      group: 'Find',
      keys: '$mod+k',
      alsoTyping: true,
      run: open('all'),
    },
  ];
}

function ofWorkspaces(): readonly Action[] {
  return WORKSPACES.map((name) => ({
    id: `workspace.${name}`,
    title: `Workspace ${name}`,
    group: 'Workspaces',
    keys: WORKSPACE_KEYS[name],
    run: () => {
      workspace.value = name;
    },
  }));
}

function ofPanels(): readonly Action[] {
  return (Object.keys(PANELS) as PanelName[]).map((name) => {
    const keys = PANEL_KEYS[name];
    return {
      id: `panel.${name}`,
      title: `Show ${PANELS[name].title}`,
      group: 'Panels',
      ...(keys === undefined ? {} : { keys }),
      run: () => revealPanel(name),
    };
  });
}

function ofPage(): readonly Action[] {
  return [
    { id: 'help.keys', title: 'Keys and help', group: 'Page', keys: '?', run: () => (isHelpOpen.value = true) },
    { id: 'help.first-steps', title: 'First steps', group: 'Page', run: restartFirstSteps },
    { id: 'theme.turn', title: 'Turn the theme light or dark', group: 'Page', keys: 'g n', run: turnTheme },
    { id: 'layout.reset', title: 'Reset this workspace', group: 'Page', run: resetArrangement },
    { id: 'session.end', title: 'Log out', group: 'Page', run: () => void logOut() },
  ];
}

/** An action for each saved layout. */
export function layoutActions(): readonly Action[] {
  return savedLayouts.value.map((layout) => ({
    id: `layout.open.${layout.name}`,
    title: `Open layout ${layout.name}`,
    group: 'Layouts',
    run: () => openLayout(layout),
  }));
}
