/** Two members that are the start and the end, or the start and the length, of one window. */
import type { Field } from './fields.ts'

/** The flag that gives both. */
export const windowFlag = 'window'

/** The members of a window. */
export type WindowPair = { readonly start: Field; readonly end: Field; readonly is_length: boolean }

/** The window of an input; undefined where it has none. */
export function windowPairOf(fields: readonly Field[]): WindowPair | undefined {
  const isMinute = ({ shape, step }: Field) => shape === 'moment' && step === 60
  const start = fields.find((field) => isMinute(field) && field.name.endsWith('start_at'))
  if (!start) return undefined
  const prefix = start.name.slice(0, -'start_at'.length)
  const end = fields.find((field) => isMinute(field) && field.name === `${prefix}end_at`)
  if (end) return { start, end, is_length: false }
  const length = fields.find(({ name, unit }) => unit === 'seconds' && name === `${prefix}duration_seconds`)
  return length ? { start, end: length, is_length: true } : undefined
}
