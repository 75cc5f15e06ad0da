/** Generated from the contract by `npm run gen`. Do not edit. */

/** The states that can follow each state. */
export const nextStates = {
  instance: {
    awaiting_allocation: ["running","terminated"],
    running: ["failed","terminated"],
    failed: ["terminated"],
    terminated: [],
  },
  image: {
    started: ["uploading","failed"],
    uploading: ["verifying","failed"],
    verifying: ["completed","failed"],
    completed: ["revoked"],
    revoked: ["completed"],
    failed: [],
  },
  order: {
    pending: ["standing","partially_filled","filled","cancelled","rejected"],
    standing: ["partially_filled","filled","cancelled"],
    partially_filled: ["filled","cancelled"],
    filled: [],
    cancelled: [],
    rejected: [],
  },
  host: {
    active: ["cordoned","draining","retired"],
    cordoned: ["active","draining","retired"],
    draining: ["drained","active","retired"],
    drained: ["active","retired"],
    retired: [],
  },
  pool_transfer: {
    pending: ["executed","rejected"],
    executed: [],
    rejected: [],
  },
  pending_credit: {
    pending: ["approved","refused","expired"],
    approved: [],
    refused: [],
    expired: [],
  },
  agent_rollout: {
    running: ["halted","completed","cancelled"],
    halted: ["running","cancelled"],
    completed: ["halted","cancelled"],
    cancelled: [],
  },
  webhook_delivery: {
    pending: ["succeeded","failed"],
    succeeded: [],
    failed: [],
  },
  statement: {
    open: ["closed"],
    closed: [],
  },
} as const satisfies Record<string, Record<string, readonly string[]>>
