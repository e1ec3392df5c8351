/** The options of Node that the launcher gives a service, for processes that are measured in its place. */
export const SERVICE_ROOM: readonly string[] = [
  '--max-semi-space-size=32',
  '--initial-old-space-size=384',
  '--no-memory-reducer',
];

/** Begins this process again with the options of a service that it was not given in some way, where it can. */
export function enterServiceRoom(): void {
  const given = new Set(process.execArgv.map(nameOf));
  const missing = SERVICE_ROOM.filter((flag) => !given.has(nameOf(flag)));
  if (missing.length === 0 || process.execve === undefined) return;
  const own = [...process.execArgv, ...missing, ...process.argv.slice(1)];
  process.execve(process.execPath, [process.execPath, ...own], process.env);
}

/** The option of a flag, which may be switched off by it. */
function nameOf(flag: string): string {
  return flag.replace(/=.*/, '').replace(/^--no-/, '--');
}
