/** The types of the client, computed from the contract. All type-level computation of the SDK is in this file. */
import type { endpoints, OperationName } from '../../api/src/contract.ts'
import type { Endpoint } from '../../api/src/kit/endpoint.ts'
import type { Static, TArray, TObject, TSchema, TUnsafe } from '../../api/src/kit/static.ts'
import type { Call, RequestOptions } from './call.ts'
import type { exceptions } from './naming.ts'
import type { ListCall } from './page.ts'

/** Every group of the client with its methods: `firewalls.delete`, `instances.replace`, … */
export type Groups = {
  readonly [G in Camel<Places[OperationName][0]>]: {
    readonly [N in OperationName as Camel<Places[N][0]> extends G ? Camel<Places[N][1]> : never]: Method<N>
  }
}

/** The data of a successful response. An open enum accepts any string, because the server may be newer. */
export type Answer<N extends OperationName> =
  Operations[N] extends Endpoint<TObject, TObject, TSchema, infer R>
    ? TSchema extends R
      ? undefined
      : Received<R>
    : never

/** One entry of the list that an operation returns. */
export type Item<N extends OperationName> = Answer<N> extends { data: (infer T)[] } ? T : never

/** The filters of a list and its page parameters, or the query of another operation. */
export type Query<N extends OperationName> =
  Operations[N] extends Endpoint<TObject, infer Q> ? { [K in keyof Static<Q>]: Sent<Static<Q>[K]> } : never

/** The body of an operation. */
export type Body<N extends OperationName> =
  Operations[N] extends Endpoint<TObject, TObject, infer B> ? (TSchema extends B ? undefined : Static<B>) : never

type Method<N extends OperationName> = (
  ...args: [...ParamsOf<Operations[N]>, ...InputOf<N>, options?: RequestOptions]
) => N extends `list_${string}` ? ListCall<Item<N>> : Call<Answer<N>>

/** The arguments for path parameters: one parameter as a plain value, several as an object. */
type ParamsOf<E> =
  E extends Endpoint<infer P>
    ? [keyof Static<P>] extends [never]
      ? []
      : IsUnion<keyof Static<P>> extends true
        ? [params: Static<P>]
        : [id: Static<P>[keyof Static<P>]]
    : never

type InputOf<N extends OperationName> =
  Body<N> extends object
    ? object extends Body<N>
      ? [body?: Body<N>]
      : [body: Body<N>]
    : [keyof Query<N>] extends [never]
      ? []
      : [query?: Query<N>]

/** The type of a query value: a 64-bit integer as number or bigint, a list also as a single value. */
type Sent<T> = [NonNullable<T>] extends [bigint]
  ? bigint | number
  : NonNullable<T> extends (infer I)[]
    ? I | readonly I[]
    : T

type Received<S> = S extends { readonly '~open': true } & TUnsafe<infer T>
  ? T | (string & {})
  : S extends TUnsafe<infer T>
    ? T
    : S extends TArray<infer I>
      ? Received<I>[]
      : S extends TObject<infer P>
        ? ReceivedObject<P>
        : unknown

type ReceivedObject<P> = Flat<
  { [K in Exclude<keyof P, OptionalKeys<P>>]: Received<P[K]> } & { [K in OptionalKeys<P>]?: Received<P[K]> }
>

type OptionalKeys<P> = { [K in keyof P]: P[K] extends { readonly '~optional': true } ? K : never }[keyof P]
type Flat<T> = { [K in keyof T]: T[K] }

type Listed = typeof endpoints
/** The operations by name. Mapping the list once costs the compiler less than searching it for each name. */
type Operations = {
  [I in Exclude<keyof Listed, keyof (readonly unknown[])> as Listed[I] extends { name: infer N extends string }
    ? N
    : never]: Listed[I]
}

type Places = { [N in OperationName]: Place<N> }

/** The rule of {@link placements} in naming.ts, as a type. */
type Place<N extends string> = N extends keyof typeof exceptions
  ? (typeof exceptions)[N]
  : N extends `${infer V}_${infer R}`
    ? R extends Noun
      ? [Nouns[R], V]
      : Leading<R> extends infer L extends Noun
        ? [Nouns[L], R extends `${L}_${infer T}` ? `${V}_${T}` : never]
        : Trailing<R> extends infer L extends Noun
          ? [Nouns[L], R extends `${infer T}_${L}` ? `${V}_${T}` : never]
          : [R, V]
    : never

type Plural = OperationName extends infer N ? (N extends `list_${infer P}` ? P : never) : never
type Nouns = { [P in Plural as P | Singular<P>]: P }
type Noun = keyof Nouns
type Singular<P extends string> = P extends `${infer W}ies` ? `${W}y` : P extends `${infer W}s` ? W : P

type Leading<R extends string> = OrNone<LongestHead<{ [S in Noun]: R extends `${S}_${string}` ? S : never }[Noun]>>
type Trailing<R extends string> = OrNone<LongestTail<{ [S in Noun]: R extends `${string}_${S}` ? S : never }[Noun]>>
type LongestHead<U extends string, All = U> = U extends string ? IfNone<Extract<All, `${U}_${string}`>, U> : never
type LongestTail<U extends string, All = U> = U extends string ? IfNone<Extract<All, `${string}_${U}`>, U> : never
type IfNone<T, U> = [T] extends [never] ? U : never
type OrNone<T> = [T] extends [never] ? null : T

type Camel<S extends string> = S extends `${infer A}_${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S
type IsUnion<T, All = T> = T extends unknown ? ([All] extends [T] ? false : true) : never
