/**
 * Makes the acts of operators out of the parts of a start: users, bans, the clock, switches and the others that the
 * operator's port and the command line ask for.
 */
import { existsSync } from 'node:fs';
import { enrol, withApiKey } from '../gateway/credentials/enrolment.ts';
import type { SocketRoom } from '../gateway/dialects.ts';
import { opOf } from '../gateway/door.ts';
import { OPERATIONS } from '../gateway/operations.ts';
import { recordDay } from '../market/recorded/record-day.ts';
import type { OperatorOperations } from '../operator/http/operator-server.ts';
import { AccessOperations } from '../operator/operations/access-operations.ts';
import { BanOperations } from '../operator/operations/ban-operations.ts';
import { ClockOperations } from '../operator/operations/clock-operations.ts';
import { CorporateActionOperations } from '../operator/operations/corporate-action-operations.ts';
import { dayCloses } from '../operator/operations/day-closes.ts';
import { KeyOperations } from '../operator/operations/key-operations.ts';
import { RecordingOperations } from '../operator/operations/recording-operations.ts';
import { RiskOperations } from '../operator/operations/risk/risk-operations.ts';
import { ScenarioOperations } from '../operator/operations/scenario-operations.ts';
import { JournalOperations } from '../operator/operations/service/journal-operations.ts';
import { SpanOperations } from '../operator/operations/span-operations.ts';
import { SwitchOperations } from '../operator/operations/switch-operations.ts';
import { UserOperations } from '../operator/operations/user-operations.ts';
import { wallClock } from '../os/wall-clock.ts';
import { note } from './log.ts';
import type { RunningParts } from './running-parts.ts';
import { servesDemoUsersOnly } from './scenarios-allowed.ts';

/** Every command of these operations has its line in the audit trail. `room`: the sockets of the service, once made. */
export function operatorOperations(parts: RunningParts, room: Promise<SocketRoom>): OperatorOperations {
  const { config, running, world } = parts;
  const { instruments, market, spanFiles } = world;
  const { asked: engine } = parts;
  const priceOf = dayCloses(engine);
  const log = (message: string): void => note(config.log, 'warn', message);
  return {
    users: new UserOperations({
      engine,
      instruments,
      enrol: (issued) => enrol(parts.keys, issued),
      priceOf,
      demoOnly: servesDemoUsersOnly(config.scenarios, parts.identity.hours),
    }),
    bans: new BanOperations({ engine, instruments }),
    clock: new ClockOperations({
      engine,
      market,
      instruments,
      rest: async () => {
        await running.engine.rest();
        await (await room).settle();
      },
      wall: wallClock,
      timeLostMs: () => running.engine.status().timeLostMs,
      log,
    }),
    span: new SpanOperations({ engine, instruments, market, store: spanFiles }),
    corporate: new CorporateActionOperations({
      engine,
      instruments,
      hasImportedContracts: (underlying, at) => instruments.hasImportedContracts(underlying, at),
      priceOf,
    }),
    switches: new SwitchOperations({ engine, instruments, log }),
    scenarios: new ScenarioOperations({
      engine,
      instruments,
      scenarios: config.scenarios,
      operations: OPERATIONS.map(opOf),
      log,
    }),
    access: new AccessOperations({ engine, log }),
    keys: new KeyOperations({
      engine,
      enrol: (issued) => enrol(parts.keys, issued),
      withApiKey: (userId, sealed, apiKey) => withApiKey(parts.keys, userId, sealed, apiKey),
      startRenewsDemo: () => existsSync(parts.folder.demoUsers),
      now: wallClock,
      log,
    }),
    journal: new JournalOperations({
      engine,
      feed: () => running.engine.feed,
      lastSeq: () => running.engine.status().durableSeq,
    }),
    recordings: new RecordingOperations({
      engine,
      instruments,
      linesOf: (id, day, until) => recordDay(market.modelOf(id), day, until),
    }),
    risk: new RiskOperations({ engine, instruments, avgModel: config.avgModel }),
  };
}
