/**
 * The acts of an operator: each with its effect in words, the fields that it asks for, and the request that carries it
 * out. The dialog that asks is in `act-dialog.tsx`.
 */
import { signal } from '@preact/signals';
import type { UserRow } from '../../../src/operator/operations/access-operations.ts';

/** A field of an act, as the dialog asks for it. */
export interface ActField {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
  readonly hint?: string;
  readonly isOptional?: boolean;
  /** A choice among these. */
  readonly among?: readonly string[];
}

type Values = Readonly<Record<string, string>>;

export interface Act {
  readonly title: string;
  /** All that will happen, in words. */
  readonly effect: string;
  /** The word on the button that does it. */
  readonly button: string;
  /** True for what takes something from users. */
  readonly isHarsh?: boolean;
  readonly fields?: readonly ActField[];
  /** False for what the service takes without a name and a reason. */
  readonly hasGrounds?: boolean;
  readonly path: string | ((values: Values) => string);
  readonly body: (values: Values) => object;
  /** The longest wait for its answer, in milliseconds, where that may take long. */
  readonly longestMs?: number;
  /** The result in words. */
  readonly done: (answer: never) => string;
  /** Secrets of the answer, which are shown this once. */
  readonly secrets?: (answer: never) => Values;
}

/** The act that the dialog asks about. */
export const asked = signal<Act | undefined>(undefined);

/** Opens the dialog about an act; one that is open stays, so that no key changes the act that is being answered. */
export function askFor(act: Act): void {
  asked.value ??= act;
}

function ofUser(userId: string, path: string): string {
  return `/users/${encodeURIComponent(userId)}/${path}`;
}

/** The effect on the open orders in words, by their number. */
function cancels(count: number | undefined): string {
  if (count === 0) return 'No order is open now';
  if (count === 1) return 'The 1 open order is cancelled';
  return `${count === undefined ? 'All' : `The ${count}`} open orders are cancelled`;
}

export function cancelOrders(userId: string, count?: number): Act {
  return {
    title: `Cancel the orders of ${userId}`,
    effect: `${cancels(count)}. Positions stay as they are. The user may place new orders at once.`,
    button: 'Cancel the orders',
    isHarsh: true,
    path: ofUser(userId, 'cancellations'),
    body: () => ({}),
    done: ({ cancelled }: { readonly cancelled: number }) => `Orders of ${userId} that were cancelled: ${cancelled}`,
  };
}

export function killUser(userId: string, count?: number): Act {
  return {
    title: `Kill ${userId}`,
    effect: `The user can place and modify nothing from now on. ${cancels(count)}. Positions stay, and the risk desk still squares off. It lasts over days and restarts until it is lifted.`,
    button: 'Set the kill switch',
    isHarsh: true,
    path: '/switches',
    body: () => ({ kind: 'AccountKill', userId, on: true }),
    done: ({ cancelled }: { readonly cancelled: number }) =>
      `The kill switch of ${userId} is on; cancelled orders: ${cancelled}`,
  };
}

export function liftUser(userId: string): Act {
  return {
    title: `Lift the kill switch of ${userId}`,
    effect: 'The user may place orders again. Orders that were cancelled do not come back.',
    button: 'Lift',
    path: '/switches',
    body: () => ({ kind: 'AccountKill', userId, on: false }),
    done: () => `The kill switch of ${userId} is lifted`,
  };
}

export function payIn(userId: string): Act {
  return {
    title: `Pay in for ${userId}`,
    effect: 'The money is available to the user at once.',
    button: 'Pay in',
    hasGrounds: false,
    fields: [{ name: 'rupees', label: 'Rupees', hint: '100000.00' }],
    path: ofUser(userId, 'deposits'),
    body: ({ rupees }) => ({ rupees, opening: false }),
    done: () => `The pay-in of ${userId} is booked`,
  };
}

export function payOut(userId: string): Act {
  return {
    title: `Pay out to ${userId}`,
    effect: 'The money leaves the account. It is refused beyond the money that is free.',
    button: 'Pay out',
    hasGrounds: false,
    fields: [{ name: 'rupees', label: 'Rupees', hint: '100000.00' }],
    path: ofUser(userId, 'payouts'),
    body: ({ rupees }) => ({ rupees }),
    done: () => `The pay-out of ${userId} is booked`,
  };
}

export function renewKey(userId: string): Act {
  return {
    title: `Renew the API key of ${userId}`,
    effect: 'Logins with the present key are refused from now on; open sessions go on. The new key is shown once.',
    button: 'Renew the key',
    isHarsh: true,
    path: ofUser(userId, 'api-keys'),
    body: () => ({}),
    done: ({ goodUntil }: { readonly goodUntil: string }) => `${userId} has a new API key, good until ${goodUntil}`,
    secrets: ({ apiKey, goodUntil }: { readonly apiKey: string; readonly goodUntil: string }) => ({
      apiKey,
      goodUntil,
    }),
  };
}

export function resetCredentials(userId: string): Act {
  return {
    title: `Reset the credentials of ${userId}`,
    effect:
      'The user gets another password, another secret of one-time codes if there is one, and another API key, which are shown once. The present ones are refused from now on, and all sessions end. Open orders stay.',
    button: 'Reset',
    isHarsh: true,
    path: ofUser(userId, 'credentials'),
    body: () => ({}),
    done: () => `${userId} has other credentials, and no session`,
    secrets: (answer: Values) => answer,
  };
}

export function fixAddresses(userId: string, now: readonly string[]): Act {
  return {
    title: `Addresses of ${userId}`,
    effect:
      'Orders, modifications and cancellations are taken from these IP addresses only; blank for anywhere. Other addresses may be registered again after seven days.',
    button: 'Register the addresses',
    isHarsh: true,
    fields: [{ name: 'addresses', label: 'A primary and a secondary one', value: now.join(' '), isOptional: true }],
    path: ofUser(userId, 'addresses'),
    body: ({ addresses }) => ({ addresses: listOf(addresses) }),
    done: () => `The addresses of ${userId} are registered`,
  };
}

export function setOrderRate(userId: string, now: number | undefined): Act {
  return {
    title: `Order rate of ${userId}`,
    effect: 'Orders beyond the rate are refused and not queued; blank for what the service says.',
    button: 'Set the rate',
    fields: [
      { name: 'perSecond', label: 'Orders a second', value: now === undefined ? '' : String(now), isOptional: true },
      { name: 'algoId', label: 'Registered algorithm, 12 digits, above ten', isOptional: true },
    ],
    path: ofUser(userId, 'order-rate'),
    body: ({ perSecond, algoId }) => ({
      ...(perSecond && { perSecond: Number(perSecond) }),
      ...(algoId && { algoId }),
    }),
    done: () => `The order rate of ${userId} is set`,
  };
}

const listOf = (text: string | undefined): string[] => (text ?? '').split(/[\s,]+/).filter((word) => word !== '');

export function changeRiskGroup(userId: string, now: UserRow['riskGroup']): Act {
  return {
    title: `Risk group of ${userId}`,
    effect:
      'It counts for new orders, modifications and conversions from now on. Open orders stay. A blank field stays as it is; with all of them blank the usual group counts again.',
    button: 'Set the group',
    isHarsh: true,
    fields: [
      { name: 'group', label: 'Name', value: now?.name ?? '', hint: 'ONLINE', isOptional: true },
      {
        name: 'orderValueCap',
        label: 'Cap of a cash order, rupees',
        value: now?.orderValueCap ?? '',
        isOptional: true,
      },
      { name: 'products', label: 'Products', value: now?.products.join(', ') ?? '', hint: 'C, M, I', isOptional: true },
      {
        name: 'exchanges',
        label: 'Exchanges',
        value: now?.exchanges.join(', ') ?? '',
        hint: 'NSE, BSE, NFO, BFO',
        isOptional: true,
      },
    ],
    path: ofUser(userId, 'risk-group'),
    body: ({ group, orderValueCap, products, exchanges }) => ({
      ...(group && { group }),
      ...(orderValueCap && { orderValueCap }),
      ...(products && { products: listOf(products) }),
      ...(exchanges && { exchanges: listOf(exchanges) }),
    }),
    done: () => `The risk group of ${userId} is set`,
  };
}

/** Registers a user. */
export const REGISTER: Act = {
  title: 'Register a user',
  effect: 'The user gets fresh credentials, which are shown once and stand nowhere in plain text.',
  button: 'Register',
  hasGrounds: false,
  fields: [
    { name: 'userId', label: 'User id', hint: '3 to 16 capital letters and digits' },
    { name: 'name', label: 'Name' },
    { name: 'email', label: 'E-mail address' },
    { name: 'totp', label: 'One-time codes', value: 'yes', among: ['yes', 'no'] },
  ],
  path: '/users',
  body: ({ userId, name, email, totp }) => ({ userId, name, email, totp: totp === 'yes' }),
  done: ({ userId }: { readonly userId: string }) => `${userId} is registered`,
  secrets: (answer: Values) => answer,
};
