/** The whole page: the login while nobody is logged in, else the bars and the workspace. */
import { effect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { OrderDesk } from '../orders/order-desk.tsx';
import { AlertWatch } from '../panels/alerts/watch.tsx';
import { isStale } from '../store/link.ts';
import { desk } from '../store/session.ts';
import { Toasts } from '../ui/toasts.tsx';
import { addActions, useActions } from './actions.ts';
import { FirstSteps } from './first-steps.tsx';
import { Help } from './help.tsx';
import { isNarrow, PhoneWorkspace } from './layout/phone.tsx';
import { Workspace } from './layout/workspace.tsx';
import { Login } from './login.tsx';
import { Palette } from './palette/palette.tsx';
import { layoutActions, shellActions } from './shell-actions.ts';
import { StatusBar } from './status-bar.tsx';
import { TopBar } from './top-bar.tsx';

export function Terminal() {
  return desk.value === undefined ? <Login /> : <Desk key={desk.value.userId} />;
}

function Desk() {
  useActions(shellActions);
  useEffect(() => effect(() => addActions(layoutActions())), []);
  const isPhone = isNarrow.value;
  return (
    <div class={`terminal ${isStale.value ? 'stale' : ''} ${isPhone ? 'phone' : ''}`}>
      <TopBar isPhone={isPhone} />
      {isPhone ? <PhoneWorkspace /> : <Workspace />}
      {!isPhone && <StatusBar />}
      <OrderDesk />
      <AlertWatch />
      <Palette />
      <Help />
      <div class="corner">
        <Toasts />
        <FirstSteps />
      </div>
    </div>
  );
}
