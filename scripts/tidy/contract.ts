import { join } from 'node:path/posix'
import { fileAddress, isTypeScript } from './house.ts'
import {
  collect,
  dotted,
  type Finding,
  isNode,
  literal,
  member,
  type Node,
  type Repository,
  type Rule,
  type Source,
} from './source.ts'

export const contractRules: readonly Rule[] = [
  everyEndpointIsListed,
  everyEndpointIsServed,
  everyEndpointIsTested,
  everyEventIsEmitted,
]

type DeclaredEndpoint = { file: Source; line: number; variable: string; name: string }

/** Each endpoint is in the list `operations` of its file, and packages/api/src/contract.ts takes that list. */
export function everyEndpointIsListed(repository: Repository): Finding[] {
  const contract = repository.byPath.get('packages/api/src/contract.ts')
  const taken = new Set(contract?.imports.map(({ specifier }) => join('packages/api/src', specifier)))
  return endpoints(repository).flatMap(({ file, line, variable, name }) => {
    if (!operationsOf(file).has(variable)) return [{ path: file.path, line, message: `${name}: add it to operations` }]
    if (taken.has(file.path)) return []
    return [{ path: file.path, line, message: `${name}: add the operations of this file to contract.ts` }]
  })
}

/** The names in `export const operations = […]`. */
function operationsOf(file: Source): ReadonlySet<string> {
  const list = file.nodes.find((node) => node.type === 'VariableDeclarator' && dotted(node.id) === 'operations')
  const nodes: Node[] = []
  collect(list?.init, nodes)
  return new Set(nodes.filter(({ type }) => type === 'Identifier').map(({ name }) => String(name)))
}

/** One route binds each endpoint of the contract: its own, or that of all operations of its file. */
export function everyEndpointIsServed(repository: Repository): Finding[] {
  const bound = new Map<string, number>()
  for (const file of repository.files.filter(({ path }) => /\.routes\.ts$/.test(path))) {
    const byHand = handled(file)
    const others = handledTogether(repository, file).filter((variable) => !byHand.includes(variable))
    for (const variable of [...byHand, ...others]) bound.set(variable, (bound.get(variable) ?? 0) + 1)
  }
  return endpoints(repository).flatMap(({ file, line, variable, name }) => {
    const times = bound.get(variable) ?? 0
    if (times === 1) return []
    const what = times === 0 ? 'no route binds it: add handle() to a *.routes.ts' : `${times} routes bind it: keep one`
    return [{ path: file.path, line, message: `${name}: ${what}` }]
  })
}

/** An API test names each endpoint: by its variable, by its name, or by its name in a test title. */
export function everyEndpointIsTested(repository: Repository): Finding[] {
  const named = new Set<string>()
  for (const file of repository.files.filter(({ path }) => path.startsWith('packages/server/test/api/'))) {
    for (const node of file.nodes) if (node.type === 'Identifier') named.add(node.name as string)
    for (const { value } of file.texts) for (const name of [value, ...namesWithin(value)]) named.add(name)
  }
  return endpoints(repository)
    .filter(({ variable, name }) => !named.has(variable) && !named.has(name))
    .map(({ file, line, name }) => ({
      path: file.path,
      line,
      message: `${name}: no test in packages/server/test/api names it`,
    }))
}

/** The names in a text: words joined by underscores. */
function namesWithin(text: string): readonly string[] {
  return text.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []
}

/** The server emits each event action of the contract. */
export function everyEventIsEmitted(repository: Repository): Finding[] {
  const said = new Set(
    repository.files
      .filter(
        ({ path }) => isTypeScript(path) && fileAddress(path).home === 'server' && fileAddress(path).side === 'src',
      )
      .filter(({ path }) => !fileAddress(path).isTest)
      .flatMap(({ texts }) => texts.map(({ value }) => value)),
  )
  return repository.files
    .filter(({ path }) => path === 'packages/api/src/events/actions.ts')
    .flatMap((file) =>
      actionsOf(file)
        .filter(({ action }) => !said.has(action))
        .map(({ action, line }) => ({
          path: file.path,
          line,
          message: `nothing emits ${action}: emit it where it happens, or move it to reservedEventActions`,
        })),
    )
}

/** `export const x = endpoint({ name: '…' })` in packages/api. */
function endpoints(repository: Repository): DeclaredEndpoint[] {
  return repository.files
    .filter(({ path }) => path.startsWith('packages/api/src/') && !fileAddress(path).isTest)
    .flatMap((file) =>
      file.nodes.flatMap((node) => {
        const { init, id } = node
        if (node.type !== 'VariableDeclarator' || !isNode(init) || !isNode(id)) return []
        if (init.type !== 'CallExpression' || dotted(init.callee) !== 'endpoint') return []
        const name = literal(member((init.arguments as unknown[])[0], 'name'))
        const variable = dotted(id)
        return name && variable ? [{ file, line: file.lineOf(node.start), variable, name }] : []
      }),
    )
}

/** The first arguments of the calls in a routes file. Imports of endpoints are not renamed. */
function handled(file: Source): string[] {
  return file.nodes.flatMap((node) => {
    if (node.type !== 'CallExpression') return []
    const first = (node.arguments as unknown[])[0]
    const name = dotted(first)
    return name === undefined ? [] : [name.split('.').at(-1) as string]
  })
}

const takenOperations = /import \{([^}]*)\} from '@bourse\/api\/([^']+)'/g

/** The endpoints of the files of the contract whose `operations` a routes file binds by handleAll. */
function handledTogether({ files }: Repository, file: Source): string[] {
  return [...file.text.matchAll(takenOperations)].flatMap(([, names = '', path]) => {
    const [, alias = 'operations'] = /\boperations(?: as (\w+))?/.exec(names) ?? [undefined, '']
    if (alias === '' || !file.text.includes(`handleAll(${alias},`)) return []
    const contract = files.find((one) => one.path === `packages/api/src/${path}`)
    return contract ? [...operationsOf(contract)] : []
  })
}

function actionsOf(file: Source): { action: string; line: number }[] {
  const table = file.nodes.find(
    (node) => node.type === 'VariableDeclarator' && dotted(node.id) === 'eventActions' && isNode(node.init),
  )
  if (table === undefined) return []
  return withoutTypes(table.init as Node).flatMap((property) => {
    const action = literal(property.key)
    return action === undefined ? [] : [{ action, line: file.lineOf(property.start) }]
  })
}

/** The properties of `{…}`, `{…} as const` and `{…} as const satisfies T`. */
function withoutTypes(node: Node): Node[] {
  if (node.type === 'ObjectExpression') return node.properties as Node[]
  return isNode(node.expression) ? withoutTypes(node.expression) : []
}
