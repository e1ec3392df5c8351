import { rm } from 'node:fs/promises';
import { writeSession } from '../../../src/trader/session/session-file.ts';
import { ScriptedService } from '../../client/scripted-service.ts';
import { temporaryFolder } from '../start/started-service.ts';
import { TraderLines } from './trader-lines.ts';

/** A trader who is logged in at a service that answers as the test says. */
export class ScriptedTrader extends TraderLines {
  readonly service: ScriptedService;
  private readonly folder: string;

  private constructor(service: ScriptedService, folder: string) {
    super(folder);
    this.service = service;
    this.folder = folder;
    writeSession({ XDG_STATE_HOME: this.state }, { url: service.url, userId: 'SD1001', token: 'f00d' });
  }

  static async start(): Promise<ScriptedTrader> {
    return new ScriptedTrader(await ScriptedService.start(), temporaryFolder().path);
  }

  async close(): Promise<void> {
    await this.service.close();
    await rm(this.folder, { recursive: true });
  }
}
