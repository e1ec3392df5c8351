export const HOURS_REGIMES = ['always', 'exchange'] as const;
/** `always`: every second of every calendar day trades. `exchange`: only the sessions of the calendar do. */
export type HoursRegime = (typeof HOURS_REGIMES)[number];
