/** The whole page: the login while nobody is logged in, else the bars and the workspace. */
import { isStale } from '../store/link.ts';
import { desk } from '../store/session.ts';
import { Toasts } from '../ui/toasts.tsx';
import { Login } from './login.tsx';
import { StatusBar } from './status-bar.tsx';
import { TopBar } from './top-bar.tsx';
import { Workspace } from './workspace.tsx';

export function Terminal() {
  if (desk.value === undefined) return <Login />;
  return (
    <div class={`terminal ${isStale.value ? 'stale' : ''}`} key={desk.value.userId}>
      <TopBar />
      <Workspace />
      <StatusBar />
      <Toasts />
    </div>
  );
}
