/**
 * The surroundings of the commands of traders: the terminal, the environment and the local service. The entry of the
 * process makes them, and tests make their own.
 */
import type { Command } from 'commander';
import { type Paint, paintFor } from './text/paint.ts';

/** Credentials for one login. */
export interface LoginDetails {
  readonly userId: string;
  readonly password: string;
  readonly vendorCode: string;
  readonly apiKey: string;
  /** The one-time code of the moment; blank for a user without codes. */
  readonly totp: string;
}

export type Flags = Readonly<Record<string, string>>;

/** The service of a data folder on this machine. */
export interface LocalSauda {
  /** Adds the flags that name the service. */
  withLocal(command: Command): Command;
  /** The address: `http://127.0.0.1:8080`. */
  addressOf(flags: Flags): string;
  /** The credentials of a demo user. Throws `CommandFailed` for an unknown one. */
  demoLogin(flags: Flags, userId: string): LoginDetails;
}

/** Standard input as these commands use it. */
export type Input = NodeJS.ReadableStream & {
  readonly isTTY?: boolean;
  setRawMode?(mode: boolean): unknown;
  unref?(): unknown;
};

/** Standard output as these commands use it. */
export type Output = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

export interface TraderParts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly local: LocalSauda;
  readonly input: Input;
  readonly output: Output;
  /** Prints a line on standard output. */
  readonly print: (text: string) => void;
  /** Standard error, where questions and remarks for a person go. */
  readonly errors: { write(text: string): unknown };
}

/** The width of a table: that of the terminal, or none where a program or a file takes it. */
export function pageOf({ env, output }: TraderParts): { readonly columns: number | undefined; readonly paint: Paint } {
  const isTerminal = output.isTTY ?? false;
  return { columns: isTerminal ? output.columns : undefined, paint: paintFor(isTerminal, env) };
}

/** Prints an answer: as it came for programs, as text for people. */
export function printAnswer(
  parts: TraderParts,
  flags: { readonly json?: true },
  rows: unknown,
  text: () => string,
): void {
  parts.print(flags.json ? JSON.stringify(rows, undefined, 2) : text());
}
