import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LIBRARY = 'libfaketimeMT.so.1';

/**
 * A wall clock that jumps, for processes that are started with `environment`. Their steady clock is the machine's own.
 * Needs libfaketime.
 */
export class FakeClock {
  readonly environment: Readonly<Record<string, string>>;
  private readonly path: string;
  private aheadMs = 0;

  constructor(scratch: string, name: string) {
    this.path = join(scratch, name);
    this.environment = {
      LD_PRELOAD: join('/usr/$LIB/faketime', LIBRARY),
      FAKETIME_TIMESTAMP_FILE: this.path,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
    this.set(0);
  }

  /** So far ahead of the machine's clock from now on; in milliseconds, behind it when below 0. */
  set(aheadMs: number): void {
    this.aheadMs = aheadMs;
    const sign = aheadMs < 0 ? '-' : '+';
    // In one step: a process may read it at any moment.
    writeFileSync(`${this.path}.new`, `${sign}${Math.abs(aheadMs) / 1_000}`);
    renameSync(`${this.path}.new`, this.path);
  }

  /** Jumps to an instant. */
  setTo(at: number): void {
    this.set(at - Date.now());
  }

  now(): number {
    return Date.now() + this.aheadMs;
  }
}
