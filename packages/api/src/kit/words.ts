/** Schemas of words: constants, closed lists and open ones. */
import { annotations, type Notes } from './annotations.ts'
import { schemaOf } from './json-schema.ts'
import type { TOpen, TUnsafe } from './static.ts'

/** One word of a closed list. */
export function oneOf<const T extends readonly string[]>(values: T, notes: Notes = {}): TUnsafe<T[number]> {
  return schemaOf<T[number]>({ type: 'string', enum: [...values], ...annotations(notes) })
}

/** The maximum length of a word that may be added. */
const openWordLengthMax = 128

/** One word of an open list; clients must accept others. */
export function openOneOf<const T extends readonly string[]>(values: T, notes: Notes = {}): TOpen<T[number]> {
  const known = `Known values: ${values.join(', ')}. New ones may be added; clients must accept them.`
  return schemaOf<T[number]>({
    type: 'string',
    maxLength: openWordLengthMax,
    'x-known-values': [...values],
    ...annotations({ ...notes, description: notes.description ? `${notes.description} ${known}` : known }),
  }) as TOpen<T[number]>
}

/**
 * One word of an open list that the interface document calls an enumeration: `openapi.json` lists the words of this
 * version as one.
 */
export function openEnum<const T extends readonly string[]>(values: T, notes: Notes = {}): TOpen<T[number]> {
  const later = 'Later versions may add values; clients must accept them.'
  const described = { ...notes, description: notes.description ? `${notes.description} ${later}` : later }
  return schemaOf<T[number]>({
    type: 'string',
    maxLength: openWordLengthMax,
    'x-known-values': [...values],
    'x-shown-as-enum': true,
    ...annotations(described),
  }) as TOpen<T[number]>
}

/** A constant. */
export function constant<const T extends string>(value: T): TUnsafe<T> {
  return schemaOf<T>({ type: 'string', const: value, description: constantText(value) })
}

function constantText(value: string): string {
  return `Always \`${value}\`.`
}

/**
 * A constant that `openapi.json` marks as read-only, where the interface document does. Generators make a second type
 * of each resource that has such a member.
 */
export function readOnlyConstant<const T extends string>(value: T): TUnsafe<T> {
  return schemaOf<T>({ type: 'string', const: value, 'x-read-only': true, description: constantText(value) })
}
