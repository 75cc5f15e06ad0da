import { dirname, join } from 'node:path/posix'
import {
  areaLine,
  type FileAddress,
  fileAddress,
  inBusinessArea,
  isTypeScript,
  packageImports,
  publishedEntries,
  roles,
} from './house.ts'
import type { Finding, Import, Repository, Rule, Source } from './source.ts'

/** An import of a file of the repository. */
export type Edge = { from: Source; to: string; used: Import }

export const importRules: readonly Rule[] = [
  endings,
  barrels,
  packageLine,
  textStandsAlone,
  clientWithoutServer,
  followsAreaLine,
  throughServices,
  roleImports,
  namedRoles,
  apiTestsSpeakHttp,
  unusedFiles,
]

/**
 * Resolves an import: relative paths, and `@bourse/x/y.ts` to packages/x/src/y.ts. Undefined for other packages. A
 * query, which tells Vite what to make of a file, is left out.
 */
export function resolved(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(from), specifier.replace(/\?.*$/, ''))
  const ours = /^@bourse\/([a-z]+)\/(.+)$/.exec(specifier)
  return ours ? `packages/${ours[1]}/src/${ours[2]}` : undefined
}

/** Every import of a file of the repository. */
export function edges(repository: Repository): Edge[] {
  return repository.files.flatMap((from) =>
    from.imports.flatMap((used) => {
      const to = resolved(from.path, used.specifier)
      return to === undefined ? [] : [{ from, to, used }]
    }),
  )
}

/** A finding at the line of an import. */
export function finding(edge: Edge, message: string): Finding {
  return { path: edge.from.path, line: edge.used.line, message }
}

/** Node runs the source without resolution of endings, so an import names the file with its ending. */
export function endings(repository: Repository): Finding[] {
  return edges(repository)
    .filter((edge) => !/\.(tsx?|json|css|svg)$/.test(edge.to))
    .map((edge) => finding(edge, `import '${edge.used.specifier}' has no ending: write the name of the file with .ts`))
}

export function barrels(repository: Repository): Finding[] {
  const inside = repository.files.filter(({ path }) => !publishedEntries.includes(path))
  return inside.flatMap((file) =>
    file.imports
      .filter((used) => used.reexport)
      .map((used) => ({
        path: file.path,
        line: used.line,
        message: `re-exports from '${used.specifier}': import from the file that defines it`,
      })),
  )
}

/** text ← api ← sdk ← cli, console; api ← server, agent ← cli. */
export function packageLine(repository: Repository): Finding[] {
  return edges(repository).flatMap((edge) => {
    const from = fileAddress(edge.from.path)
    const to = fileAddress(edge.to)
    const allowed = packageImports[from.home]
    if (from.side !== 'src' || allowed === undefined || to.home === from.home) return []
    if (to.side === 'src' && allowed.includes(to.home)) return []
    // Support that the tests of all packages share.
    if (from.isTest && to.home === 'test') return []
    return [
      finding(
        edge,
        `packages/${from.home} may import ${listed(allowed)}: move what both need to packages/api or packages/text`,
      ),
    ]
  })
}

const textPackage = 'packages/text/'
const ofNode = new Set(['Buffer', 'process', 'require', '__dirname'])

/** packages/text runs in every program, also in browsers: its files import only each other. */
export function textStandsAlone(repository: Repository): Finding[] {
  const own = repository.files.filter(({ path }) => path.startsWith(textPackage) && !fileAddress(path).isTest)
  return own.flatMap((file) => {
    const foreign = file.imports.filter(({ specifier }) => {
      const to = resolved(file.path, specifier)
      return !specifier.startsWith('.') || !to?.startsWith(textPackage)
    })
    const globals = file.nodes.filter(({ type, name }) => type === 'Identifier' && ofNode.has(`${name}`))
    const message = 'packages/text has no dependency and runs in browsers: take the value as a parameter'
    const lines = [...foreign.map(({ line }) => line), ...globals.map(({ start }) => file.lineOf(start))]
    if (/\/package\.json$/.test(file.path) && /"\w*[dD]ependencies"/.test(file.text)) lines.push(1)
    return lines.map((line) => ({ path: file.path, line, message }))
  })
}

/** The package of customers has no server, so only commands that start or look after one import it. */
export function clientWithoutServer(repository: Repository): Finding[] {
  const message =
    'only packages/cli/src/commands/server may import packages/server: move what both need to packages/text'
  return edges(repository)
    .filter(({ from, to }) => fileAddress(from.path).home === 'cli' && fileAddress(to).home === 'server')
    .filter(({ from }) => {
      const { side, isTest } = fileAddress(from.path)
      return side === 'src' && !isTest && !from.path.startsWith('packages/cli/src/commands/server/')
    })
    .map((edge) => finding(edge, message))
}

/** Areas form one line and import only from the left. */
export function followsAreaLine(repository: Repository): Finding[] {
  return serverEdges(repository).flatMap(({ edge, from, to }) => {
    const left = position(to)
    const right = position(from)
    if (left < 0)
      return [finding(edge, `area '${to.area}' is not in the line ${areaLine.join(' ← ')}: put the file in one`)]
    if (left <= right || from.isTest) return []
    const way = 'ask to the right with ctx.referrers, or wake it with ctx.due'
    return [finding(edge, `${from.area} is left of ${to.area} and may not import it: ${way}`)]
  })
}

/** Other areas are used through their services only. Audits read tables, not code. */
export function throughServices(repository: Repository): Finding[] {
  return serverEdges(repository)
    .filter(({ from, to }) => from.area !== to.area && inBusinessArea(from) && inBusinessArea(to))
    .filter(({ from, to }) => !from.isTest && to.role !== 'service')
    .map(({ edge, to }) =>
      finding(edge, `reaches into ${to.area}: call a function of one of its *.service.ts instead of ${edge.to}`),
    )
}

/** The roles that a role may import within its area. */
const ownRoles: Readonly<Record<string, readonly string[]>> = {
  routes: ['service'],
  service: ['service', 'rules', 'store'],
  rules: ['rules'],
  store: ['rules'],
  reconciler: ['service', 'rules', 'store'],
  audit: [],
  figures: [],
}

/** The core files that a role may import. A role that is not listed may import all of core. */
const coreFiles: Readonly<Record<string, RegExp>> = {
  rules: /\/core\/(base\/(refusal|networks\.rules)|generated\/tables)\.ts$/,
  store: /\/core\/(?!http\/|work\/(reconciler|command|batch))/,
  audit: /\/core\/(db\/db|work\/(auditor|resource-audits))\.ts$/,
  figures: /\/core\/work\/figures\.ts$/,
}

export function roleImports(repository: Repository): Finding[] {
  return serverEdges(repository).flatMap(({ edge, from, to }) => {
    if (from.role === undefined || !inBusinessArea(from)) return []
    if (to.area === 'core') {
      const allowed = coreFiles[from.role]
      if (allowed === undefined || allowed.test(edge.to)) return []
      return [finding(edge, `a ${from.role} file may not import ${edge.to}: ${remedies[from.role]}`)]
    }
    if (to.area !== from.area || to.role === undefined) return []
    if (ownRoles[from.role]?.includes(to.role)) return []
    return [finding(edge, `a ${from.role} file may not import a ${to.role} file: ${remedies[from.role]}`)]
  })
}

const remedies: Readonly<Record<string, string>> = {
  routes: 'bind the endpoint to a function of the own service',
  service: 'a service calls rules, stores and services; routes and reconcilers call it',
  rules: 'let the service load the values and pass them in; rows have their types in core/generated/tables.ts',
  store: 'a store turns SQL into rows; let the service do the rest',
  reconciler: 'a reconciler calls rules, stores and services',
  audit: 'an audit is a named query; write the SQL in it',
  figures: 'figures are queries with their families; write the SQL in them',
}

/** The name of every file of a business area contains its role. */
export function namedRoles(repository: Repository): Finding[] {
  return repository.files.flatMap((file) => {
    const place = fileAddress(file.path)
    if (!isTypeScript(file.path) || place.isTest || place.role !== undefined || !inBusinessArea(place)) return []
    return [{ path: file.path, line: 1, message: `name it noun.role.ts, role one of ${roles.join(', ')}` }]
  })
}

/** API tests run against any server by its URL, so they do not import its code. */
export function apiTestsSpeakHttp(repository: Repository): Finding[] {
  return edges(repository)
    .filter((edge) => edge.from.path.startsWith('packages/server/test/api/'))
    .filter((edge) => edge.to.startsWith('packages/server/src/'))
    .map((edge) => finding(edge, 'an API test uses HTTP only: use test/support, not the code of the server'))
}

/** A file that only its own test imports is unused. Test support, scripts and the SDK only need an import by a test. */
export function unusedFiles(repository: Repository): Finding[] {
  const all = edges(repository)
  const used = new Set(all.filter((edge) => !fileAddress(edge.from.path).isTest).map((edge) => edge.to))
  const tested = new Set(all.map((edge) => edge.to))
  return repository.files.flatMap((file) => {
    const place = fileAddress(file.path)
    if (!isTypeScript(file.path) || place.isTest || isEntry(file.path)) return []
    const forTests = ['test', 'scripts'].includes(place.home) || place.side === 'test' || place.home === 'sdk'
    if (used.has(file.path) || (forTests && tested.has(file.path))) return []
    return [{ path: file.path, line: 1, message: 'nothing imports this file: delete it, or use it' }]
  })
}

/**
 * Programs that are started, not imported, and what Vitest and StrykerJS load. Programs that our code starts are named
 * `…-process.ts` or `…-thread.ts`.
 */
function isEntry(path: string): boolean {
  if (/-(process|thread)\.ts$/.test(path) || publishedEntries.includes(path)) return true
  if (/^packages\/[a-z]+\/examples\//.test(path)) return true
  if (/^(vitest\.config|(test\/setup|scripts\/mutants\/stryker)\/[a-z.-]+)\.ts$/.test(path)) return true
  return (
    /^packages\/[a-z]+\/src\/main\.tsx?$/.test(path) || /^scripts\/([a-z-]+|bench\/([a-z]+\/)?[a-z-]+)\.ts$/.test(path)
  )
}

function serverEdges(repository: Repository): { edge: Edge; from: FileAddress; to: FileAddress }[] {
  return edges(repository)
    .map((edge) => ({ edge, from: fileAddress(edge.from.path), to: fileAddress(edge.to) }))
    .filter(
      ({ from, to }) => from.home === 'server' && to.home === 'server' && from.side === 'src' && to.side === 'src',
    )
}

function position(place: FileAddress): number {
  return areaLine.indexOf(place.area as (typeof areaLine)[number])
}

function listed(words: readonly string[]): string {
  return words.length === 0 ? 'no other package' : `only ${words.map((word) => `packages/${word}`).join(', ')}`
}
