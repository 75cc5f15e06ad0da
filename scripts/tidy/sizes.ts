import { fileAddress, isGenerated, isTypeScript } from './house.ts'
import { dotted, type Finding, isNode, type Node, type Repository, type Rule, type Source } from './source.ts'

export const sizeRules: readonly Rule[] = [functionSizes, lineWidths]

/** A signal and not a rule: a limit would only make authors pack lines where a file comes near it. */
export const sizeSignals: readonly Rule[] = [fileSizes]

const fileLines = 600
const testLines = 1000
const functionLines = 70
const columns = 120

export function fileSizes(repository: Repository): Finding[] {
  return written(repository).flatMap((file) => {
    const most = fileAddress(file.path).isTest ? testLines : fileLines
    const lines = file.text.trimEnd().split('\n').length
    if (lines <= most) return []
    const message = `${lines} lines, more than ${most}: does it hold two nouns, or two purposes?`
    return [{ path: file.path, line: most, message }]
  })
}

const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

export function functionSizes(repository: Repository): Finding[] {
  return written(repository).flatMap((file) => {
    const groups = suiteBodies(file)
    return file.nodes.flatMap((node) => {
      if (!functions.has(node.type) || groups.has(node)) return []
      const line = file.lineOf(node.start)
      const lines = file.lineOf(node.end - 1) - line + 1
      if (lines <= functionLines) return []
      const message = `a function of ${lines} lines, ${functionLines} at most: extract its steps into functions`
      return [{ path: file.path, line, message }]
    })
  })
}

export function lineWidths(repository: Repository): Finding[] {
  return repository.files
    .filter(({ path }) => (isTypeScript(path) && !isGenerated(path)) || /^migrations\/\d.*\.sql$/.test(path))
    .flatMap((file) =>
      file.lines.flatMap((line, index) => {
        if (line.length <= columns || line.includes('https://')) return []
        return [
          { path: file.path, line: index + 1, message: `${line.length} columns, ${columns} at most: break the line` },
        ]
      }),
    )
}

/** The bodies of describe(…), which only group tests. */
function suiteBodies(file: Source): Set<Node> {
  const groups = file.nodes.filter(
    (node) => node.type === 'CallExpression' && ['describe', 'suite'].includes(dotted(node.callee) ?? ''),
  )
  return new Set(groups.flatMap((node) => (node.arguments as unknown[]).filter(isNode)))
}

function written(repository: Repository): Source[] {
  return repository.files.filter(({ path }) => isTypeScript(path) && !isGenerated(path))
}
