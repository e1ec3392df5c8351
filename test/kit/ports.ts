import type { Tick } from '../../src/base/ids.ts';
import type { ChargeTable } from '../../src/core/charges/charge-rates.ts';
import type { SpanFiles } from '../../src/core/margin/rates/span-file.ts';
import { RiskSheets } from '../../src/core/margin/risk-sheet.ts';
import type { DecisionPorts, Ports } from '../../src/core/ports.ts';
import { EVERY_DAY } from '../../src/core/trading-days.ts';
import { listed } from './money/listed.ts';
import { StillMarket } from './money/still-market.ts';
import { RULES } from './rules.ts';

/*
 * The ports of every test, simulator and benchmark. This is the one place outside of `src` that spells all of them, so
 * a new dated rule changes no test that it does not concern.
 */

const NO_CHARGES: ChargeTable = { on: () => undefined };
const NO_SPAN_FILES: SpanFiles = { get: () => undefined };

/**
 * The ports that a test needs: what it gives, and else the listed instruments on a market that stands still, every day
 * a trading day, the service's own rates of margins and widths of guards, no charges, no SPAN files, and strict
 * triggers.
 */
export function testPorts<Given extends Partial<Ports>>(given?: Given): Ports & Given {
  const ports: Ports = {
    instruments: listed,
    market: new StillMarket(),
    days: EVERY_DAY,
    ...RULES,
    charges: NO_CHARGES,
    spanFiles: NO_SPAN_FILES,
    strictTrigger: true,
    riskSheets: new RiskSheets(),
  };
  return { ...ports, ...given } as Ports & Given;
}

/** Ports at a tick, with the market's own figures of that tick for margins. */
export function portsAtTick<Given extends Ports>(ports: Given, tick: Tick): DecisionPorts & Given {
  return { ...ports, tick, riskTick: tick, riskFiles: [] };
}
