/** The whole page: the login while nobody is logged in, else the bars and the workspace. */
import { effect } from '@preact/signals';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { OrderDesk } from '../orders/order-desk.tsx';
import { sendings } from '../orders/sendings.ts';
import { AlertWatch } from '../panels/alerts/watch.tsx';
import { isStale } from '../store/link.ts';
import { requests } from '../store/requests.ts';
import { desk } from '../store/session.ts';
import { closeToasts, Toasts } from '../ui/toasts.tsx';
import { addActions, useActions } from './actions.ts';
import { FirstSteps } from './first-steps.tsx';
import { Help, isHelpOpen } from './help.tsx';
import { isNarrow } from './layout/narrow.ts';
import { PhoneWorkspace } from './layout/phone.tsx';
import { Workspace } from './layout/workspace.tsx';
import { Login } from './login.tsx';
import { Palette, paletteMode } from './palette/palette.tsx';
import { layoutActions, shellActions } from './shell-actions.ts';
import { StatusBar } from './status-bar.tsx';
import { TopBar } from './top-bar.tsx';

export function Terminal() {
  return desk.value === undefined ? <Login /> : <Desk key={desk.value} />;
}

function Desk() {
  useActions(shellActions);
  useLayoutEffect(() => effect(() => addActions(layoutActions())), []);
  useEffect(() => leaveNothing, []);
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

/** Another user may log in next: nothing that this one did is shown to that one. */
function leaveNothing(): void {
  paletteMode.value = undefined;
  isHelpOpen.value = false;
  sendings.value = [];
  requests.value = [];
  closeToasts();
}
