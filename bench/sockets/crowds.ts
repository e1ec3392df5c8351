import { must } from '../../src/base/assert.ts';
import type { SocketWish } from './readers.ts';
import { type Session, sharesOf } from './sessions.ts';

export const SOCKETS_OF_A_USER = 20;
const INSTRUMENTS_EACH = 50;
const SHARES_OF_MANY = 1_000;

/** Sockets, and the texts by which each follows its instruments and leaves them. */
export interface Crowd {
  readonly sockets: readonly SocketWish[];
  readonly subscribe: readonly (readonly string[])[];
  readonly unsubscribe: readonly (readonly string[])[];
  /** That come in a second. */
  readonly frames: number;
}

/** Sockets of our own stream with 50 shares each. */
export async function manySockets(port: number, sessions: readonly Session[], sockets: number): Promise<Crowd> {
  const shares = (await sharesOf(port, 'NSE')).slice(0, SHARES_OF_MANY);
  const wishes = Array.from({ length: sockets }, (_, index) => {
    const login = must(sessions[Math.floor(index / SOCKETS_OF_A_USER) % sessions.length], 'there are users');
    return { path: '/stream', texts: [JSON.stringify({ login })] };
  });
  const subscribe = wishes.map((_, index) => {
    const instruments = Array.from({ length: INSTRUMENTS_EACH }, (_none, nth) => {
      return shares[(index * 7 + nth * 13) % shares.length]?.name;
    });
    return [JSON.stringify({ subscribe: 'ticks', instruments: [...new Set(instruments)] })];
  });
  const unsubscribe = wishes.map(() => [JSON.stringify({ unsubscribe: 'ticks' })]);
  return { sockets: wishes, subscribe, unsubscribe, frames: sockets * INSTRUMENTS_EACH };
}

/** One V2 socket with as many instruments as are wanted. */
export async function oneSocket(port: number, session: Session, instruments: number): Promise<Crowd> {
  const shares = [...(await sharesOf(port, 'NSE')), ...(await sharesOf(port, 'BSE'))].slice(0, instruments);
  const tokens = shares.map(({ token }) => token).join('|');
  const text = (action: string): string[][] => [[JSON.stringify({ action, tokens })]];
  return {
    sockets: [{ path: v2Path(session), texts: [] }],
    subscribe: text('subscribe'),
    unsubscribe: text('unsubscribe'),
    frames: shares.length,
  };
}

export function v2Path({ userId, jKey }: Session): string {
  return `/V2/ws?userId=${userId}&jKey=${jKey}`;
}
