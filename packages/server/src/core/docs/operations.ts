/** The operations of the contract as the pages name them: where each is in the reference. */
import { areas } from '@bourse/api/areas.ts'
import { endpoints } from '@bourse/api/contract.ts'
import { withStreams } from '@bourse/api/kit/endpoint.ts'

/** One operation in the reference. */
type ShownOperation = {
  readonly name: string
  readonly method: string
  /** The path with its parameters in braces, as in openapi.json. */
  readonly path: string
  readonly summary: string
  readonly description: string
  /** The address in the reference. */
  readonly address: string
}

/** Every operation that openapi.json describes. */
export function listOperations(): ShownOperation[] {
  return withStreams(endpoints)
    .filter(({ area }) => area in areas)
    .map(({ name, method, path, area, summary, description }) => ({
      name,
      method,
      path: path.replaceAll(/:([a-z_]+)/g, '{$1}'),
      summary,
      description: description ?? '',
      address: addressOf(area, name),
    }))
}

/** `browser/reference.js` gives the same names to the parts of the address. */
function addressOf(area: string, name: string): string {
  return `/docs#tag/${area.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}/${name}`
}

/** The operation that text such as `create_order`, `POST /v2/orders` or `GET /v2/instances/<id>` names. */
export function operationLinks(operations: readonly ShownOperation[]): (text: string) => string | undefined {
  const shapeOf = (text: string) => text.replace(/\?.*/, '').replaceAll(/[{<][a-z_]+[}>]/g, '*')
  const byShape = new Map(operations.map((one) => [shapeOf(`${one.method} ${one.path}`), one.address]))
  const byName = new Map(operations.map((one) => [one.name, one.address]))
  return (text) => byName.get(text) ?? byShape.get(shapeOf(text))
}
