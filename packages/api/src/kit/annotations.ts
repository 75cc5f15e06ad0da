/** Annotations of the contract's schemas: keywords of ours, which the reference leaves out. */

/**
 * What a number or an amount counts. `period`: a time that is the edge of a period, such as a day in UTC. Clients read
 * and format values by it, never by the name of a member.
 */
export type Unit =
  | 'dollars'
  | 'dollars_per_node_hour'
  | 'bytes'
  | 'milliseconds'
  | 'seconds'
  | 'minutes'
  | 'percent'
  | 'bps'
  | 'node_minutes'
  | 'times'
  | 'period'

/** What a schema says about its values beyond JSON Schema. */
export type Notes = {
  description?: string
  code?: string
  code_always?: boolean
  form?: string
  unit?: Unit
  is_secret?: boolean
  negative?: string
}

/**
 * Annotations of a schema: a description for the reference, and the detail code of a value that has the right type and
 * size but is invalid (with `code_always`: of every error). `form` describes a pattern, after the words "This must be".
 * `unit` is what a value counts, for clients that format it. `is_secret`: the audit trail never holds the value.
 * `negative` is what false asks for, as the command line says of `--no-…`. The reference does not show it.
 */
export function annotations(notes: Notes): Record<string, string | boolean> {
  return {
    ...(notes.description === undefined ? {} : { description: notes.description }),
    ...(notes.code === undefined ? {} : { 'x-code': notes.code }),
    ...(notes.code_always ? { 'x-code-always': true } : {}),
    ...(notes.form === undefined ? {} : { 'x-form': notes.form }),
    ...(notes.unit === undefined ? {} : { 'x-unit': notes.unit }),
    ...(notes.is_secret ? { 'x-secret': true } : {}),
    ...(notes.negative === undefined ? {} : { 'x-negative': notes.negative }),
  }
}
