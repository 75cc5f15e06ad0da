/** Reads the query or the body of an operation from flags, positional arguments and JSON. */
import type { Endpoint } from '@bourse/api/kit/endpoint.ts'
import type { IdKind } from '@bourse/api/kit/ids.ts'
import { readWindowText } from '@bourse/text/grammar/windows.ts'
import { spelledTwice } from '@bourse/text/time/zones.ts'
import { isUsageProblem, usageProblem } from '../output/usage.ts'
import type { GivenFlags } from './compounds.ts'
import { readJson } from './field-values.ts'
import { type Field, fieldsOf, readField } from './fields.ts'
import { resolveReference, workspaceOfNew } from './references.ts'
import type { Session } from './session.ts'
import { presentOf, readTime } from './times.ts'
import { windowFlag, windowPairOf } from './window-pairs.ts'

type InputValues = Record<string, unknown>

/** What was typed for an operation. */
export type TypedInput = {
  /** Path parameters and positional members of the body, by their names. */
  readonly positional: Readonly<Record<string, string | undefined>>
  /** Flags, by the names of the fields. */
  readonly flags: Readonly<Record<string, unknown>>
  /** Flags of compounds and of windows, by their own names. */
  readonly others?: GivenFlags
  readonly body?: string | undefined
}

/** Reads the query or the body. Throws where a required member is absent. */
export async function readInput(session: Session, endpoint: Endpoint, typed: TypedInput): Promise<InputValues> {
  const fields = fieldsOf(endpoint.body ?? endpoint.query)
  const given = { ...typed.flags, ...typed.positional }
  const { others = {} } = typed
  const read = fields.map(async (field): Promise<InputValues> => {
    const parts = partsOf(field, others)
    if (parts && given[field.name] !== undefined) {
      throw usageProblem(`Give either --${field.long_flag} or ${namesOf(field)}.`)
    }
    if (parts) return { [field.name]: await field.compound?.read(session, parts) }
    if (given[field.name] === undefined) return {}
    return { [field.name]: await readValue(session, field, given[field.name]) }
  })
  // Together: where one is refused, no other stays without anyone who hears that it is refused too.
  const values = Object.assign(
    {},
    ...(await Promise.all([...read, readWindowPair(session, fields, { others, given })])),
  ) as InputValues
  const body = typed.body === undefined ? {} : readJson(typed.body, '--body')
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw usageProblem('--body takes an object.')
  const whole = { ...(await ownWorkspace(session, endpoint)), ...body, ...values } as InputValues
  const absent = fields.filter(({ name, required }) => required && whole[name] === undefined)
  if (absent.length > 0) {
    throw usageProblem(`Missing ${absent.map(namesOf).join(', ')}.`, 'See --help for all flags.')
  }
  return whole
}

/** The workspace that is set for new resources, where an operation creates a resource with a name in a workspace. */
async function ownWorkspace(session: Session, { method, body, response }: Endpoint): Promise<InputValues> {
  type Members = { readonly properties?: Readonly<Record<string, unknown>>; readonly required?: readonly string[] }
  const [sent, made] = [(body ?? {}) as Members, (response ?? {}) as Members]
  const isOptional = sent.properties?.workspace !== undefined && !sent.required?.includes('workspace')
  const isNamed = made.properties?.resource_path !== undefined && made.properties.workspace !== undefined
  const workspace = method === 'POST' && isOptional && isNamed ? await workspaceOfNew(session.lookup) : undefined
  return workspace === undefined ? {} : { workspace }
}

/** What was given for the flags of a compound; undefined where nothing was. */
function partsOf({ compound }: Field, others: GivenFlags): GivenFlags | undefined {
  const given = (compound?.flags ?? []).flatMap(({ name }) =>
    others[name] === undefined ? [] : [[name, others[name]]],
  )
  return given.length === 0 ? undefined : (Object.fromEntries(given) as GivenFlags)
}

/** The flags with which a person gives a field. */
function namesOf({ compound, flag }: Field): string {
  const names = compound?.flags.map(({ name }) => `--${name}`) ?? [`--${flag}`]
  // A schedule needs nodes and a window; its other flags take the place of --window.
  return names.slice(0, 2).join(' and ')
}

/** Reads one value: a time by the clock of the server, a name as the id of its resource. */
async function readValue(session: Session, field: Field, typed: unknown): Promise<unknown> {
  if (field.shape === 'moment' && !(typed === 'null' && field.nullable)) return readMomentOf(session, field, typed)
  const value = readField(field, typed)
  if (Array.isArray(value)) return Promise.all(value.map((one) => resolve(session, field.kind, one)))
  return resolve(session, field.kind, value)
}

async function readMomentOf(session: Session, { flag, step }: Field, typed: unknown): Promise<number> {
  const text = String(typed)
  try {
    return await readTime(session, text, { step })
  } catch (error) {
    if (isUsageProblem(error)) throw usageProblem(`--${flag}: ${error.message}`, error.remedy)
    throw error
  }
}

async function readWindowPair(
  session: Session,
  fields: readonly Field[],
  { others, given }: { others: GivenFlags; given: InputValues },
): Promise<InputValues> {
  const pair = windowPairOf(fields)
  const text = others[windowFlag]
  if (!pair || typeof text !== 'string') return {}
  if ([pair.start, pair.end].some(({ name }) => given[name] !== undefined)) {
    throw usageProblem(`Give either --window or --${pair.start.flag} and --${pair.end.flag}.`)
  }
  const { start_at, end_at } = readWindowText(text, await presentOf(session))
  if (end_at === null) throw usageProblem('This window needs an end.', "Write 'now +2h' or 'now until 18:00'.")
  return { [pair.start.name]: start_at, [pair.end.name]: pair.is_length ? end_at - start_at : end_at }
}

/** Resolves a name to the reference of a resource. */
export async function resolve(session: Session, kind: IdKind | undefined, value: unknown): Promise<unknown> {
  return kind && typeof value === 'string' ? resolveReference(session.lookup, kind, value) : value
}

/**
 * The times of an input that a person typed relative to now, or without a zone, as absolute ones. A list of lines such
 * as `--deadline-at is 2026-12-01 08:00 UTC (09:00 Europe/Berlin).`
 */
export function spokenTimes(endpoint: Endpoint, typed: TypedInput, input: InputValues): string[] {
  const fields = fieldsOf(endpoint.body ?? endpoint.query)
  const lines = fields.map((field) => {
    const text = typed.flags[field.name] ?? typed.positional[field.name]
    const isAbsolute = typeof text !== 'string' || /^\d+$|Z$/.test(text)
    const at = input[field.name]
    if (field.shape === 'moment' && !isAbsolute && typeof at === 'number') {
      return [`--${field.flag} is ${spelledTwice(at)}.`]
    }
    return partsOf(field, typed.others ?? {}) && Array.isArray(at) ? at.flatMap(windowLine) : []
  })
  return lines.flat()
}

function windowLine(step: { start_at?: number; end_at?: number | null }): string[] {
  if (step.start_at === undefined) return []
  const end = typeof step.end_at === 'number' ? `until ${spelledTwice(step.end_at)}` : 'without end'
  return [`From ${spelledTwice(step.start_at)} ${end}.`]
}
