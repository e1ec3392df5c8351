import { createHash } from 'node:crypto';
import type { Credentials } from '../load/user.ts';

export interface Session {
  readonly userId: string;
  readonly jKey: string;
}

export async function logIn(port: number, { userId, password, vendorCode, apiKey }: Credentials): Promise<Session> {
  const digest = createHash('sha256').update(password).digest('hex');
  const answer = await fetch(`http://127.0.0.1:${port}/V1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userId, password: digest, TOTP: '', vendorCode, apiKey }),
  });
  const { data } = (await answer.json()) as { data: { susertoken: string } };
  return { userId, jKey: data.susertoken };
}

/** The symbols and tokens of the shares of an exchange, in the order of its list. */
export async function sharesOf(port: number, exchange: string): Promise<{ name: string; token: string }[]> {
  const text = await (await fetch(`http://127.0.0.1:${port}/V1/symbols/${exchange}`)).text();
  const [head = '', ...rows] = text.trim().split('\n');
  const names = head.split(',').map((name) => name.trim());
  const [token, symbol] = [names.indexOf('Token'), names.indexOf('TradingSymbol')];
  return rows.map((row) => {
    const cells = row.split(',');
    return { name: `${exchange}:${cells[symbol]}`, token: `${exchange}:${cells[token]}` };
  });
}
