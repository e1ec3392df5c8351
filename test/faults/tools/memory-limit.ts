import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const V1 = '/sys/fs/cgroup/memory';
const V2 = '/sys/fs/cgroup';

/**
 * A control group of Linux whose processes share this number of bytes of memory; the kernel ends the process that asks
 * for more. Needs root.
 */
export class MemoryLimit {
  private readonly folder: string;

  constructor(bytes: number) {
    const first = existsSync(V1);
    this.folder = join(first ? V1 : V2, `sauda-faults-${process.pid}-${bytes}`);
    mkdirSync(this.folder, { recursive: true });
    writeFileSync(join(this.folder, first ? 'memory.limit_in_bytes' : 'memory.max'), String(bytes));
  }

  /** A command that runs in the group. */
  around(command: readonly string[]): readonly string[] {
    return ['/bin/sh', '-c', `echo $$ > ${this.folder}/cgroup.procs && exec "$@"`, 'sh', ...command];
  }

  /** The most memory that was ever taken, in bytes. */
  get peak(): number {
    const names = ['memory.max_usage_in_bytes', 'memory.peak'].map((name) => join(this.folder, name));
    return Number(readFileSync(names.find((name) => existsSync(name)) ?? '', 'latin1'));
  }

  /** When its processes have ended. */
  remove(): void {
    rmdirSync(this.folder);
  }
}
