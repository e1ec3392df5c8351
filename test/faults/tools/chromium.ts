import { type Browser, chromium } from 'playwright-core';

/** Debian's, when none is named. */
const CHROMIUM = process.env.SAUDA_CHROMIUM ?? '/usr/bin/chromium';
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts Chromium, which asks nothing of the network by itself. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: QUIET });
}
