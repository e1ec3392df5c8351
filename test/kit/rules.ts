import { join } from 'node:path';
import { type DatedRules, loadRules } from '../../src/reference/rules/dated-rules.ts';

/** The dated rules that the service itself reads. */
export const RULES: DatedRules = loadRules(join(import.meta.dirname, '..', '..', 'data'));
