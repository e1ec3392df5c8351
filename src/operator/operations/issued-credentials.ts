import { randomBytes, randomInt } from 'node:crypto';
import { generateSecret } from 'otplib';

/** The login credentials of a user, in plain text, in the order in which they are shown. */
export interface IssuedCredentials {
  readonly userId: string;
  readonly password: string;
  /** Base32, 160 bits; absent for a user without one-time codes. */
  readonly totpSecret?: string;
  readonly vendorCode: string;
  /** 32 hex digits. */
  readonly apiKey: string;
}

/** Without letters and digits that look alike, so that a password can be read out and typed. */
const PASSWORD_LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
/** 16 of 56 letters are 92 bits. */
const PASSWORD_LENGTH = 16;
const API_KEY_BYTES = 16;

/**
 * Fresh credentials from the system's source of chance. The vendor code is the user id and `_API`. Source: contract
 * 3.1.
 */
export function issueCredentials(userId: string, usesTotp: boolean): IssuedCredentials {
  const letters = Array.from({ length: PASSWORD_LENGTH }, () => PASSWORD_LETTERS[randomInt(PASSWORD_LETTERS.length)]);
  return {
    userId,
    password: letters.join(''),
    ...(usesTotp ? { totpSecret: generateSecret({ length: 20 }) } : {}),
    vendorCode: `${userId}_API`,
    apiKey: freshApiKey(),
  };
}

/** An API key from the system's source of chance. */
export function freshApiKey(): string {
  return randomBytes(API_KEY_BYTES).toString('hex');
}
