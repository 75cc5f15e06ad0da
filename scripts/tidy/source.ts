import { type Comment, parseSync } from 'oxc-parser'

/** A node of the syntax tree. Rules use a handful of node types, so a loose type is sufficient. */
export type Node = { type: string; start: number; end: number; [member: string]: unknown }

/** One import, re-export or dynamic import. */
export type Import = { specifier: string; names: readonly string[]; reexport: boolean; line: number }

/** The value of a string literal or of a template, with `…` for each placeholder. */
export type Text = { value: string; line: number }

/** A file of the repository, read and parsed once. */
export type Source = {
  readonly path: string
  readonly text: string
  readonly lines: readonly string[]
  /** Empty for files other than TypeScript. */
  readonly nodes: readonly Node[]
  readonly imports: readonly Import[]
  readonly texts: readonly Text[]
  readonly comments: readonly Comment[]
  /** The error of the parser if the file cannot be parsed. */
  readonly broken?: string
  lineOf(offset: number): number
}

/** All files of the repository. */
export type Repository = { readonly files: readonly Source[]; readonly byPath: ReadonlyMap<string, Source> }

/** A violation of a rule: its place, and a message that says how to fix it. */
export type Finding = { path: string; line: number; message: string }

/** A rule: a pure function from the parsed repository to findings. */
export type Rule = (repository: Repository) => Finding[]

export function repositoryOf(texts: ReadonlyMap<string, string>): Repository {
  const files = [...texts].map(([path, text]) => sourceOf(path, text))
  return { files, byPath: new Map(files.map((file) => [file.path, file])) }
}

/** Reads a file: the syntax tree of TypeScript, the lines of any file. */
export function sourceOf(path: string, text: string): Source {
  const starts = lineStarts(text)
  const lineOf = (offset: number) => lineAt(starts, offset)
  const plain = { path, text, lines: text.split('\n'), nodes: [], imports: [], texts: [], comments: [], lineOf }
  if (!/\.tsx?$/.test(path)) return plain
  const parsed = parseSync(path, text, { sourceType: 'module' })
  const error = parsed.errors[0]
  if (error) return { ...plain, broken: error.message }
  const nodes: Node[] = []
  collect(parsed.program, nodes)
  const imports = nodes.flatMap((node) => importOf(node, lineOf))
  const texts = nodes.flatMap((node) => textOf(node, lineOf))
  return { ...plain, nodes, imports, texts, comments: parsed.comments }
}

/** Collects `value` and every node below it, parents first. */
export function collect(value: unknown, into: Node[]): void {
  if (Array.isArray(value)) {
    for (const one of value) collect(one, into)
  } else if (isNode(value)) {
    into.push(value)
    for (const key of Object.keys(value)) if (key !== 'range') collect(value[key], into)
  }
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

/** `a.b.c` for a chain of names, undefined for anything else. */
export function dotted(value: unknown): string | undefined {
  if (!isNode(value)) return undefined
  if (value.type === 'Identifier') return value.name as string
  if (value.type !== 'MemberExpression' || value.computed === true) return undefined
  const left = dotted(value.object)
  const right = dotted(value.property)
  return left === undefined || right === undefined ? undefined : `${left}.${right}`
}

/** The value of a string literal, undefined for anything else. */
export function literal(value: unknown): string | undefined {
  return isNode(value) && value.type === 'Literal' && typeof value.value === 'string' ? value.value : undefined
}

/** The member `name: …` of an object literal. */
export function member(object: unknown, name: string): Node | undefined {
  if (!isNode(object) || object.type !== 'ObjectExpression') return undefined
  const found = (object.properties as Node[]).find(
    (property) => isNode(property.key) && (property.key.name === name || property.key.value === name),
  )
  return found && isNode(found.value) ? found.value : undefined
}

function importOf(node: Node, lineOf: (offset: number) => number): Import[] {
  const specifier = literal(node.source)
  if (specifier === undefined || !/^(Import|Export)/.test(node.type)) return []
  const entries = (node.specifiers as Node[] | undefined) ?? []
  const names = entries.flatMap((entry) => dotted(entry.imported ?? entry.local) ?? [])
  return [{ specifier, names, reexport: node.type.startsWith('Export'), line: lineOf(node.start) }]
}

function textOf(node: Node, lineOf: (offset: number) => number): Text[] {
  const plain = literal(node)
  if (plain !== undefined) return [{ value: plain, line: lineOf(node.start) }]
  if (node.type !== 'TemplateLiteral') return []
  const pieces = (node.quasis as Node[]).map((quasi) => (quasi.value as { raw: string }).raw)
  return [{ value: pieces.join('…'), line: lineOf(node.start) }]
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function lineAt(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] as number) <= offset) low = middle
    else high = middle - 1
  }
  return low + 1
}
