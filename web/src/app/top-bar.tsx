/** The bar above the workspace: the workspaces, the search, notices, the market's time, layouts, and the user. */
import { desk, logOut } from '../store/session.ts';
import { Menu } from '../ui/menu.tsx';
import { isDark, turnTheme } from '../ui/theme.ts';
import { run } from './actions.ts';
import { LayoutMenu } from './layout/layout-menu.tsx';
import { workspace } from './layout/layouts.ts';
import { WORKSPACES } from './layout/workspaces.ts';
import { Notice } from './notice.tsx';
import { TimeBar } from './time-bar.tsx';

export function TopBar({ isPhone }: { readonly isPhone: boolean }) {
  return (
    <header class="top-bar">
      <h1 class="brand">Sauda</h1>
      {!isPhone && (
        <nav aria-label="Workspaces">
          {WORKSPACES.map((name) => (
            <button
              type="button"
              key={name}
              class="tab"
              aria-pressed={workspace.value === name}
              onClick={() => (workspace.value = name)}
            >
              {name}
            </button>
          ))}
        </nav>
      )}
      {!isPhone && <LayoutMenu />}
      <button type="button" class={isPhone ? '' : 'find'} onClick={() => run('palette.instruments')}>
        Find {!isPhone && <kbd>/</kbd>}
      </button>
      <Notice />
      <TimeBar />
      <Menu label="User and settings" face={desk.value?.userId ?? ''}>
        {() => (
          <>
            <button type="button" onClick={turnTheme}>
              {isDark() ? 'Light theme' : 'Dark theme'}
            </button>
            <button type="button" onClick={() => run('palette.all')}>
              All commands
            </button>
            <button type="button" onClick={() => run('help.keys')}>
              Keys and help
            </button>
            <button type="button" onClick={() => void logOut()}>
              Log out
            </button>
          </>
        )}
      </Menu>
    </header>
  );
}
