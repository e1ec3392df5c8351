import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An answer of the interface, as the vendor's client hands it over. */
export interface Answer {
  readonly status: string;
  readonly message?: string;
  readonly data?: unknown;
}

type Call = (params: object, callBack: (error: unknown, answer: Answer | null) => void) => void;

/** The credentials of a user, as `sauda demo credentials --json` prints them. */
export interface Credentials {
  readonly userId: string;
  readonly password: string;
  readonly vendorCode: string;
  readonly apiKey: string;
}

/**
 * The vendor's own npm client, unmodified, on another service. Its base address is a constant of a CommonJS module,
 * which its main module reads as it is loaded: so the constant's module is loaded first and given the other address. No
 * file of the package is changed. The client keeps its token in a `config.json` of the working folder, so it gets a
 * folder of its own until `close`. A process can have one at a time.
 */
export class VendorClient {
  private readonly client: Readonly<Record<string, Call>>;
  private readonly home = process.cwd();
  private readonly folder = mkdtempSync(join(tmpdir(), 'sauda-vendor-'));
  private userId = '';

  /** `base`: the address of the V1 interface, such as `http://127.0.0.1:8080/V1`. */
  constructor(base: string) {
    process.chdir(this.folder);
    const load = createRequire(import.meta.url);
    // An earlier client of this process has the address of its own service.
    for (const path of Object.keys(load.cache)) if (path.includes('firstock')) delete load.cache[path];
    (load('firstock/dist/shared/constant') as { API_LINK: string }).API_LINK = base;
    const { Firstock } = load('firstock') as { Firstock: new () => Record<string, Call> };
    this.client = new Firstock();
  }

  /** Logs in. `TOTP` is blank for a user without one-time codes. */
  async login({ userId, password, vendorCode, apiKey }: Credentials, TOTP = ''): Promise<void> {
    this.userId = userId;
    await this.call('login', { password, TOTP, vendorCode, apiKey });
  }

  /** Calls an operation of the client; rejects with the client's own error when it is refused. */
  call(name: string, params: object = {}): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const operation = this.client[name];
    if (operation === undefined) throw new Error(`the client has no ${name}`);
    operation.call(this.client, { userId: this.userId, ...params }, (error, answer) => {
      if (answer === null) reject(error);
      else resolve(answer);
    });
    return promise;
  }

  /** As `call`; gives the data of the answer. */
  async ask<T>(name: string, params: object = {}): Promise<T> {
    return (await this.call(name, params)).data as T;
  }

  /** Leaves the client's working folder and removes it. */
  close(): void {
    process.chdir(this.home);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
