import { must } from '../../../src/base/assert.ts';
import { tickOf } from '../../../src/base/tick.ts';
import type { IstDay } from '../../../src/base/time.ts';
import { expiriesOn, nearestPair, pairsOf } from '../chains.ts';
import { correlation } from '../samples.ts';
import { idOf, type Subject, secondPrices } from '../subject.ts';
import { Recogniser } from './recogniser.ts';
import { crossing, type Played, touch } from './trading.ts';

const MINUTE = 60;
const SEEN = 20;
/** It acts a second after it has seen, and leaves as the minute ends. */
const ENTER = SEEN + 1;
const LEAVE = MINUTE - 1;
const OPEN = 33_300;
const MINUTES = 360;
/** An option at the money moves by half of what the index does. */
const DELTA = 0.5;

/** The walks of the minutes of a day: the value at each second, that at the next minute's start included. */
function minuteWalks(subject: Subject, on: IstDay): number[][] {
  const nifty = idOf(subject, 'NSE', 'NIFTY');
  const prices = secondPrices(subject, nifty, on, OPEN, OPEN + MINUTES * MINUTE + 1);
  return Array.from({ length: MINUTES }, (_, i) => prices.slice(i * MINUTE, (i + 1) * MINUTE + 1));
}

/**
 * Strategy A: minutes of NIFTY are recorded on some days; on others the first 20 seconds of a minute are recognised,
 * and a second later the call or the put at the money of the nearest expiry is bought when the rest that is foretold
 * is worth its spread.
 */
export function recogniseMinute(subject: Subject, recorded: readonly IstDay[], played: readonly IstDay[]): Played {
  const recogniser = new Recogniser(
    recorded.flatMap((on) => minuteWalks(subject, on)),
    SEEN,
  );
  const nets: number[] = [];
  const [foretold, came]: [number[], number[]] = [[], []];
  for (const on of played) {
    minuteWalks(subject, on).forEach((walk, i) => {
      const move = recogniser.foretell(walk.slice(0, ENTER), ENTER, LEAVE);
      foretold.push(move);
      came.push((walk[LEAVE] as number) - (walk[ENTER] as number));
      const net = play(subject, on, OPEN + i * MINUTE, move);
      if (net !== undefined) nets.push(net);
    });
  }
  const note = `A: correlation of foretold and actual rest of the minute ${correlation(foretold, came).toFixed(3)}`;
  return { trades: { 'A minute': nets }, notes: [note] };
}

function play(subject: Subject, on: IstDay, start: number, move: number): number | undefined {
  return optionTrade(subject, on, [start + ENTER, start + LEAVE], move);
}

/** Buys the option at the money that gains by a move of NIFTY in paise, when half of the move pays for its spread. */
export function optionTrade(
  subject: Subject,
  on: IstDay,
  [enter, leave]: readonly [number, number],
  move: number,
): number | undefined {
  const nifty = idOf(subject, 'NSE', 'NIFTY');
  const tick = tickOf(on, enter);
  const expiry = must(expiriesOn(subject, nifty, on)[0], 'an expiry');
  const pair = nearestPair(pairsOnce(subject, expiry, on), subject.market.lastPrint(nifty, tick).price);
  const option = move > 0 ? pair.call : pair.put;
  const now = touch(subject, option, tick);
  if (!now || DELTA * Math.abs(move) <= now.ask - now.bid) return undefined;
  return crossing(subject, option, 'B', [tick, tickOf(on, leave)]);
}

let known: { subject: Subject; on: IstDay; pairs: ReturnType<typeof pairsOf> } | undefined;

/** The pairs of an expiry, which a day is asked for again and again. */
function pairsOnce(subject: Subject, expiry: IstDay, on: IstDay): ReturnType<typeof pairsOf> {
  if (known?.subject !== subject || known.on !== on) {
    known = { subject, on, pairs: pairsOf(subject, idOf(subject, 'NSE', 'NIFTY'), expiry, on) };
  }
  return known.pairs;
}
