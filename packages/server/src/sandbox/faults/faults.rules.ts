// Which fields tell one kind of fault from another, and whether a fault is still at work. What a fault does to a
// request, a host or a machine is not decided here.

import type { Id } from '@bourse/api/kit/ids.ts'
import { type FaultField, type FaultKind, faultKinds } from '@bourse/api/sandbox/faults.ts'
import type { RefusalData } from '../../core/base/refusal.ts'

/** A fault at the edge, or a preemption that was carried out. */
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

/** What a request says of a fault to be. */
export type FaultParams = { readonly kind: FaultKind } & { readonly [F in FaultField]?: unknown } & {
  readonly times?: number | undefined
  readonly for_seconds?: number | undefined
}

/** What tells how long a fault goes on. `times` 0 = until it is removed or its time is over. */
export type FaultLife = {
  readonly kind: string
  readonly times: number
  readonly hits: number
  readonly ends_at: number | null
}

/** Kinds that are injected into requests at the edge, or into the database behind them. */
export const edgeKinds = ['http_error', 'http_latency', 'connection_cut', 'database_down'] as const
/** Such a kind. */
export type EdgeFaultKind = (typeof edgeKinds)[number]

type Meaning = { readonly one_of: readonly (readonly FaultField[])[]; readonly also: readonly FaultField[] }

/** Kinds whose effect lasts as long as they do, however often it is met. */
const lastingKinds: readonly string[] = ['database_down', 'host_silent']

const allFields = [
  ...new Set(Object.values(faultKinds).flatMap(({ one_of, also }) => [...one_of.flat(), ...also])),
] as readonly FaultField[]

/** What says nothing of a kind: an end that it does not have, or a number where it is one thing that lasts. */
const unlimitedBy: Readonly<Partial<Record<FaultKind, readonly ('times' | 'for_seconds')[]>>> = {
  preempt: ['times', 'for_seconds'],
  market_halt: ['times'],
}

/** Why a fault cannot be: a field that its kind does not have, one that it needs, or two sets of which one is meant. */
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
  const limits = unlimitedBy[params.kind] ?? []
  const limit = limits.find((field) => params[field] !== undefined)
  return limit && notApplicable(limit, params.kind)
}

/**
 * How often a fault hits: as often as it is said; otherwise once, or, where it lasts and has an end, until that end. A
 * halt lasts until it ends or is removed.
 */
export function timesOf({ kind, times, for_seconds }: FaultParams): number {
  if (kind === 'market_halt') return 0
  return times ?? (lastingKinds.includes(kind) && for_seconds !== undefined ? 0 : 1)
}

/** Whether a fault that was not removed is still at work. Silence is over by its end and not by its hits. */
export function isActive({ kind, times, hits, ends_at }: FaultLife, now: number): boolean {
  if (ends_at !== null && ends_at <= now) return false
  return kind === 'host_silent' || times === 0 || hits < times
}

function notApplicable(field: string, kind: FaultKind): RefusalData {
  return { code: 'not_applicable', field, message: `A fault of kind ${kind} has no such field.` }
}
