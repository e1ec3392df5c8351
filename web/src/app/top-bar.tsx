/** The bar above the workspace: the workspaces, the market's time, and the user. */
import { marketStatus } from '../store/link.ts';
import { desk, logOut } from '../store/session.ts';
import { WORKSPACES, workspace } from './workspaces.ts';

export function TopBar() {
  return (
    <header class="top-bar">
      <strong>Sauda</strong>
      <nav aria-label="Workspaces">
        {WORKSPACES.map(({ name }) => (
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
      <span class="space" />
      <time title="Market time">{marketStatus.value?.marketTime ?? ''}</time>
      <span>{desk.value?.userId}</span>
      <button type="button" class="plain" onClick={() => void logOut()}>
        Log out
      </button>
    </header>
  );
}
