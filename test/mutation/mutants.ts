import { stripTypeScriptTypes } from 'node:module';
import { type Node, parse } from 'acorn';

/** A change to a place of the source. */
export type MutationKind =
  | 'comparison'
  | 'arithmetic'
  | 'logical'
  | 'constant'
  | 'branch'
  | 'removed statement'
  | 'return value';

/** One change of one file: the UTF-16 units from `start` up to `end` become `replacement`. */
export interface Mutant {
  readonly kind: MutationKind;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** From 1. */
  readonly line: number;
}

/** A node of ESTree, read by the names of its fields. */
type Tree = Node & { readonly [field: string]: unknown };

const SWAPPED: { readonly [operator: string]: readonly [kind: MutationKind, ...to: string[]] } = {
  '<': ['comparison', '<=', '>='],
  '<=': ['comparison', '<', '>'],
  '>': ['comparison', '>=', '<='],
  '>=': ['comparison', '>', '<'],
  '===': ['comparison', '!=='],
  '!==': ['comparison', '==='],
  '+': ['arithmetic', '-'],
  '-': ['arithmetic', '+'],
  '*': ['arithmetic', '/'],
  '/': ['arithmetic', '*'],
  '%': ['arithmetic', '*'],
  '&': ['arithmetic', '|'],
  '|': ['arithmetic', '&'],
  '<<': ['arithmetic', '>>'],
  '>>': ['arithmetic', '<<'],
  '>>>': ['arithmetic', '<<'],
  '&&': ['logical', '||'],
  '||': ['logical', '&&'],
  '+=': ['arithmetic', '-='],
  '-=': ['arithmetic', '+='],
  '++': ['arithmetic', '--'],
  '--': ['arithmetic', '++'],
};

/** Calls that say what is always true: to change one shows nothing about behaviour. */
const ASSERTIONS = /^(assert|unreachable)$/;
const OWN_FAILURES = /^(InvariantError|AssertionError)$/;

/** The JavaScript of a TypeScript source, every character of it at its old place. */
export function strippedOf(source: string): string {
  return stripTypeScriptTypes(source, { mode: 'strip' });
}

/**
 * Every mutant of a TypeScript source, in the order of the text. Types, assertions and the messages of `must` have
 * none.
 */
export function mutantsOf(source: string): Mutant[] {
  const code = strippedOf(source);
  const walk = new Walk(source, code);
  walk.visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }) as Node as Tree, undefined);
  return walk.found.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** The blocks and the expressions of arrow functions of a stripped text, the outer ones first. */
export function blocksOf(
  code: string,
): { readonly start: number; readonly end: number; readonly isExpression: boolean }[] {
  const found: { start: number; end: number; isExpression: boolean }[] = [];
  const visit = (node: Tree): void => {
    if (node.type === 'BlockStatement') found.push({ start: node.start, end: node.end, isExpression: false });
    for (const child of childrenOf(node)) {
      const isExpression = node.type === 'ArrowFunctionExpression' && node.body === child;
      if (isExpression && child.type !== 'BlockStatement')
        found.push({ start: child.start, end: child.end, isExpression });
      visit(child);
    }
  };
  visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }) as Node as Tree);
  return found;
}

/** The stripped text with one mutant in it. */
export function mutated(
  code: string,
  { start, end, replacement }: Pick<Mutant, 'start' | 'end' | 'replacement'>,
): string {
  return code.slice(0, start) + replacement + code.slice(end);
}

class Walk {
  readonly found: Mutant[] = [];
  readonly #source: string;
  readonly #code: string;

  constructor(source: string, code: string) {
    this.#source = source;
    this.#code = code;
  }

  visit(node: Tree, parent: Tree | undefined, returns?: string): void {
    if (isLeftOut(node)) return;
    this.#mutate(node, parent, returns);
    const within = isFunction(node) ? this.#declaredReturn(node) : returns;
    for (const child of childrenOf(node)) this.visit(child, node, within);
  }

  #mutate(node: Tree, parent: Tree | undefined, returns: string | undefined): void {
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression':
      case 'AssignmentExpression':
        return this.#operator(node, parent);
      case 'UpdateExpression':
        return this.#swap(node, node.operator as string, node.start, node.end);
      case 'UnaryExpression':
        return this.#unary(node);
      case 'Literal':
        return this.#constant(node, parent);
      case 'IfStatement':
      case 'ConditionalExpression':
        return this.#negate('branch', node.test as Tree);
      case 'ExpressionStatement':
        return this.#statement(node);
      case 'ContinueStatement':
      case 'BreakStatement':
      case 'ThrowStatement':
        return this.#add('removed statement', node, ';');
      case 'ReturnStatement':
        return this.#returned(node.argument as Tree | null, returns);
      case 'ArrowFunctionExpression':
        if ((node.body as Tree).type === 'BlockStatement') return;
        return this.#returned(node.body as Tree, this.#declaredReturn(node));
    }
  }

  #operator(node: Tree, parent: Tree | undefined): void {
    const [left, right] = [node.left as Tree, node.right as Tree];
    const operator = node.operator as string;
    if (operator === '??') return this.#add('logical', node, this.#text(right));
    if (operator === '+' && [left, right].some(isText)) return;
    const from = this.#code.indexOf(operator, left.end);
    this.#swap(node, operator, from, from + operator.length, isTestOf(node, parent));
  }

  /** `negated` says that the negation of the whole is another mutant already. */
  #swap(node: Tree, operator: string, start: number, end: number, negated = false): void {
    const [kind, ...to] = SWAPPED[operator] ?? [];
    if (kind === undefined) return;
    if (node.type === 'UpdateExpression') {
      const text = this.#code.slice(start, end).replace(operator, to[0] ?? '');
      return this.#place(kind, start, end, text);
    }
    const kept = negated && kind === 'comparison' ? to.slice(0, -1) : to;
    for (const other of kept) this.#place(kind, start, end, other);
  }

  #unary(node: Tree): void {
    const argument = node.argument as Tree;
    if (node.operator === '!') this.#add('logical', node, this.#text(argument));
    if (node.operator === '-') this.#add('arithmetic', node, ` ${this.#text(argument)}`);
  }

  #constant(node: Tree, parent: Tree | undefined): void {
    if (parent?.key === node && parent.computed !== true) return;
    const value = node.value;
    if (typeof value === 'boolean') this.#add('constant', node, String(!value));
    if (typeof value === 'number') this.#add('constant', node, String(value === 1 ? 0 : value + 1));
    if (typeof value === 'bigint') this.#add('constant', node, `${value === 1n ? 0n : value + 1n}n`);
  }

  #statement(node: Tree): void {
    const expression = node.expression as Tree;
    if (node.directive !== undefined || isLeftOut(expression)) return;
    if (expression.type === 'CallExpression' && (expression.callee as Tree).type === 'Super') return;
    this.#add('removed statement', node, ';');
  }

  /** Only what the declared type allows too, so that each is a mistake that would compile. */
  #returned(argument: Tree | null, declared: string | undefined): void {
    if (argument === null || declared === undefined || isLeftOut(argument)) return;
    if (argument.type === 'Identifier' && argument.name === 'undefined') return;
    if (/\| undefined$/.test(declared)) return this.#add('return value', argument, 'undefined');
    if (declared === 'boolean') return this.#wholeBoolean(argument);
    if (/(\[\]|^(Readonly)?Array<.*>)$/.test(declared) && !isEmptyArray(argument))
      this.#add('return value', argument, '[]');
  }

  /** Literals, negations and plain comparisons have the mutant that a negation would be. */
  #wholeBoolean(argument: Tree): void {
    if (argument.type === 'Literal' || argument.type === 'UnaryExpression' || argument.type === 'BinaryExpression')
      return;
    this.#negate('return value', argument);
  }

  /** The text between the parameters and the body of a function, without the colon; undefined when none was written. */
  #declaredReturn(node: Tree): string | undefined {
    const body = node.body as Tree;
    const last = (node.params as Tree[]).at(-1);
    const between = this.#source.slice(last?.end ?? node.start, body.start);
    return /\)\s*:\s*([^()]*?)\s*(=>)?\s*$/.exec(between)?.[1];
  }

  #negate(kind: MutationKind, node: Tree): void {
    this.#add(kind, node, `!(${this.#text(node)})`);
  }

  #add(kind: MutationKind, node: Tree, replacement: string): void {
    this.#place(kind, node.start, node.end, replacement);
  }

  #place(kind: MutationKind, start: number, end: number, replacement: string): void {
    const line = this.#code.slice(0, start).split('\n').length;
    this.found.push({ kind, start, end, replacement, line });
  }

  #text(node: Tree): string {
    return `(${this.#code.slice(node.start, node.end)})`;
  }
}

function isLeftOut(node: Tree): boolean {
  if (node.type === 'ThrowStatement') return isLeftOut(node.argument as Tree);
  if (node.type === 'NewExpression') return OWN_FAILURES.test(nameOf(node.callee as Tree));
  if (node.type === 'ImportDeclaration') return true;
  return node.type === 'CallExpression' && ASSERTIONS.test(nameOf(node.callee as Tree));
}

function nameOf(callee: Tree): string {
  return callee.type === 'Identifier' ? (callee.name as string) : '';
}

function isFunction(node: Tree): boolean {
  return /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type);
}

function isText(node: Tree): boolean {
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');
}

function isTestOf(node: Tree, parent: Tree | undefined): boolean {
  return (parent?.type === 'IfStatement' || parent?.type === 'ConditionalExpression') && parent.test === node;
}

function isEmptyArray(node: Tree): boolean {
  return node.type === 'ArrayExpression' && (node.elements as unknown[]).length === 0;
}

function childrenOf(node: Tree): Tree[] {
  const fields = Object.values(node).flat() as unknown[];
  return fields.filter((field): field is Tree => {
    return typeof field === 'object' && field !== null && typeof (field as Tree).type === 'string' && 'start' in field;
  });
}
