import { existsSync } from 'node:fs';
import { type AnchorPlace, anchorOf } from '../audit/anchor.ts';
import { Trail } from '../audit/trail.ts';
import type { Config } from '../config.ts';
import type { AnchorSettings } from '../operator/cli/data-commands.ts';
import { EXIT_CONFIG } from '../os/command-failed.ts';
import { expectFile } from '../os/durable-file.ts';
import { wallClock } from '../os/wall-clock.ts';
import { endAtOnce, pathFailure } from './exit-codes.ts';
import { note } from './log.ts';

export function auditTrail(config: Config): Trail {
  const { data, auditYears: years, log } = config;
  return new Trail({
    data,
    years,
    anchor: anchorPlace(config),
    wall: wallClock,
    failStop: endAtOnce,
    log: (message) => note(log, 'warn', message),
  });
}

/** The anchor that the settings name, with its key; `undefined` for none. */
export function anchorPlace({ auditAnchor, auditAnchorKey }: AnchorSettings): AnchorPlace | undefined {
  try {
    if (auditAnchorKey !== '') expectFile(auditAnchorKey, 65_536);
    if (existsSync(auditAnchor)) expectFile(auditAnchor, Number.POSITIVE_INFINITY);
    return anchorOf(auditAnchor, auditAnchorKey);
  } catch (error) {
    throw pathFailure(error, EXIT_CONFIG);
  }
}
