import { basename } from 'node:path/posix'
import { fileAddress, isGenerated, isTypeScript } from './house.ts'
import { type Finding, isNode, type Node, type Repository, type Rule, type Source } from './source.ts'

export const wordRules: readonly Rule[] = [fileNames, leftoverMarkers, deadComments, classes, docComments]

const emptyWords = /^(utils?|helpers?|common|managers?|base|data|info|misc)$/

/** The name of a file ends in its noun. Words without meaning are refused. */
export function fileNames(repository: Repository): Finding[] {
  return repository.files
    .filter(({ path }) => isTypeScript(path))
    .flatMap(({ path }) => {
      const name = basename(path)
      const words = name
        .split('.')
        .slice(0, -1)
        .map((part) => part.split('-').at(-1) as string)
      const empty = words.find((word) => emptyWords.test(word))
      if (name.startsWith('index.')) return [{ path, line: 1, message: 'name the file by its content, not index' }]
      if (empty !== undefined)
        return [{ path, line: 1, message: `'${empty}' has no meaning: name the file by its noun` }]
      if (/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)*\.tsx?$/.test(name)) return []
      return [{ path, line: 1, message: 'file names are kebab-case: noun.role.ts' }]
    })
}

const markers =
  /\b(TODO|FIXME|XXX|HACK)\b|\b(biome-ignore|@ts-ignore|@ts-expect-error|@ts-nocheck|eslint-disable)\b|\bdebugger\b/
const skippedTest = /\b(test|it|describe|suite)\.(skip|only|todo)\(/

/** The code contains no markers of open work. The files of this folder are excluded, because they name the markers. */
export function leftoverMarkers(repository: Repository): Finding[] {
  return repository.files
    .filter(({ path }) => /\.(tsx?|sql|mjs|sh|yml)$/.test(path) && !path.startsWith('scripts/tidy/'))
    .flatMap((file) =>
      file.lines.flatMap((line, index) => {
        const left = markers.exec(line)
        if (left)
          return [
            { path: file.path, line: index + 1, message: `'${left[0]}' marks open work: do it, or open an issue` },
          ]
        if (!skippedTest.test(line)) return []
        return [{ path: file.path, line: index + 1, message: 'every test runs, or it is deleted' }]
      }),
    )
}

/** The forms of code that no sentence has: a keyword first and punctuation last, or a bare call. */
const code = new RegExp(
  [
    /^\s*(?:const|let|import|export|return|await|throw)\s.*[;)}]\s*$/,
    /^\s*(?:if|for|while) \(.*\) ?\{\s*$/,
    /^\s*\} else.*\{\s*$/,
    /^\s*[\w.]+\(.*\);?\s*$/,
  ]
    .map(({ source }) => source)
    .join('|'),
)

/** Commented-out code is refused. */
export function deadComments(repository: Repository): Finding[] {
  return repository.files.flatMap((file) =>
    file.comments
      .filter(({ type, value }) => type === 'Line' && code.test(value))
      .map(({ start }) => ({
        path: file.path,
        line: file.lineOf(start),
        message: 'commented-out code: delete it; the history has it',
      })),
  )
}

/** Files whose classes are errors of a public interface. */
const errorHomes = /^packages\/(sdk\/src\/errors|server\/src\/core\/base\/refusal)\.ts$/

/** A class owns a resource and is disposable, or it is an error of a public interface. */
export function classes(repository: Repository): Finding[] {
  return repository.files.flatMap((file) =>
    file.nodes
      .filter((node) => node.type === 'ClassDeclaration' || node.type === 'ClassExpression')
      .filter((node) => !errorHomes.test(file.path) && !isDisposable(node))
      .map((node) => ({
        path: file.path,
        line: file.lineOf(node.start),
        message: 'write functions over values: only Refusal and owners of a resource (Symbol.asyncDispose) are classes',
      })),
  )
}

/** Exported functions of the contract, the SDK, core and rules have doc comments: meaning, units, errors. */
export function docComments(repository: Repository): Finding[] {
  return repository.files
    .filter(({ path }) => needsDocs(path))
    .flatMap((file) =>
      exportedFunctions(file)
        .filter((start) => !hasDoc(file, start))
        .map((start) => ({
          path: file.path,
          line: file.lineOf(start),
          message: 'an exported function here needs a doc comment: meaning, units, errors',
        })),
    )
}

function needsDocs(path: string): boolean {
  const { home, side, area, role, isTest } = fileAddress(path)
  if (!isTypeScript(path) || isTest || side !== 'src' || isGenerated(path)) return false
  return home === 'api' || home === 'sdk' || (home === 'server' && (area === 'core' || role === 'rules'))
}

/** The start of each exported function, including `export`. Of overloads only the first. */
function exportedFunctions(file: Source): number[] {
  const seen = new Set<unknown>()
  return file.nodes.flatMap((node) => {
    const { declaration } = node
    if (node.type !== 'ExportNamedDeclaration' || !isNode(declaration)) return []
    if (declaration.type !== 'FunctionDeclaration' && declaration.type !== 'TSDeclareFunction') return []
    const name = (declaration.id as Node | null)?.name
    if (seen.has(name)) return []
    seen.add(name)
    return [node.start]
  })
}

function hasDoc(file: Source, start: number): boolean {
  const before = file.comments.findLast(({ end }) => end <= start)
  return before !== undefined && before.type === 'Block' && file.text.slice(before.end, start).trim() === ''
}

function isDisposable(node: Node): boolean {
  const members = (node.body as Node).body as Node[]
  return members.some(
    ({ key }) => isNode(key) && isNode(key.property) && /^(async)?[dD]ispose$/.test(String(key.property.name)),
  )
}
