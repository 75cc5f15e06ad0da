import { basename } from 'node:path/posix'
import { fileAddress, isGenerated, isTypeScript } from './house.ts'
import { type Finding, isNode, type Node, type Repository, type Rule, type Source } from './source.ts'

export const exportRules: readonly Rule[] = [exportsAreUsed]

/** Packages of which nothing outside of this repository imports a file. */
const closedPackages = ['server', 'agent']

/**
 * An exported name is used by another file: one that names it, and the file that exports it. A test counts. Whoever
 * reads a file sees by its exports what others rely on.
 */
export function exportsAreUsed({ files }: Repository): Finding[] {
  const naming = filesByName(files)
  const endpoints = endpointNames(files)
  const isBound = (name: string, others: readonly Source[]) =>
    endpoints.has(name) && others.some(({ path, text }) => path.endsWith('.routes.ts') && text.includes('handleAll('))
  const words = new Map<Source, ReadonlySet<string>>()
  const wordsOf = (file: Source) => {
    const known = words.get(file) ?? new Set(file.text.match(/[\w$]+/g) ?? [])
    words.set(file, known)
    return known
  }
  return files.filter(isClosed).flatMap((file) => {
    const others = (naming.get(basename(file.path)) ?? []).filter((other) => other !== file)
    return exportsOf(file)
      .filter(({ name }) => !others.some((other) => wordsOf(other).has(name)) && !isBound(name, others))
      .map(({ name, node }) => {
        const message = `no other file uses ${name}: leave out its export, and delete it if nothing here uses it either`
        return { path: file.path, line: file.lineOf(node.start), message }
      })
  })
}

/** The names of the endpoints of the contract, which a service gives to the functions that handleAll binds. */
function endpointNames(files: readonly Source[]): ReadonlySet<string> {
  const contract = files.filter(({ path }) => path.startsWith('packages/api/src/'))
  return new Set(
    contract.flatMap(({ text }) =>
      [...text.matchAll(/^export const (\w+) = endpoint\(/gm)].map(([, name = '']) => name),
    ),
  )
}

/** The names that declarations of a file export. */
function exportsOf(file: Source): { readonly name: string; readonly node: Node }[] {
  return file.nodes
    .filter((node) => node.type === 'ExportNamedDeclaration' && isNode(node.declaration))
    .flatMap((node) => {
      const { id, declarations } = node.declaration as Node
      const ids = Array.isArray(declarations) ? (declarations as Node[]).map((one) => one.id) : [id]
      return ids.flatMap((one) => (isNode(one) && one.type === 'Identifier' ? [{ name: String(one.name), node }] : []))
    })
}

/** The files that name a file, by its name without folders: in an import or in any other text. */
function filesByName(files: readonly Source[]): ReadonlyMap<string, readonly Source[]> {
  const found = new Map<string, Source[]>()
  for (const file of files.filter(({ path }) => /\.(tsx?|mjs)$/.test(path))) {
    for (const name of new Set(file.text.match(/[\w.-]+\.tsx?\b/g) ?? [])) {
      found.set(name, [...(found.get(name) ?? []), file])
    }
  }
  return found
}

function isClosed({ path }: Source): boolean {
  const { home, side, isTest } = fileAddress(path)
  return isTypeScript(path) && !isGenerated(path) && closedPackages.includes(home) && side === 'src' && !isTest
}
