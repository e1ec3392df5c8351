/** Looks for alerts that fire, whichever panels are shown, and says so by a message that stays and by a sound. */
import { effect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { AlertRow } from '../../../../client/src/wire.ts';
import { alerts } from '../../store/books.ts';
import { grouped } from '../../text/figures.ts';
import { beep } from '../../ui/beep.ts';
import { toast } from '../../ui/toasts.tsx';
import { conditionText } from './condition.ts';
import { FiredAlerts } from './fired.ts';

export function AlertWatch() {
  useEffect(watchPrices, []);
  return null;
}

/** Until the result is called. */
function watchPrices(): () => void {
  const fired = new FiredAlerts<AlertRow>();
  return effect(() => {
    if (!alerts.isKnown.value) return;
    const now = fired.take(alerts.list.value);
    if (now.length > 0) beep();
    for (const { tradingSymbol, condition, price, firedPrice, remarks } of now) {
      const note = remarks === '' ? '' : ` (${remarks})`;
      toast(
        'warn',
        `${tradingSymbol} is at ${grouped(firedPrice)}: ${conditionText(condition)} ${grouped(price)}${note}`,
      );
    }
  });
}
