import { existsSync } from 'node:fs';
import { enrol, withApiKey } from '../gateway/credentials/enrolment.ts';
import { AccessDesk } from '../operator/desks/access-desk.ts';
import { BanDesk } from '../operator/desks/ban-desk.ts';
import { CorporateDesk } from '../operator/desks/corporate-desk.ts';
import { dayCloses } from '../operator/desks/day-closes.ts';
import { KeyDesk } from '../operator/desks/key-desk.ts';
import { SpanDesk } from '../operator/desks/span-desk.ts';
import { SwitchDesk } from '../operator/desks/switch-desk.ts';
import { UserDesk } from '../operator/desks/user-desk.ts';
import { wallClock } from '../os/wall-clock.ts';
import { note } from './log.ts';
import type { RunningParts } from './running-parts.ts';

/** The desks of operators: one for each thing that they can change. */
export interface OperatorDesks {
  readonly desk: UserDesk;
  readonly bans: BanDesk;
  readonly span: SpanDesk;
  readonly corporate: CorporateDesk;
  readonly switches: SwitchDesk;
  readonly access: AccessDesk;
  readonly keys: KeyDesk;
}

/** Every command of these desks has its line in the audit trail. */
export function operatorDesks(parts: RunningParts): OperatorDesks {
  const { config, running, world } = parts;
  const { instruments, market, spanFiles } = world;
  const { engine } = running;
  const priceOf = dayCloses(engine);
  const log = (message: string): void => note(config.log, 'warn', message);
  return {
    desk: new UserDesk({ engine, instruments, enrol: (issued) => enrol(parts.keys, issued), priceOf }),
    bans: new BanDesk({ engine, instruments }),
    span: new SpanDesk({ engine, instruments, market, store: spanFiles }),
    corporate: new CorporateDesk({
      engine,
      instruments,
      hasImportedContracts: (underlying, at) => instruments.hasImportedContracts(underlying, at),
      priceOf,
    }),
    switches: new SwitchDesk({ engine, instruments, log }),
    access: new AccessDesk({ engine, log }),
    keys: new KeyDesk({
      engine,
      withApiKey: (userId, sealed, apiKey) => withApiKey(parts.keys, userId, sealed, apiKey),
      startRenewsDemo: () => existsSync(parts.folder.demoUsers),
      now: wallClock,
      log,
    }),
  };
}
