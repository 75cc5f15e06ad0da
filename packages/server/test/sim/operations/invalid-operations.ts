/**
 * What somebody does wrong on purpose: each is a call, with what has to be there for it, that is to be refused with a
 * code which chance alone would meet too seldom. They are made in turn, each where it can be made.
 */

import { type Context, inTurn, type Operation, type Plan, recording } from '../context.ts'
import { kinds } from '../inventory.ts'
import type { Response } from '../replicas/client.ts'
import { type InvalidOperation, owned, some } from './fixtures.ts'
import { invalidFleetOperations } from './invalid-operations-of-fleet.ts'
import { invalidLimitOperations } from './invalid-operations-of-limits.ts'
import { invalidMarketOperations } from './invalid-operations-of-market.ts'
import { invalidNameOperations } from './invalid-operations-of-names.ts'
import { invalidReferenceOperations } from './invalid-operations-of-references.ts'
import { readable } from './single-reads.ts'

const invalidOperations = [
  ...invalidNameOperations,
  ...invalidLimitOperations,
  ...invalidReferenceOperations,
  ...invalidMarketOperations,
  ...invalidFleetOperations,
]
const reads = readable.map(
  (kind): InvalidOperation =>
    (context, actor) => {
      const resource = some(context, owned(context, actor, kind))
      return resource && { op: `get_${kind}` as Plan['op'], actor, params: { id: resource.id } }
    },
)
const tasks = [...invalidOperations, ...reads]
/** Mistakes that are looked at until one can be made. */
const looksMax = 12
const coverageCount = 4

function sendInvalid(context: Context): Plan | undefined {
  return nextInvalidOperation(context, () => inTurn(context, 'invalidOperations', invalidOperations))
}

/** What a seed does when all else is over: many seeds make each mistake and read each kind, whatever chance did. */
export function coveragePass(context: Context, seed: number): (() => Plan | undefined)[] {
  return Array.from({ length: coverageCount }, (_, n) => {
    let turn = seed * coverageCount + n
    return () => nextInvalidOperation(context, () => tasks[turn++ % tasks.length] as InvalidOperation)
  })
}

/** The first of those whose turn it is that can be made. */
function nextInvalidOperation(context: Context, next: () => InvalidOperation): Plan | undefined {
  const { actors, choices } = context
  const first = choices.integer(actors.length)
  const everybody = [...actors.slice(first), ...actors.slice(0, first)]
  for (let looks = 0; looks < looksMax; looks++) {
    const make = next()
    for (const actor of everybody) {
      const plan = make(context, actor)
      if (plan) return recorded(context, plan)
    }
  }
  return undefined
}

/** Mistakes that turn out to be none have done something: it is taken into the book, as of all that leads to them. */
function recorded(context: Context, plan: Plan): Plan {
  const { op, actor, params, next } = plan
  const known = context.inventory.resources.get(params?.id ?? '')
  const account = known?.account ?? params?.account ?? actor.id
  const record = (body: any) => {
    const kind = kinds.find((one) => one === body?.object || `spot_${one}` === body?.object)
    if (plan.record) plan.record(body)
    else if (op.startsWith('delete_')) context.inventory.remove(params?.id ?? '')
    else if (kind) recording(context, { id: account }, kind)(body)
  }
  const resume = (response: Response) => {
    const after = next?.(response)
    return after && recorded(context, after)
  }
  const eventually = plan.eventually && recorded(context, plan.eventually)
  return { touches: known ? [known] : [], ...plan, record, next: resume, eventually }
}

export const invalidOperationOperations: readonly Operation[] = [{ name: 'sendInvalid', weight: 60, plan: sendInvalid }]
