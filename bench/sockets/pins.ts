import { execFileSync } from 'node:child_process';

/** The core of the service, and that of everything else. */
const SERVICE_CORE = '0';
const OTHER_CORE = '1';

/** Keeps this process, and all that it starts from now on, on a core of their own; gives the core of the service. */
export function leaveACore(): string {
  execFileSync('taskset', ['-acp', OTHER_CORE, String(process.pid)], { stdio: 'ignore' });
  return SERVICE_CORE;
}
