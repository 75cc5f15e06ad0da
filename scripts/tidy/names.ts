/** Names that can be searched: a type is named once in its package and by its noun, and code is in camelCase. */
import { isGenerated, isTypeScript, publishedEntries } from './house.ts'
import { type Finding, isNode, type Node, type Repository, type Rule, type Source } from './source.ts'

export const nameRules: readonly Rule[] = [typesNamedOnce, typesNamedByNoun, functionsNamedByNoun, codeInCamelCase]

/** Words that anything could be called: the name of a type has the noun of what it is beside them. */
const everydayWords = new Set(
  `Among Around Ask Asked Bare Begun Change Changed Changes Choice Choices Chosen Decided Declared Doing Done Entries
  Entry Followed Found Given Happened Happening Kept Kind Known Life Line Look Made Measured Move Named New Old Opened
  Options Part Parts Piece Place Plain Prepared Reach Reading Remembered Replaced Row Rows Seen Sent Shape Shown Sought
  Stated Step Taken Told Tried Turned Typed Use Values Waiting Wanted Written Wrong`.split(/\s+/),
)
/** What many files have a function for. One of a single file needs no more; an exported one says of what. */
const everydayFunctions = new Set(['present', 'placeOf', 'keyOf', 'textOf'])
const snakeCase = /^[a-z][a-z0-9]*(_[a-z0-9]+)+$/
const upperCase = /^[A-Z][A-Z0-9]+(_[A-Z0-9]+)*$/

/** A name that is declared, and where it stands in its file. */
export type DeclaredName = { readonly name: string; readonly start: number }

/** The name of a type that stands outside of functions belongs to one file of its package. */
export function typesNamedOnce({ files }: Repository): Finding[] {
  const written = files.filter(isWritten)
  const owners = new Map<string, string[]>()
  for (const file of written)
    for (const name of new Set(typeNames(file).map((type) => type.name))) {
      const key = `${packageOf(file.path)} ${name}`
      owners.set(key, [...(owners.get(key) ?? []), file.path])
    }
  return written.flatMap((file) =>
    typeNames(file).flatMap(({ name, start }) => {
      const other = owners.get(`${packageOf(file.path)} ${name}`)?.find((path) => path !== file.path)
      if (other === undefined) return []
      return [at(file, start, `type ${name} is declared in ${other} too: give each the noun of what it is`)]
    }),
  )
}

/** The name of a type is more than one everyday word. */
export function typesNamedByNoun({ files }: Repository): Finding[] {
  return files.filter(isWritten).flatMap((file) =>
    typeNames(file)
      .filter(({ name }) => everydayWords.has(name))
      .map(({ name, start }) => at(file, start, `type ${name}: give it its noun, such as Order${name}`)),
  )
}

/** An exported function is named after what it is about. */
export function functionsNamedByNoun({ files }: Repository): Finding[] {
  return files.filter(isWritten).flatMap((file) =>
    statements(file, true).flatMap(({ type, id }) => {
      if (type !== 'FunctionDeclaration' || !isNode(id) || !everydayFunctions.has(String(id.name))) return []
      return [at(file, id.start, `function ${id.name}(): give it its noun, such as presentOrder()`)]
    }),
  )
}

/**
 * Constants, locals and parameters are written in camelCase. In a file whose objects have a property of the same name
 * they are data, and are called like it. So is what is taken out of an object by its name.
 */
export function codeInCamelCase({ files }: Repository): Finding[] {
  return files
    .filter((file) => isWritten(file) && !publishedEntries.includes(file.path))
    .flatMap((file) =>
      wronglySpelled(file).map(({ name, start }) => at(file, start, `${name}: write ${camelCase(name)}`)),
    )
}

/** The types that a file declares outside of functions. */
export function typeNames(file: Source): DeclaredName[] {
  return statements(file).flatMap(({ type, id }) =>
    /^TS(TypeAlias|Interface)Declaration$/.test(type) && isNode(id) ? [nameOf(id)] : [],
  )
}

/** The constants, locals and parameters of a file that are not written in camelCase, and are not data. */
export function wronglySpelled(file: Source): DeclaredName[] {
  const properties = new Set(file.nodes.flatMap(propertyNames))
  return file.nodes
    .flatMap(declaredBy)
    .map(nameOf)
    .filter(({ name }) => (snakeCase.test(name) || upperCase.test(name)) && !properties.has(name))
}

export function camelCase(name: string): string {
  return name.toLowerCase().replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/** The package that a path is in, else its first folder. */
function packageOf(path: string): string {
  const [first = '', second = ''] = path.split('/')
  return first === 'packages' ? second : first
}

function isWritten({ path }: Source): boolean {
  return isTypeScript(path) && !isGenerated(path)
}

/** The statements of a file, with the declaration for its export. */
function statements(file: Source, areExported = false): Node[] {
  const body = (file.nodes[0]?.body as Node[] | undefined) ?? []
  return body.flatMap((statement) => {
    if (isNode(statement.declaration)) return [statement.declaration]
    return areExported ? [] : [statement]
  })
}

/** The constants, locals and parameters that a node declares. */
function declaredBy(node: Node): Node[] {
  if (node.type === 'VariableDeclarator') return ownNames(node.id)
  if (node.type === 'CatchClause') return ownNames(node.param)
  if (!/Function|MethodSignature|CallSignature|ConstructSignature|TSConstructorType/.test(node.type)) return []
  return [node.params].flat().flatMap(ownNames)
}

/** The names of a pattern, without those that are called like the property they are taken from. */
function ownNames(pattern: unknown): Node[] {
  if (!isNode(pattern)) return []
  if (pattern.type === 'Identifier') return [pattern]
  if (pattern.type === 'AssignmentPattern') return ownNames(pattern.left)
  if (pattern.type === 'RestElement') return ownNames(pattern.argument)
  if (pattern.type === 'ArrayPattern') return (pattern.elements as unknown[]).flatMap(ownNames)
  if (pattern.type === 'Property') return pattern.shorthand === true ? [] : ownNames(pattern.value)
  return pattern.type === 'ObjectPattern' ? (pattern.properties as unknown[]).flatMap(ownNames) : []
}

/** The names of the properties that an object or an element is given. */
function propertyNames({ type, properties, attributes }: Node): string[] {
  const given = type === 'ObjectExpression' ? properties : type === 'JSXOpeningElement' ? attributes : []
  return (given as Node[]).flatMap(({ computed, key, name }) => {
    const label = key ?? name
    if (computed === true || !isNode(label)) return []
    return [String(label.name ?? label.value)]
  })
}

function nameOf({ name, start }: Node): DeclaredName {
  return { name: String(name), start }
}

function at(file: Source, start: number, message: string): Finding {
  return { path: file.path, line: file.lineOf(start), message }
}
