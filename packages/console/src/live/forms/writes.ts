/** Calls of operations that change something, by their names, which bring the types of what they are sent. */
import type { Answer, Body, OperationName, Params, Query } from '@bourse/sdk'
import type { Placement } from '@bourse/sdk/naming.ts'
import { type Operation, pathParameters } from '@bourse/sdk/operation.ts'
import { byName, methodOf, places } from '../operations.ts'

/** The parameters of the path of an operation, where it has some. */
export type PathProps<N extends OperationName> = [Params<N>] extends [never]
  ? { readonly params?: undefined }
  : { readonly params: Params<N> }

/** What an operation is sent besides its path: a body, or where it takes none, a query. */
export type InputOf<N extends OperationName> = [Body<N>] extends [never] ? Query<N> : Body<N>

/** Where an operation is sent: its method and path with the values of the path, and its method in the SDK. */
export function writeOf(name: OperationName, params: object = {}) {
  const operation = byName.get(name) as Operation
  const { noun, verb } = places.get(name) as Placement
  const values = valuesOf(operation, params)
  const path = values.reduce((text, value) => text.replace(/:\w+/, () => encodeURIComponent(value)), operation.path)
  return { method: operation.method, path, params: values, call: `${noun}.${verb}` }
}

function valuesOf(operation: Operation, params: object): string[] {
  const given = new Map<string, unknown>(Object.entries(params))
  return pathParameters(operation).map((name) => String(given.get(name)))
}

/** Calls an operation that changes something. */
export function callWrite<N extends OperationName>(
  name: N,
  params: object = {},
  input?: InputOf<N> | undefined,
): Promise<Answer<N>> {
  const values = valuesOf(byName.get(name) as Operation, params)
  const head = values.length > 1 ? [params] : values
  return methodOf<(...given: unknown[]) => Promise<Answer<N>>>(name)(...head, ...(input === undefined ? [] : [input]))
}
