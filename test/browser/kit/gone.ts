import type { Locator } from 'playwright-core';

/** Waits until nothing on the page matches, also where several elements match at first; `timeout` in milliseconds. */
export async function gone(locator: Locator, timeout?: number): Promise<void> {
  await locator.first().waitFor({ state: 'detached', ...(timeout === undefined ? {} : { timeout }) });
}
