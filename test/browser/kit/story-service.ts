/**
 * The service behind stories, as an operator and a program reach it: makes users with money, logs them in and calls
 * operations beside the page, so that a story can compare what it sees with what the service holds.
 */
import assert from 'node:assert/strict';
import { createHash, randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { must } from '../../../src/base/assert.ts';

/** Where a service is reached. */
export interface Reached {
  /** `http://127.0.0.1:40123` */
  readonly origin: string;
  readonly operator: string;
  /** Its data folder. */
  readonly data: string;
}

/** The words that a user without one-time codes logs in with. */
export interface Credentials {
  readonly userId: string;
  readonly password: string;
  readonly vendorCode: string;
  readonly apiKey: string;
}

/** A user without one-time codes, with a session of his own beside those of his pages. */
export interface StoryUser extends Credentials {
  readonly jKey: string;
  readonly service: StoryService;
  /** Calls an operation as this user. Gives the data of its success; fails the story otherwise. */
  call<T>(operation: string, fields?: object): Promise<T>;
}

/** 10 lakh rupees. */
const OPENING_CASH = '1000000.00';

export class StoryService implements Reached {
  readonly origin: string;
  readonly operator: string;
  readonly data: string;

  constructor({ origin, operator, data }: Reached) {
    this.origin = origin;
    this.operator = operator;
    this.data = data;
  }

  /** Makes a user with money and, by trading symbol on NSE, shares. */
  async newUser({ rupees = OPENING_CASH, shares = {} as Readonly<Record<string, number>> } = {}): Promise<StoryUser> {
    const userId = `ST${randomInt(1e9, 1e10)}`;
    const named = { userId, name: 'STORY USER', email: `${userId.toLowerCase()}@example.com`, totp: false };
    const credentials = (await this.act('/users', named)) as Credentials;
    await this.act(`/users/${userId}/deposits`, { rupees, opening: true });
    for (const [symbol, quantity] of Object.entries(shares)) {
      await this.act(`/users/${userId}/holdings`, { exchange: 'NSE', symbol, quantity });
    }
    return this.logIn(credentials);
  }

  /** Opens one more session of a user. */
  async logIn({ userId, password, vendorCode, apiKey }: Credentials): Promise<StoryUser> {
    const digest = createHash('sha256').update(password).digest('hex');
    const answer = await this.post('login', { userId, password: digest, vendorCode, apiKey, TOTP: '' });
    return this.userOf({ userId, password, vendorCode, apiKey }, answer);
  }

  operatorToken(): string {
    return readFileSync(join(this.data, 'operator.token'), 'utf8').trim();
  }

  /** Acts on the operator's port with the token of the data folder. */
  async act(path: string, body: object): Promise<unknown> {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${this.operatorToken()}` };
    const answer = await fetch(this.operator + path, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await answer.text();
    assert.ok(answer.ok, `${path}: ${answer.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  /** Posts to an operation without a session. Gives the data of its success; fails the story otherwise. */
  async post<T = Readonly<Record<string, string>>>(operation: string, body: object): Promise<T> {
    const answer = await fetch(`${this.origin}/V1/${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    assert.equal(answer.status, 200, `${operation}: ${text}`);
    return (JSON.parse(text) as { readonly data: T }).data;
  }

  /** Ends a session by its token. */
  async end(userId: string, jKey: string): Promise<void> {
    await this.post('logout', { userId, jKey });
  }

  private userOf(credentials: Credentials, { susertoken }: Readonly<Record<string, string>>): StoryUser {
    const { userId } = credentials;
    const jKey = must(susertoken, 'a login answers a token');
    return {
      ...credentials,
      jKey,
      service: this,
      call: (operation, fields = {}) => this.post(operation, { userId, jKey, ...fields }),
    };
  }
}
