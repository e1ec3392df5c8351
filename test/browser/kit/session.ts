/** Things that the page keeps in the browser, and scripts by which a page begins with them, logged in. */
import type { Page } from 'playwright-core';

/** Where the page keeps the session of a tab. Source: web/src/store/session.ts. */
const SESSION_KEY = 'sauda.session';

/** A script for new pages: this browser was led through the first steps. Source: web/src/app/first-steps.tsx. */
export const VISITED = inPage(`localStorage.setItem('sauda.first-steps', '"over"');`);

/** A script for new pages that logs each tab in as it begins; a session that ends later stays ended. */
export function loggedIn(userId: string, token: string): string {
  const session = JSON.stringify({ userId, token });
  return inPage(`if (sessionStorage.getItem('story.begun') === null) {
    sessionStorage.setItem('story.begun', '1');
    sessionStorage.setItem('${SESSION_KEY}', ${JSON.stringify(session)});
  }`);
}

/** The session that the page keeps for its tab; `null` without one. */
export function keptSession(page: Page): Promise<{ readonly userId: string; readonly token: string } | null> {
  return page.evaluate(`JSON.parse(sessionStorage.getItem('${SESSION_KEY}') ?? 'null')`);
}

/** A script for pages of the service; the blank one that a tab begins with has no storage. */
function inPage(script: string): string {
  return `if (location.protocol !== 'about:') {\n${script}\n}`;
}
