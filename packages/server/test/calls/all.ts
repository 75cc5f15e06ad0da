/** The calls of all nouns, in the order in which the reference records them. */
import { hostEnrolmentCalls } from './host-enrolments.ts'
import type { OperationCalls } from './operation-calls.ts'

export const allCalls: readonly OperationCalls[] = [hostEnrolmentCalls]
