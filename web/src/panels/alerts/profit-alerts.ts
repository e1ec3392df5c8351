/**
 * Alerts on the result of the day. The service has none, so this page compares the result that the service sends with
 * the amount; they work only while the page is open, and the page says so.
 */
import { signal } from '@preact/signals';
import { fromPaise, toPaise } from '../../../../client/src/money.ts';
import { keep, kept } from '../../store/kept.ts';

export interface ProfitAlert {
  readonly id: number;
  readonly condition: 'ABOVE' | 'BELOW';
  /** Rupees with two decimals. */
  readonly amount: string;
  /** The result at which it fired; blank while it waits. */
  readonly firedAt: string;
}

const MOST_KEPT = 20;

/** Oldest first. */
export const profitAlerts = signal<readonly ProfitAlert[]>([]);
/** Under this name this browser keeps the alerts of the user who is logged in. */
let keptAs = '';

/** Takes the alerts that this browser keeps for a user. */
export function takeProfitAlerts(userId: string): void {
  keptAs = `profit-alerts.${userId}`;
  profitAlerts.value = read(kept(keptAs));
}

/** Adds an alert. Returns the reason of a refusal; blank when it is there. */
export function addProfitAlert(condition: ProfitAlert['condition'], text: string): string {
  const amount = amountOf(text);
  if (amount === undefined) return 'The amount is rupees with at most two decimals, such as 5000 or -2500.50.';
  const all = profitAlerts.peek();
  if (all.length >= MOST_KEPT) return `At most ${MOST_KEPT} are kept. Remove one first.`;
  const id = Math.max(0, ...all.map((one) => one.id)) + 1;
  put([...all, { id, condition, amount, firedAt: '' }]);
  return '';
}

export function removeProfitAlert(id: number): void {
  put(profitAlerts.peek().filter((one) => one.id !== id));
}

/** Compares the alerts that wait with the result of the day, and gives those that fire now. Each fires once. */
export function fireProfitAlerts(result: string): readonly ProfitAlert[] {
  const fired = profitAlerts.peek().filter((one) => one.firedAt === '' && isReached(one, result));
  if (fired.length === 0) return [];
  put(profitAlerts.peek().map((one) => (fired.includes(one) ? { ...one, firedAt: result } : one)));
  return fired;
}

/** True when a result is at the amount or beyond it. */
export function isReached({ condition, amount }: Pick<ProfitAlert, 'condition' | 'amount'>, result: string): boolean {
  const [now, bound] = [toPaise(result), toPaise(amount)];
  return condition === 'ABOVE' ? now >= bound : now <= bound;
}

/** The typed text as rupees with two decimals; undefined when it is not an amount. */
function amountOf(text: string): string | undefined {
  try {
    return fromPaise(toPaise(text.trim().replaceAll(',', '').replace(/^\+/, '')));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function put(all: readonly ProfitAlert[]): void {
  profitAlerts.value = all;
  keep(keptAs, all);
}

function read(value: unknown): readonly ProfitAlert[] {
  if (!Array.isArray(value)) return [];
  return value.filter((one: Partial<ProfitAlert> | null): one is ProfitAlert => {
    const isKnown = one?.condition === 'ABOVE' || one?.condition === 'BELOW';
    return isKnown && typeof one.id === 'number' && amountOf(String(one.amount)) !== undefined;
  });
}
