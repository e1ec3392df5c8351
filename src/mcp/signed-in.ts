/**
 * The server's session with the service: opened when the first tool needs it, and again when it has ended. It speaks
 * the public interface, by the client library.
 */

import { AuthError } from '../../client/src/errors.ts';
import { Places } from '../../client/src/places.ts';
import { Sauda } from '../../client/src/sauda.ts';
import { totpOf } from '../../client/src/totp.ts';
import { pause, type Session, Transport } from '../../client/src/transport.ts';
import type { OperationName } from '../../client/src/wire.ts';
import type { ServiceSettings } from './environment.ts';
import { ToolRefusal } from './tool-answer.ts';

const TIMEOUT_MS = 15_000;
/** After a refused login none is tried for this time: the service makes each further failure wait. */
const AFTER_REFUSAL_MS = 60_000;

type Fields = Readonly<Record<string, unknown>>;

export class SignedIn {
  /** The market that the service's last answer named: `simulated`, `replay` or `live`. */
  market = 'unknown';
  private readonly settings: ServiceSettings;
  /** Monotonic milliseconds. */
  private readonly elapsed: () => number;
  private readonly transport: Transport;
  /** The client whose login opened the session. */
  private sauda: Sauda | undefined;
  private opening: Promise<void> | undefined;
  private refusedAt = Number.NEGATIVE_INFINITY;

  constructor(settings: ServiceSettings, elapsed: () => number) {
    this.settings = settings;
    this.elapsed = elapsed;
    const { origin, userId, jKey } = settings;
    this.transport = new Transport({
      places: new Places([origin], { now: elapsed, follows: true }),
      timeoutMs: TIMEOUT_MS,
      fetch: this.fetch,
      pause,
    });
    if (jKey !== undefined) this.transport.session = { userId, token: jKey };
  }

  /** Calls an operation that changes nothing, and gives its data. Throws `SaudaError` and `ToolRefusal`. */
  read(path: string, fields: Fields): Promise<unknown> {
    return this.withSession(() => this.transport.read(operationAt(path), fields as never));
  }

  /** Calls an operation that changes something, once. Throws as `read`. */
  change(path: string, fields: Fields): Promise<unknown> {
    return this.withSession(() => this.transport.change(operationAt(path), fields as never));
  }

  /** Places an order under a key, so that a lost answer is asked for again. Throws as `read`. */
  place(fields: Fields, idempotencyKey: string): Promise<unknown> {
    return this.withSession(() => this.transport.place('placeOrder', fields as never, { idempotencyKey }));
  }

  /** Ends the session that a login of this server opened. */
  async close(): Promise<void> {
    await this.sauda?.[Symbol.asyncDispose]();
  }

  private async withSession<T>(call: () => Promise<T>): Promise<T> {
    await this.open();
    const { session } = this.transport;
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof AuthError) || error.code !== 'INVALID_JKEY') throw error;
      return await this.again(call, session).catch((later: unknown) => {
        // A placement that may have been made stays in doubt until an answer to it comes.
        throw error.ambiguous ? error : later;
      });
    }
  }

  /** Makes a call in place of one that met the end of its session, in a new one. */
  private async again<T>(call: () => Promise<T>, ended: Session | undefined): Promise<T> {
    if (this.settings.login === undefined) throw new ToolRefusal('the session of SAUDA_JKEY has ended');
    // Another call may have opened a new one meanwhile.
    if (this.transport.session === ended) this.transport.session = undefined;
    await this.open();
    return call();
  }

  private async open(): Promise<void> {
    if (this.transport.session !== undefined) return;
    this.opening ??= this.logIn().finally(() => {
      this.opening = undefined;
    });
    await this.opening;
  }

  private async logIn(): Promise<void> {
    const { origin: url, userId, login } = this.settings;
    if (login === undefined) throw new ToolRefusal('the session of SAUDA_JKEY has ended');
    if (this.elapsed() - this.refusedAt < AFTER_REFUSAL_MS) {
      throw new ToolRefusal('the login was refused; correct the environment of this server and start it again');
    }
    const { password, apiKey, vendorCode, totpSecret } = login;
    const sauda = new Sauda({ url, userId, apiKey, fetch: this.fetch, ...(vendorCode && { vendorCode }) });
    try {
      await sauda.login({ password, ...(totpSecret && { totp: totpOf(totpSecret) }) });
    } catch (error) {
      if (error instanceof AuthError) this.refusedAt = this.elapsed();
      throw error;
    }
    this.sauda = sauda;
    this.transport.session = sauda.session;
  }

  private readonly fetch: typeof globalThis.fetch = async (...request) => {
    const response = await fetch(...request);
    this.market = response.headers.get('x-market') ?? 'unknown';
    return response;
  };
}

function operationAt(path: string): OperationName {
  return path.slice(1) as OperationName;
}
