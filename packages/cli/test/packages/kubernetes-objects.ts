/**
 * Objects of Kubernetes as templates render them, judged by the schemas of Kubernetes and of the operators that the
 * chart knows. The schemas let unknown fields pass, and so would the API with a warning: here they are problems.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseAllDocuments } from 'yaml'
import { tools } from '../../../../scripts/pack/tools.ts'

/** An object, with what tests read of it. */
export type KubernetesObject = {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly spec?: any
  readonly data?: Readonly<Record<string, string>>
  readonly automountServiceAccountToken?: boolean
}

/** The packages of the schemas, by the API group; those of Kubernetes itself are in the first one. */
const packages: readonly (readonly [group: RegExp, name: string])[] = [
  [/^postgresql\.cnpg\.io\//, '@kubernetes-models/cloudnative-pg'],
  [/^monitoring\.coreos\.com\//, '@kubernetes-models/prometheus-operator'],
  [/^gateway\.networking\.k8s\.io\//, '@kubernetes-models/gateway-api'],
  [/./, 'kubernetes-models'],
]

type Model = { new (data: object): object; readonly prototype: { validate(): void } }

/** Reads the objects of a text. */
export function readObjects(text: string): KubernetesObject[] {
  const documents = parseAllDocuments(text, { version: '1.1' })
  for (const { errors } of documents) if (errors[0]) throw errors[0]
  return documents.map((document) => document.toJS() as KubernetesObject | null).filter((object) => object !== null)
}

/** What is wrong with an object, one line for each problem. */
export async function problemsOf(object: KubernetesObject): Promise<string[]> {
  const { apiVersion, kind } = object
  const [, name = ''] = packages.find(([group]) => group.test(apiVersion)) ?? []
  const path = join(tools, 'node_modules', name, apiVersion, `${kind}.js`)
  const { [kind]: model } = (await import(pathToFileURL(path).href)) as Record<string, Model>
  if (model === undefined) return [`${apiVersion} has no ${kind}`]
  const read = new Set<string>()
  const { apiVersion: _, kind: __, ...rest } = object
  try {
    // The constructor copies what it is given.
    model.prototype.validate.call(watched(new model(rest), '', read))
  } catch (error) {
    return [`${kind} ${object.metadata.name}: ${(error as Error).message}`]
  }
  return unknownFields(rest, '', read).map((field) => `${kind} ${object.metadata.name}: there is no field ${field}`)
}

/** An object that records which of its fields a validator has looked at. Of a map it looks at all. */
function watched(value: unknown, path: string, read: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value
  return new Proxy(value, {
    get: (target, key) => {
      const at = `${path}/${String(key)}`
      read.add(`${path}/`).add(at)
      return watched(Reflect.get(target, key), at, read)
    },
    ownKeys: (target) => {
      const keys = Reflect.ownKeys(target)
      if (path !== '') for (const key of keys) read.add(`${path}/${String(key)}`)
      return keys
    },
  })
}

/** The fields that no validator has looked at. What is in a field that has no schema is not judged. */
function unknownFields(value: unknown, path: string, read: ReadonlySet<string>): string[] {
  if (typeof value !== 'object' || value === null) return []
  // Nothing below it was looked at, known fields included: it has a schema that allows everything.
  if (!read.has(`${path}/`)) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = `${path}/${key}`
    return read.has(at) ? unknownFields(inner, at, read) : [at]
  })
}
