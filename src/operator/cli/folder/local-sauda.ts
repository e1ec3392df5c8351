import type { Command } from 'commander';
import type { WallMs } from '../../../base/time.ts';
import type { Config } from '../../../config.ts';
import { configOf, type Environment, type Flags, withSettings } from '../command-settings.ts';
import { codeAt } from '../reports/start-report.ts';
import { demoUserOf } from './demo-commands.ts';

interface LocalParts extends Environment {
  readonly now: () => WallMs;
}

/** The service of a data folder on this machine, as commands of its users find it. */
export function localSauda(parts: LocalParts) {
  // Commands of users have flags of their own that have names of other settings, such as `demo`.
  const settingsOf = ({ data, port, config }: Flags): Config => {
    const named = { data, port, config };
    return configOf(Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)), parts);
  };
  return {
    /** Adds the settings that name the service. */
    withLocal: (command: Command): Command => withSettings(command, ['data', 'port']),
    /** The address of the service that the flags and the settings name: `http://127.0.0.1:8080`. */
    addressOf: (flags: Flags): string => {
      const { port, tlsCert } = settingsOf(flags);
      return `${tlsCert === '' ? 'http' : 'https'}://127.0.0.1:${port}`;
    },
    /** The credentials of a demo user, with the code of the moment. Throws `CommandFailed` for an unknown one. */
    demoLogin: (flags: Flags, userId: string) => {
      const { password, vendorCode, apiKey, totpSecret } = demoUserOf(settingsOf(flags), userId);
      const totp = totpSecret === undefined ? '' : codeAt(totpSecret, parts.now());
      return { userId, password, vendorCode, apiKey, totp };
    },
  };
}
