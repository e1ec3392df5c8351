/** Looks for alerts that fire, whichever panels are shown, and says so by a message that stays and by a sound. */
import { effect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { AlertRow } from '../../../../client/src/wire.ts';
import { alerts } from '../../store/books.ts';
import { useResults } from '../../store/results.ts';
import { desk } from '../../store/session.ts';
import { grouped, signed } from '../../text/figures.ts';
import { beep } from '../../ui/beep.ts';
import { toast } from '../../ui/toasts.tsx';
import { conditionText } from './condition.tsx';
import { FiredAlerts } from './fired.ts';
import { fireProfitAlerts, type ProfitAlert, profitAlerts, takeProfitAlerts } from './profit-alerts.ts';

export function AlertWatch() {
  useEffect(watchPrices, []);
  useEffect(() => takeProfitAlerts(desk.peek()?.userId ?? ''), []);
  const isWaiting = profitAlerts.value.some(({ firedAt }) => firedAt === '');
  return isWaiting ? <ProfitWatch /> : null;
}

/** Follows the results of the day while an alert waits for them. */
function ProfitWatch() {
  const results = useResults();
  useEffect(() => {
    return effect(() => {
      const total = results.value?.total;
      if (total !== undefined) sayFired(fireProfitAlerts(total), total);
    });
  }, []);
  return null;
}

function sayFired(fired: readonly ProfitAlert[], total: string): void {
  if (fired.length > 0) beep();
  for (const { condition, amount } of fired) {
    toast('warn', `The result of the day is ${signed(total)}: ${conditionText(condition)} ${signed(amount)}`);
  }
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
