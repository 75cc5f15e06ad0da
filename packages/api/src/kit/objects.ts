/** Schemas that are made of others: objects, lists, alternatives. */
import { annotations, type Notes } from './annotations.ts'
import type { IdKind } from './ids.ts'
import { objectOf, optional, schemaOf } from './json-schema.ts'
import type { Static, TArray, TObject, TProperties, TSchema, TUnsafe } from './static.ts'

/** A closed object: other members are refused with `unknown_field`. */
export function object<P extends TProperties>(
  properties: P,
  notes: Notes & { min_properties?: number } = {},
): TObject<P> {
  const least = notes.min_properties === undefined ? {} : { minProperties: notes.min_properties }
  return objectOf(properties, { additionalProperties: false, ...least, ...annotations(notes) })
}

/** A named object of the reference: it becomes a component of the OpenAPI document under this title. */
export function resource<P extends TProperties>(title: string, description: string, properties: P): TObject<P> {
  return objectOf(properties, { additionalProperties: false, title, description })
}

/**
 * A named object with what it is in this place, which the reference shows beside the reference to its component. Other
 * schemas have their own description.
 */
export function here<S extends TSchema>(schema: S, description: string): S {
  return { ...schema, 'x-here': description }
}

/** An object that accepts unknown members, for messages between programs of different versions. */
export function openObject<P extends TProperties>(properties: P, notes: Notes = {}): TObject<P> {
  return objectOf(properties, { additionalProperties: true, ...annotations(notes) })
}

/** An {@link openObject} with its own name in the reference. */
export function openResource<P extends TProperties>(title: string, description: string, properties: P): TObject<P> {
  return objectOf(properties, { additionalProperties: true, title, description })
}

/** Also accepts `null`. Uses one type list, so that an invalid value gets one error instead of one per alternative. */
export function nullable<S extends TSchema>(schema: S): TUnsafe<Static<S> | null> {
  const plain = schema as { type: string | string[]; enum?: unknown[] }
  return schemaOf<Static<S> | null>({
    ...(schema as object),
    type: [plain.type, 'null'].flat(),
    ...(plain.enum ? { enum: [...plain.enum, null] } : {}),
  })
}

/** One of several named objects, distinguished by a member with a constant value. */
export function union<const S extends readonly TSchema[]>(
  title: string,
  description: string,
  { variants, tag }: { variants: S; tag: string },
): TUnsafe<Static<S[number]>> {
  return schemaOf<Static<S[number]>>({ title, description, anyOf: [...variants], 'x-tag': tag })
}

/** A list with a maximum number of entries. */
export function array<S extends TSchema>(items: S, limits: { min?: number; max: number } & Notes): TArray<S> {
  return list(items, {
    ...(limits.min === undefined ? {} : { minItems: limits.min }),
    maxItems: limits.max,
    ...annotations(limits),
  })
}

/** A list with its notes as keywords. */
export function list<S extends TSchema>(items: S, options: { maxItems: number; [note: string]: unknown }): TArray<S> {
  return { type: 'array', items, ...options } as TArray<S>
}

/** A query parameter that may be repeated, up to 100 times or `max`. Any value may match, unless noted otherwise. */
export function repeated<S extends TSchema>(items: S, { max = 100, ...notes }: Notes & { max?: number } = {}) {
  return optional(list(items, { maxItems: max, 'x-repeated': true, ...annotations(notes) }))
}

/** An object from text to values of one schema, with a maximum number of members. `keys`: they are ids of this kind. */
export function record<S extends TSchema>(
  values: S,
  notes: { max: number; keys?: IdKind } & Notes,
): TUnsafe<Record<string, Static<S>>> {
  return schemaOf<Record<string, Static<S>>>({
    type: 'object',
    maxProperties: notes.max,
    additionalProperties: values,
    ...(notes.keys === undefined ? {} : { 'x-keys': notes.keys }),
    ...annotations(notes),
  })
}
