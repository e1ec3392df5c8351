/** The whole page: the login while nobody is logged in, else the bars and the workspace. */
import { isStale } from '../store/link.ts';
import { desk } from '../store/session.ts';
import { Toasts } from '../ui/toasts.tsx';
import { isNarrow, PhoneWorkspace } from './layout/phone.tsx';
import { TicketPlace } from './layout/ticket-place.tsx';
import { Workspace } from './layout/workspace.tsx';
import { Login } from './login.tsx';
import { StatusBar } from './status-bar.tsx';
import { TopBar } from './top-bar.tsx';

export function Terminal() {
  if (desk.value === undefined) return <Login />;
  const isPhone = isNarrow.value;
  return (
    <div class={`terminal ${isStale.value ? 'stale' : ''} ${isPhone ? 'phone' : ''}`} key={desk.value.userId}>
      <TopBar isPhone={isPhone} />
      {isPhone ? <PhoneWorkspace /> : <Workspace />}
      {!isPhone && <StatusBar />}
      <TicketPlace />
      <Toasts />
    </div>
  );
}
