/** A narrow page: one panel at a time, by tabs at its lower edge. */
import { useId } from 'preact/hooks';
import { Tabs } from '../../ui/tabs.tsx';
import { PANELS, type PanelName } from '../panels.ts';
import { phonePanel } from './narrow.ts';
import { LoadedPanel } from './place.tsx';

const PHONE_PANELS: readonly PanelName[] = ['watchlist', 'depth', 'ticket', 'orders', 'positions', 'funds'];
const TITLES: Readonly<Partial<Record<PanelName, string>>> = { watchlist: 'Watch' };

export function PhoneWorkspace() {
  const id = useId();
  const shown = phonePanel.value;
  return (
    <main class="place">
      <LoadedPanel key={shown} id={id} name={shown} link="blue" />
      <PhoneTabs id={id} />
    </main>
  );
}

function PhoneTabs({ id }: { readonly id: string }) {
  const tabs = PHONE_PANELS.map((name) => ({ name, title: TITLES[name] ?? PANELS[name].title }));
  return (
    <div class="phone-tabs">
      <Tabs
        label="Panels"
        tabs={tabs}
        shown={phonePanel.value}
        onShow={(name) => (phonePanel.value = name)}
        controls={id}
      />
    </div>
  );
}
