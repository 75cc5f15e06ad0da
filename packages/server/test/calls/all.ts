/** The calls of all nouns, in the order of the contract. Examples are recorded in it, before the clock first moves. */
import { agentRolloutCalls } from './agent-rollouts.ts'
import { budgetCalls } from './budgets.ts'
import { hostEnrolmentCalls } from './host-enrolments.ts'
import type { OperationCalls } from './operation-calls.ts'
import { pendingCreditCalls } from './pending-credits.ts'
import { webhookCalls } from './webhooks.ts'

export const allCalls: readonly OperationCalls[] = [
  webhookCalls,
  pendingCreditCalls,
  budgetCalls,
  hostEnrolmentCalls,
  agentRolloutCalls,
]
