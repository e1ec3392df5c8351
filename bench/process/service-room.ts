/** The options of Node that the launcher gives a service, for processes that are measured in its place. */
export const SERVICE_ROOM: readonly string[] = [
  '--max-semi-space-size=32',
  '--initial-old-space-size=384',
  '--no-memory-reducer',
];

/** Begins this process again with the options of a service, unless it has them or cannot. */
export function enterServiceRoom(): void {
  const missing = SERVICE_ROOM.filter((flag) => !process.execArgv.includes(flag));
  if (missing.length === 0 || process.execve === undefined) return;
  const own = [...process.execArgv, ...missing, ...process.argv.slice(1)];
  process.execve(process.execPath, [process.execPath, ...own], process.env);
}
