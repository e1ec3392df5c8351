import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sauda } from '../../../client/src/sauda.ts';
import { instrumentsOf, nameOf } from './instrument.ts';

const WINDOW_MS = 50;

/** A service that answers ten questions in a window of time and refuses the others; it knows shares by `-EQ` alone. */
function paced(retryAfter: string | undefined, windowMs = WINDOW_MS): Sauda {
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  let [began, answered] = [performance.now(), 0];
  const respond = async (_url: unknown, request?: RequestInit): Promise<Response> => {
    const { exchange, tradingSymbol } = JSON.parse(String(request?.body)) as Record<string, string>;
    if (performance.now() - began > windowMs) [began, answered] = [performance.now(), 0];
    answered += 1;
    if (answered > 10) return failed(429, 'RATE_LIMIT_EXCEEDED', headers);
    if (!tradingSymbol?.endsWith('-EQ')) return failed(400, 'BAD_REQUEST');
    return Response.json({ status: 'success', message: '', data: { exchange, tradingSymbol } });
  };
  return new Sauda({ url: 'http://127.0.0.1:1', userId: 'SD1001', token: 'f00d', fetch: respond });
}

function failed(status: number, name: string, headers: Record<string, string> = {}): Response {
  const error = { field: 'tradingSymbol', message: 'not so' };
  return Response.json({ status: 'failed', code: String(status), name, error }, { status, headers });
}

test('many instruments are found at the rate of the service', async () => {
  const names = Array.from({ length: 24 }, (_, index) => `SHARE${index}`);
  const found = await instrumentsOf(paced(String((2 * WINDOW_MS) / 1000)), names);
  assert.deepEqual(
    found.map(nameOf),
    names.map((name) => `NSE:${name}-EQ`),
  );
});

test('a refusal that asks for no wait, or for a long one, ends the question', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `SHARE${index}`);
  for (const retryAfter of [undefined, '60']) {
    await assert.rejects(instrumentsOf(paced(retryAfter, Number.POSITIVE_INFINITY), names), { name: 'RateLimited' });
  }
});
