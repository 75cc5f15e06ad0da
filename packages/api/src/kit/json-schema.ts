import type { TObject, TOptional, TProperties, TSchema, TUnsafe } from './static.ts'

/**
 * A schema that is given in full, with the type of its values. The contract makes plain JSON Schema 2020-12. TypeBox
 * would too, but its 373 files took half of the start of a command.
 */
export function schemaOf<T>(schema: object): TUnsafe<T> {
  return schema as TUnsafe<T>
}

/** An object with these members, of which those are required that {@link optional} did not make. */
export function objectOf<P extends TProperties>(properties: P, rest: object): TObject<P> {
  const required = Object.entries(properties).flatMap(([name, schema]) => ('~optional' in schema ? [] : [name]))
  return { type: 'object', ...(required.length > 0 ? { required } : {}), properties, ...rest } as TObject<P>
}

/**
 * A member that may be absent. In POST bodies `null` also means absent, at any depth, unless the schema itself accepts
 * `null` as a value or has `x-not-null`.
 */
export function optional<S extends TSchema>(schema: S): TOptional<S> {
  // The mark is hidden, so that it is in no document.
  return Object.defineProperty({ ...schema }, '~optional', { value: true }) as TOptional<S>
}
