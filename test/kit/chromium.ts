import { type Browser, type BrowserServer, chromium, type LaunchOptions } from 'playwright-core';

/** Debian's, when none is named. It asks nothing of the network by itself. */
const OPTIONS: LaunchOptions = {
  executablePath: process.env.SAUDA_CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};

export function launchChromium(): Promise<Browser> {
  return chromium.launch(OPTIONS);
}

/** A Chromium that several processes share by its address. */
export function serveChromium(): Promise<BrowserServer> {
  return chromium.launchServer({ ...OPTIONS, host: '127.0.0.1' });
}

export function connectChromium(address: string): Promise<Browser> {
  return chromium.connect(address);
}
