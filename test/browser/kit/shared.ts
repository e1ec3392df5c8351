/**
 * The service and the browser that stories share. Under the runner they are those that it started; a file that is run
 * by itself starts its own.
 */
import type { Browser } from 'playwright-core';
import { connectChromium, launchChromium } from '../../kit/chromium.ts';
import { StartedService, temporaryFolder } from '../../process/start/started-service.ts';
import { type Reached, StoryService } from './story-service.ts';

/** Variables by which the runner hands on what it started. */
export const SERVICE_VARIABLE = 'STORY_SERVICE';
export const BROWSER_VARIABLE = 'STORY_BROWSER';

/** The settings of a service for stories; the log is silent, as faults are part of some stories. */
export const STORY_SETTINGS = { SAUDA_LOG: 'error', SAUDA_SEED: '6' } as const;

/** Something that is shared, and its end for this process. */
export interface Shared<T> {
  readonly value: T;
  readonly end: () => Promise<void>;
}

export async function sharedService(): Promise<Shared<StoryService>> {
  const given = process.env[SERVICE_VARIABLE];
  if (given !== undefined) {
    return { value: new StoryService(JSON.parse(given) as Reached), end: async () => undefined };
  }
  const folder = temporaryFolder();
  const service = await StartedService.start(folder.path, STORY_SETTINGS);
  return { value: new StoryService(reachedOf(service)), end: () => folder.remove() };
}

export async function sharedBrowser(): Promise<Shared<Browser>> {
  const given = process.env[BROWSER_VARIABLE];
  const value = given === undefined ? await launchChromium() : await connectChromium(given);
  return { value, end: () => value.close() };
}

export function reachedOf(service: StartedService): Reached {
  return { origin: service.base.replace(/\/V1$/, ''), operator: service.operator, data: service.data };
}
