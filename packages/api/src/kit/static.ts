/**
 * The types of schemas and of their values, by the names of TypeBox, whose types cover all of JSON Schema. With those
 * the compiler instantiated 4 million types for the server, with these 220,000. They cover what the contract uses.
 */

/** A schema. */
export type TSchema = object

/** The members of an object. */
export type TProperties = { readonly [name: string]: TSchema }

/** A schema whose values have this type. */
export interface TUnsafe<T = unknown> extends TSchema {
  readonly '~unsafe': T
}

/** The schema of an object with these members. */
export interface TObject<P extends TProperties = TProperties> extends TSchema {
  readonly properties: P
}

/** The schema of a list. */
export interface TArray<S extends TSchema = TSchema> extends TSchema {
  readonly items: S
}

/** The schema of a member that may be absent. */
export type TOptional<S extends TSchema = TSchema> = S & { readonly '~optional': true }

/** The schema of an open list of words: clients accept any string. */
export type TOpen<T extends string> = TUnsafe<T> & { readonly '~open': true }

/** The values of a schema. */
export type Static<S> =
  S extends TUnsafe<infer T>
    ? T
    : S extends TArray<infer I>
      ? Static<I>[]
      : S extends TObject<infer P>
        ? StaticObject<P>
        : unknown

type OptionalKeys<P> = { [K in keyof P]: P[K] extends { readonly '~optional': true } ? K : never }[keyof P]

type StaticObject<P> = Flat<
  { [K in Exclude<keyof P, OptionalKeys<P>>]: Static<P[K]> } & { [K in OptionalKeys<P>]?: Static<P[K]> }
>

type Flat<T> = { [K in keyof T]: T[K] }
