// Validates the fields of a fault by its kind, and decides whether a fault is still active. Not here: the effect of a
// fault on a request (fault-injector.service.ts), a host or a machine (simulated-hosts.rules.ts).

import type { Id } from '@bourse/api/kit/ids.ts'
import { type FaultField, type FaultKind, faultKinds } from '@bourse/api/sandbox/faults.ts'
import type { RefusalData } from '../../core/base/refusal.ts'

/** A fault of requests, a halt of the market, or a preemption that has been carried out. */
export type FaultRow = {
  id: Id<'sandbox_fault'>
  kind: string
  fields: Readonly<Record<string, unknown>>
  times: number
  ends_at: number | null
  hits: number
  created_at: number
}

/** The columns of {@link FaultRow}. */
export const faultColumns = 'id, kind, fields, times, ends_at, hits, created_at'

/** The parameters of a request that creates a fault. */
export type FaultParams = { readonly kind: FaultKind } & { readonly [F in FaultField]?: unknown } & {
  readonly times?: number | undefined
  readonly for_seconds?: number | undefined
}

/** The fields that decide how long a fault stays active. `times` 0: until it is removed or its end has passed. */
export type FaultLife = {
  readonly kind: string
  readonly times: number
  readonly hits: number
  readonly ends_at: number | null
}

/** Kinds that affect requests, or the database behind them. */
export const edgeKinds = ['http_error', 'http_latency', 'connection_cut', 'database_down'] as const
/** Kinds that every process caches while they are active. */
export const cachedKinds = [...edgeKinds, 'webhook_failure'] as const

type Meaning = { readonly one_of: readonly (readonly FaultField[])[]; readonly also: readonly FaultField[] }

/** Kinds whose effect lasts until the end of the fault, however many requests or steps it affects. */
const lastingKinds: readonly string[] = ['database_down', 'host_silent']

const allFields = [
  ...new Set(Object.values(faultKinds).flatMap(({ one_of, also }) => [...one_of.flat(), ...also])),
] as readonly FaultField[]

/** Limits that a kind does not have: `for_seconds` without a duration, or `times` for one effect that lasts. */
const unlimitedBy: Readonly<Partial<Record<FaultKind, readonly ('times' | 'for_seconds')[]>>> = {
  preempt: ['times', 'for_seconds'],
  market_halt: ['times'],
}

/**
 * Refuses the parameters of a fault: not_applicable for a field that the kind does not have, required for a missing
 * one, mutually_exclusive for fields of two alternative sets. Undefined if the parameters are valid.
 */
export function refuseFault(params: FaultParams): RefusalData | undefined {
  const { one_of, also } = faultKinds[params.kind] as Meaning
  const given = allFields.filter((field) => params[field] !== undefined)
  const foreign = given.find((field) => !also.includes(field) && !one_of.flat().includes(field))
  if (foreign) return notApplicable(foreign, params.kind)
  const begun = one_of.filter((fields) => fields.some((field) => given.includes(field)))
  if (begun.length > 1) {
    const [first, second] = begun as [readonly FaultField[], readonly FaultField[]]
    const message = `Give either ${first.join(', ')} or ${second.join(', ')}.`
    return { code: 'mutually_exclusive', field: second[0] as string, message }
  }
  const [wanted] = begun.length === 1 ? begun : one_of
  const missing = wanted?.find((field) => !given.includes(field))
  if (missing) {
    const sets = (begun.length === 1 ? begun : one_of).map((fields) => fields.join(', '))
    return { code: 'required', field: missing, message: `A fault of kind ${params.kind} needs ${sets.join('; or ')}.` }
  }
  if (params.kind === 'http_error' && params.status === 410) {
    return { code: 'invalid_value', field: 'status', message: 'A fault of kind http_error takes 429, 500 or 503.' }
  }
  const limits = unlimitedBy[params.kind] ?? []
  const limit = limits.find((field) => params[field] !== undefined)
  return limit && notApplicable(limit, params.kind)
}

/**
 * The maximum number of hits of a fault; 0 for no limit. The default is 1, or 0 if the kind lasts and `for_seconds` is
 * given. A halt of the market has no limit.
 */
export function timesOf({ kind, times, for_seconds }: FaultParams): number {
  if (kind === 'market_halt') return 0
  return times ?? (lastingKinds.includes(kind) && for_seconds !== undefined ? 0 : 1)
}

/** Whether a fault that has not been removed is active at `now`. A host_silent fault ends by time, not by hits. */
export function isActive({ kind, times, hits, ends_at }: FaultLife, now: number): boolean {
  if (ends_at !== null && ends_at <= now) return false
  return kind === 'host_silent' || times === 0 || hits < times
}

function notApplicable(field: string, kind: FaultKind): RefusalData {
  return { code: 'not_applicable', field, message: `A fault of kind ${kind} does not have this field.` }
}
