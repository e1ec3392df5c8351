/**
 * The text of `sauda why`: how an order and its modifications were judged, check by check.
 * The report itself is made from the journal elsewhere.
 */
import type { CheckFinding } from '../../../core/broker/trials/check-trace.ts';
import type { WhyReport } from '../../../engine/why/why-report.ts';

const OUTCOME_WORDS: Readonly<Record<CheckFinding['outcome'], string>> = {
  passed: 'passed',
  refused: 'REFUSED',
  unasked: '-',
};

/** More figures of one check stand below each other. */
const MOST_ON_A_LINE = 5;

/** The report for a reader: one line a check, in the order of asking. */
export function whyText(report: WhyReport): string {
  const { order, userId, transactionType, tradingSymbol, exchange, product } = report;
  const side = transactionType === 'B' ? 'buys' : 'sells';
  const lines = [`order ${order}: ${userId} ${side} ${tradingSymbol} on ${exchange}, product ${product}`];
  for (const step of report.steps) {
    lines.push('', `${step.step} at ${step.at} IST, record ${step.record}: ${pairsText(step.terms)}`);
    for (const { check, rule, outcome, figures } of step.checks) {
      const said = `  ${OUTCOME_WORDS[outcome].padEnd(9)}${check} (${rule})`;
      const looked = Object.entries(figures);
      if (looked.length > MOST_ON_A_LINE) {
        lines.push(said, ...looked.map(([name, value]) => `             ${name.padEnd(28)}${value.padStart(18)}`));
      } else {
        lines.push(looked.length === 0 ? said : `${said}: ${pairsText(figures)}`);
      }
    }
    lines.push(`  => ${step.reason ?? 'admitted'}`);
  }
  if (report.outcomes !== undefined) lines.push('', 'on demand:');
  for (const { at, record, outcome } of report.outcomes ?? []) lines.push(`  ${at} IST, record ${record}: ${outcome}`);
  return lines.join('\n');
}

function pairsText(pairs: Readonly<Record<string, string>>): string {
  return Object.entries(pairs)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}
