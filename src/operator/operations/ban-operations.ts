/**
 * How operators begin and end the ban period of a share, and list the bans.
 * Bans of the limit of positions come from the core.
 */
import type { Exchange, InstrumentId } from '../../base/ids.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { formatIsoDay } from '../../base/time.ts';
import type { InstrumentDirectory } from '../../core/instrument.ts';
import type { MarketWidePositions } from '../../core/market.ts';
import { type EnginePort, OPERATOR } from '../../engine/port.ts';

/** A share with contracts. */
interface Share {
  readonly exchange: Exchange;
  readonly symbol: string;
}

/** A ban period that an operator began or ended. */
export interface BanOfOperator extends Share {
  /** True when the contracts of the share may only be reduced whatever an operator says, because too much is open. */
  readonly overLimit: boolean;
}

/** A ban period, and the reason for it. A share that has both reasons is there twice. */
export type Ban = Share & (OperatorReason | LimitReason);

interface OperatorReason {
  readonly reason: 'operator';
}

interface LimitReason extends MarketWidePositions {
  readonly reason: 'limit';
  /** The first trading day of it, `YYYY-MM-DD`: the figures are of its beginning. */
  readonly since: string;
}

export interface BanDeskParts {
  readonly engine: EnginePort;
  readonly instruments: InstrumentDirectory;
}

/** Keeps the list of underlyings whose contracts may only be reduced. Source: market-rules R4.36. */
export class BanOperations {
  private readonly parts: BanDeskParts;

  constructor(parts: BanDeskParts) {
    this.parts = parts;
  }

  /** Begins or ends the ban period of a share; a message when there is no such share. */
  async set(exchange: Exchange, symbol: string, banned: boolean, by: string): Promise<Result<BanOfOperator, string>> {
    const { engine, instruments } = this.parts;
    const now = engine.now();
    const found = instruments.find(exchange, symbol, now) ?? instruments.find(exchange, `${symbol}-EQ`, now);
    if (found === undefined) return fail(`there is no share ${symbol} on ${exchange}`);
    const reply = await engine.submit({
      command: { type: 'SetBan', underlying: found.id, banned, by },
      origin: OPERATOR,
    });
    if (reply.type === 'Refused')
      return fail(`${symbol} on ${exchange} has no contracts whose positions could be limited`);
    const overLimit = await engine.read((state) => state.overLimit.has(found.id));
    return ok({ exchange, symbol: found.symbol, overLimit });
  }

  /** The shares in their ban period in the order in which they came, those of operators first. */
  async list(): Promise<readonly Ban[]> {
    return this.parts.engine.read(({ banned, overLimit }) => [
      ...[...banned].flatMap((id) => this.named(id, { reason: 'operator' as const })),
      ...[...overLimit].flatMap(([id, { since, openInterest, limit }]) =>
        this.named(id, { reason: 'limit' as const, since: formatIsoDay(since), openInterest, limit }),
      ),
    ]);
  }

  private named<Reason>(id: InstrumentId, reason: Reason): readonly (Share & Reason)[] {
    const instrument = this.parts.instruments.get(id);
    if (instrument === undefined) return [];
    const { exchange, symbol } = instrument;
    return [{ exchange, symbol, ...reason }];
  }
}
