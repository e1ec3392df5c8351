/**
 * How operators import, list and remove SPAN parameter files.
 * Reading the format is done in reference/span; margins are measured in the core.
 */
import { fail, ok, type Result } from '../../base/result.ts';
import type { IstDay } from '../../base/time.ts';
import { formatIsoDay } from '../../base/time.ts';
import { type InstrumentDirectory, isDerivative } from '../../core/instrument.ts';
import { type SpanFile, spanKey } from '../../core/margin/rates/span-file.ts';
import type { MarketData } from '../../core/market.ts';
import { type EnginePort, OPERATOR } from '../../engine/port.ts';
import type { SpanEntry, SpanStore } from '../../folder/span-store.ts';
import { eachInSlices } from './in-slices.ts';

export interface SpanDeskParts {
  readonly engine: EnginePort;
  readonly instruments: InstrumentDirectory;
  readonly market: Pick<MarketData, 'tickAt'>;
  readonly store: SpanStore;
}

/** A file as it was taken over. */
export interface ImportedSpan {
  /** The day that it is used on. */
  readonly day: string;
  /** The day that it says it is of. */
  readonly statedDay: string;
  readonly exchange: string;
  readonly digest: string;
  readonly underlyings: number;
  readonly contracts: number;
  /** How many of the listed contracts of the segment are in it; the others keep margins of our own. */
  readonly listed: number;
  readonly covered: number;
  /** True when margins are measured by it from now on; else they will be from the day's start. */
  readonly inForce: boolean;
}

/** Takes SPAN parameter files over and puts them in force. Source: market-rules R4.12. */
export class SpanOperations {
  private readonly parts: SpanDeskParts;

  constructor(parts: SpanDeskParts) {
    this.parts = parts;
  }

  /**
   * Takes a file over, whole or not at all, for a day, or for the day that it states. Of the present day it is in force
   * at once, and every portfolio is measured by it. A refusal says where the file is wrong, or why the day will not do.
   */
  async take(bytes: AsyncIterable<Uint8Array>, wanted?: IstDay): Promise<Result<ImportedSpan, string>> {
    const { store } = this.parts;
    const taken = await store.take(bytes);
    if (!taken.ok) return taken;
    const file = taken.value;
    const day = wanted ?? file.day;
    const today = await this.tradingDay();
    if (day < today) return fail(this.tooLate(day, today, wanted === undefined));
    store.use(day, file);
    if (day === today) await this.revise(day);
    return ok({ ...(await this.describe(file)), day: formatIsoDay(day), inForce: day === today });
  }

  list(): readonly SpanEntry[] {
    return this.parts.store.list();
  }

  /** Uses no file on a day any more. Of the present day margins are measured by figures of our own at once. */
  async remove(day: IstDay): Promise<Result<readonly SpanEntry[], string>> {
    const today = await this.tradingDay();
    if (day < today) return fail(`${formatIsoDay(day)} is over`);
    const removed = this.parts.store.remove(day);
    if (removed.length === 0) return fail(`no SPAN file is there for ${formatIsoDay(day)}`);
    if (day === today) await this.revise(day);
    return ok(removed);
  }

  private async tradingDay(): Promise<IstDay> {
    return this.parts.engine.read(({ day }) => day);
  }

  /** Puts the files of the present day in force; again when that day ended in between. */
  private async revise(day: IstDay): Promise<void> {
    const { engine, market, store } = this.parts;
    await engine.submit({
      command: { type: 'ReviseMargins', tick: market.tickAt(engine.now()), spanFiles: store.on(day) },
      origin: OPERATOR,
    });
    const present = await this.tradingDay();
    if (present !== day) await this.revise(present);
  }

  private async describe(file: SpanFile): Promise<Omit<ImportedSpan, 'day' | 'inForce'>> {
    const { exchange, digest, underlyings } = file;
    let contracts = 0;
    for (const underlying of underlyings.values()) contracts += underlying.contracts.size;
    const statedDay = formatIsoDay(file.day);
    return { statedDay, exchange, digest, underlyings: underlyings.size, contracts, ...(await this.coverage(file)) };
  }

  /** How many contracts of a file's segment are listed, and are in it. They are tens of thousands. */
  private async coverage({ exchange, underlyings }: SpanFile): Promise<Pick<ImportedSpan, 'listed' | 'covered'>> {
    const { engine, instruments } = this.parts;
    const at = engine.now();
    const listing = instruments.listing(at);
    if (listing !== undefined) await eachInSlices(engine, listing, () => undefined);
    let listed = 0;
    let covered = 0;
    await eachInSlices(engine, instruments.list(exchange, at)[Symbol.iterator](), (contract) => {
      if (!isDerivative(contract)) return;
      const key = spanKey(contract.expiryDay, contract.kind === 'option' ? contract : undefined);
      listed += 1;
      if (underlyings.get(contract.symbol)?.contracts.has(key)) covered += 1;
    });
    return { listed, covered };
  }

  private tooLate(day: IstDay, today: IstDay, stated: boolean): string {
    const over = `${formatIsoDay(day)} is over: the trading day is ${formatIsoDay(today)}.`;
    return stated ? `The file is of ${formatIsoDay(day)}, and ${over} Say with --date which day it is for.` : over;
  }
}
