/**
 * Commands of outcomes on demand: `sauda scenario add | list | remove`.
 * The rules are kept and checked by the running service.
 */
import { Argument, type Command } from 'commander';
import { withoutControls } from '../../base/printable.ts';
import { SCENARIO_EFFECTS } from '../../core/scenarios/rules/scenario-effect.ts';
import type { ScenarioRow } from '../operations/scenario-operations.ts';
import { type OperatorCommandParts, withGrounds } from './command-parts.ts';
import { typedWhole } from './typed-number.ts';

type Flags = Readonly<Record<string, string>>;

/** Adds the commands of outcomes on demand. */
export function addScenarioCommands(program: Command, parts: OperatorCommandParts): void {
  const scenario = program.command('scenario').description('outcomes that are rare, for tests of clients');
  addAdd(scenario, parts);
  addList(scenario, parts);
  addRemove(scenario, parts);
}

function addAdd(scenario: Command, parts: OperatorCommandParts): void {
  const add = scenario
    .command('add')
    .description('let the next requests, the sockets or the market of an instrument have an outcome')
    .addArgument(new Argument('<effect>', 'the outcome').choices(SCENARIO_EFFECTS))
    .argument('[value]', 'milliseconds of slow; seconds of a halt, a circuit, a quote, or of Retry-After')
    .option('--user <id>', 'of this user alone')
    .option('--operation <name>', 'in this operation alone: placeOrder')
    .option('--instrument <name>', 'in this instrument alone: NSE:ITC-EQ')
    .option('--count <number>', 'how often; once when left out');
  withGrounds(add, parts).action(async (effect: string, typed: string | undefined, flags: Flags) => {
    const { user, operation, instrument, count, why, by = parts.by } = flags;
    const body = {
      effect,
      ...(typed !== undefined && { value: typedWhole(add, typed, 'value') }),
      ...(user !== undefined && { user }),
      ...(operation !== undefined && { operation }),
      ...(instrument !== undefined && { instrument }),
      ...(count !== undefined && { count: typedWhole(add, count, 'count') }),
      by,
      why,
    };
    parts.print(rowText((await parts.act(flags, '/scenarios', body)) as ScenarioRow));
  });
}

function addList(scenario: Command, parts: OperatorCommandParts): void {
  const list = scenario
    .command('list')
    .description('print the outcomes that are to come')
    .option('--json', 'as an array in JSON');
  parts.withService(list).action(async (flags: Flags & { json?: true }) => {
    const rows = (await parts.ask(flags, '/scenarios')) as readonly ScenarioRow[];
    parts.print(flags.json ? JSON.stringify(rows) : rows.map(rowText).join('\n') || 'no outcome is to come');
  });
}

function addRemove(scenario: Command, parts: OperatorCommandParts): void {
  const remove = scenario
    .command('remove')
    .description('take a rule of outcomes back')
    .argument('<id>', 'its number, or all');
  withGrounds(remove, parts).action(async (id: string, flags: Flags) => {
    const { why, by = parts.by, ...rest } = flags;
    const rule = id === 'all' ? {} : { id: typedWhole(remove, id, 'number of a rule') };
    const { removed } = (await parts.act(rest, '/scenarios/removals', { ...rule, by, why })) as { removed: number };
    parts.print(`rules that were removed: ${removed}`);
  });
}

function rowText({ id, effect, value, user, operation, instrument, count, left, until, by, why }: ScenarioRow): string {
  const scope = [user, operation, instrument].filter((part) => part !== undefined).join(', ') || 'all';
  const uses = until === undefined ? `${left} of ${count} left` : `until ${until} of the market`;
  const what = value === undefined ? effect : `${effect} ${value}`;
  return withoutControls(`rule ${id}: ${what} for ${scope}, ${uses}, by ${by}: ${why}`);
}
