import type { Exchange } from '../base/ids.ts';
import { fail, ok, type Result } from '../base/result.ts';
import type { EpochMs } from '../base/time.ts';
import type { InstrumentDirectory } from '../core/instrument.ts';
import type { EnginePort } from '../engine/port.ts';

/** An underlying in its ban period. */
export interface Ban {
  readonly exchange: Exchange;
  readonly symbol: string;
}

export interface BanDeskParts {
  readonly engine: EnginePort;
  readonly instruments: InstrumentDirectory;
  readonly now: () => EpochMs;
}

/** Keeps the list of underlyings whose contracts may only be reduced. Source: market-rules R4.36. */
export class BanDesk {
  private readonly parts: BanDeskParts;

  constructor(parts: BanDeskParts) {
    this.parts = parts;
  }

  /** Begins or ends the ban period of a share; a message when there is no such share. */
  async set(exchange: Exchange, symbol: string, banned: boolean, by: string): Promise<Result<Ban, string>> {
    const { engine, instruments, now } = this.parts;
    const found = instruments.find(exchange, symbol, now()) ?? instruments.find(exchange, `${symbol}-EQ`, now());
    if (found === undefined) return fail(`there is no share ${symbol} on ${exchange}`);
    const reply = await engine.submit({ type: 'SetBan', underlying: found.id, banned, by });
    if (reply.type === 'Refused')
      return fail(`${symbol} on ${exchange} has no contracts whose positions could be limited`);
    return ok({ exchange, symbol: found.symbol });
  }

  /** The underlyings in their ban period, in the order in which they came. */
  async list(): Promise<readonly Ban[]> {
    const { engine, instruments } = this.parts;
    const ids = await engine.read((state) => [...state.banned]);
    return ids.flatMap((id) => {
      const instrument = instruments.get(id);
      return instrument === undefined ? [] : [{ exchange: instrument.exchange, symbol: instrument.symbol }];
    });
  }
}
