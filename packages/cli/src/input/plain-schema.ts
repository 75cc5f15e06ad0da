/** Schemas of the contract as plain data. */
import type { Unit } from '@bourse/api/kit/annotations.ts'

/** A schema, as the command line reads it. */
export type PlainSchema = {
  readonly title?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly multipleOf?: number
  readonly maxItems?: number
  readonly pattern?: string
  readonly format?: string
  readonly contentEncoding?: string
  readonly contentMediaType?: string
  readonly items?: PlainSchema
  readonly properties?: Readonly<Record<string, PlainSchema>>
  readonly propertyNames?: unknown
  readonly additionalProperties?: unknown
  readonly required?: readonly string[]
  readonly 'x-unit'?: Unit
  readonly 'x-negative'?: string
}
