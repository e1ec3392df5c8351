import type { HashCost } from '../../src/gateway/credentials/password-hash.ts';

/** The least that argon2id takes: for tests that log in often and do not look at the cost. */
export const LOW_HASH_COST: HashCost = { memoryKib: 8, passes: 1 };
