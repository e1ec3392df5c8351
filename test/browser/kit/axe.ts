import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** The rules that a page is held to: WCAG 2.2 to level AA, and what is good practice beside it. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Finding {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly target: unknown; readonly html: string; readonly failureSummary?: string }[];
}

/**
 * The findings of axe in the page as it is shown now, one line each; empty when there is none. `within`: a selector of
 * the part that is looked at; all of it when absent.
 */
export async function axeFindings(page: Page, within = 'html'): Promise<readonly string[]> {
  // Through the debugger, so the page's own policy needs no hole.
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(axe.source);
  const options = JSON.stringify({ runOnly: RULES, resultTypes: ['violations'] });
  const findings: readonly Finding[] = await page.evaluate(
    `axe.run(${JSON.stringify(within)}, ${options}).then((all) => all.violations)`,
  );
  return findings.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, html, failureSummary = '' }) => {
      const why = failureSummary.replaceAll(/\s+/g, ' ');
      return `${id}: ${help}; ${String(target)} ${html.slice(0, 160)}; ${why}`;
    }),
  );
}
