/** Prints what the SDK knows of errors and states, so that it does not import the contract. */

import { pendingCreditTransitions } from '../../packages/api/src/billing/pending-credits.ts'
import { statementStates } from '../../packages/api/src/billing/statements.ts'
import { agentRolloutStates } from '../../packages/api/src/fleet/agent-rollouts.ts'
import { hostStates } from '../../packages/api/src/fleet/host-states.ts'
import { instanceStates } from '../../packages/api/src/fleet/instance-states.ts'
import { imageStates } from '../../packages/api/src/images/image-states.ts'
import { errorCodes } from '../../packages/api/src/kit/errors.ts'
import { orderStates } from '../../packages/api/src/market/order-states.ts'
import { transferTransitions } from '../../packages/api/src/market/pool-transfers.ts'
import { deliveryTransitions } from '../../packages/api/src/webhooks/webhook-deliveries.ts'

const head = '/** Generated from the contract by `npm run gen`. Do not edit. */'

/** The text of packages/sdk/src/generated/errors.ts. */
export function printSdkErrors(): string {
  const codes = Object.entries(errorCodes)
  const types = [...new Set(codes.map(([, { type }]) => type))]
  return `${head}

/** \`error.type\` of the envelope. */
export type ErrorType = ${types.map((type) => `'${type}'`).join(' | ')}

/** What the caller of the API can do about each code of \`error.details\`. */
export const suggestions = {
${codes.map(([code, { user }]) => `  ${code}: ${JSON.stringify(user)},`).join('\n')}
} as const

/** A code of \`error.details\`. */
export type ErrorCode = keyof typeof suggestions
`
}

/** The text of packages/sdk/src/generated/states.ts. */
export function printSdkStates(): string {
  const machines = {
    instance: instanceStates,
    image: imageStates,
    order: orderStates,
    host: hostStates,
    pool_transfer: transferTransitions,
    pending_credit: pendingCreditTransitions,
    agent_rollout: agentRolloutStates,
    webhook_delivery: deliveryTransitions,
    statement: statementStates,
  }
  const printed = Object.entries(machines).map(([kind, states]) => {
    const lines = Object.entries(states).map(([state, { next }]) => `    ${state}: ${JSON.stringify(next)},`)
    return `  ${kind}: {\n${lines.join('\n')}\n  },`
  })
  return `${head}

/** The states that can follow each state. */
export const nextStates = {
${printed.join('\n')}
} as const satisfies Record<string, Record<string, readonly string[]>>
`
}
