import { isGenerated, isTypeScript } from './house.ts'
import { type Finding, isNode, literal, type Node, type Repository, type Rule, type Source } from './source.ts'

export const glossaryRules: readonly Rule[] = [glossary]

const page = 'docs/words.md'
const entriesMax = 60
/** Records of the past, and the tests of this rule, are not checked. */
const unchecked = /^docs\/(words\.md|decisions\/)|^CHANGELOG\.md$|^scripts\/tidy\/glossary/

/** A refused word, the phrases in which it is allowed, and the word to use instead. */
export type Refused = { readonly word: string; readonly allowed: readonly string[]; readonly use: string }

type FoundWord = { readonly line: number; readonly refused: Refused }

/**
 * Refuses the words of the "Not" column of docs/words.md in identifiers, file names, comments, documents and test
 * titles. An entry such as "flight (but in flight)" names the phrases in which the word is allowed.
 */
export function glossary(repository: Repository): Finding[] {
  const text = repository.byPath.get(page)?.text ?? ''
  const find = finderOf(readRefused(text))
  const files = repository.files.filter(({ path }) => isChecked(path))
  const findings = files.flatMap((file) =>
    foundIn(file, find).map(({ line, refused: { word, use } }) => ({
      path: file.path,
      line,
      message: `'${word}' is a refused word: write ${use} (${page})`,
    })),
  )
  const entries = rowsOf(text).length
  if (entries <= entriesMax) return findings
  return [
    ...findings,
    { path: page, line: 1, message: `${entries} entries, ${entriesMax} at most: remove usual words` },
  ]
}

/** A summary of the glossary, for the last line of tidy. */
export function glossarySummary(repository: Repository): string {
  const text = repository.byPath.get(page)?.text ?? ''
  return `${rowsOf(text).length} words checked (${readRefused(text).length} refused)`
}

/** Reads the words of the "Not" column. */
export function readRefused(text: string): Refused[] {
  return rowsOf(text).flatMap(([use = '', , not = '']) =>
    not
      .split(/,\s*(?![^(]*\))/)
      .map((entry) => /^([^(]+?)(?:\s*\(but ([^)]*)\))?$/.exec(entry.trim()))
      .flatMap((parts) => (parts === null ? [] : [{ word: parts[1] as string, allowed: phrases(parts[2]), use }])),
  )
}

function phrases(text: string | undefined): string[] {
  return text === undefined ? [] : text.split(/,\s*/)
}

/** The rows of all tables of the page, without the head rows. */
function rowsOf(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => /^\|(?! (Word|-))/.test(line) && !/^\|[-| ]+$/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
}

function isChecked(path: string): boolean {
  return (isTypeScript(path) || path.endsWith('.md')) && !isGenerated(path) && !unchecked.test(path)
}

/** Finds the refused words of a text. */
type Find = (place: Omit<WordPlace, 'line'>) => readonly Refused[]

function foundIn(file: Source, find: Find): FoundWord[] {
  const places: WordPlace[] = [
    { line: 1, text: file.path, isName: true },
    ...(isTypeScript(file.path) ? code(file) : document(file)),
  ]
  const seen = new Set<string>()
  return places.flatMap(({ line, ...place }) =>
    find(place)
      .filter(({ word }) => !seen.has(`${line} ${word}`) && seen.add(`${line} ${word}`))
      .map((refused) => ({ line, refused })),
  )
}

/**
 * Tests all words with one pattern first, because most texts contain none. Caches texts, because identifiers repeat.
 */
function finderOf(refused: readonly Refused[]): Find {
  const pattern = new RegExp(refused.map(({ word }) => expression(word)).join('|') || '$^', 'i')
  const known = new Map<string, readonly Refused[]>()
  return ({ text, isName = false }) => {
    const before = known.get(text)
    if (before) return before
    const words = isName ? wordsOf(text) : text
    const found = pattern.test(words) ? refused.filter((one) => holds(words, one)) : []
    known.set(text, found)
    return found
  }
}

function holds(text: string, { word, allowed }: Refused): boolean {
  const rest = allowed.reduce((left, phrase) => left.replace(new RegExp(expression(phrase), 'gi'), ' '), text)
  return new RegExp(expression(word), 'i').test(rest)
}

/** A word or phrase, in the singular or plural. */
function expression(word: string): string {
  return `\\b${word.replaceAll(' ', '[\\s-]+')}(?:s|es)?\\b`
}

/** A text and its line. A name is split into words first. */
type WordPlace = { readonly line: number; readonly text: string; readonly isName?: boolean }

function code(file: Source): WordPlace[] {
  const names = file.nodes
    .filter(({ type }) => type === 'Identifier' || type === 'PrivateIdentifier')
    .map(({ name, start }) => ({ line: file.lineOf(start), text: String(name), isName: true }))
  const comments = file.comments.flatMap(({ value, start }) =>
    value.split('\n').map((text, index) => ({ line: file.lineOf(start) + index, text })),
  )
  return [...names, ...comments, ...file.nodes.flatMap((node) => titleOf(file, node))]
}

/** The title of a test or of a group of tests. */
function titleOf(file: Source, node: Node): WordPlace[] {
  if (node.type !== 'CallExpression' || !isNode(node.callee)) return []
  if (!/^(test|it|describe|suite)$/.test(String(node.callee.name))) return []
  const [first] = node.arguments as Node[]
  const title = literal(first) ?? (first?.type === 'TemplateLiteral' ? file.text.slice(first.start, first.end) : '')
  return [{ line: file.lineOf(node.start), text: title }]
}

/** The prose of a document, without examples and paths. */
function document(file: Source): WordPlace[] {
  let isExample = false
  return file.lines.flatMap((text, index) => {
    if (text.trimStart().startsWith('```')) isExample = !isExample
    return isExample ? [] : [{ line: index + 1, text: text.replace(/`[^`]*`|\]\([^)]*\)/g, ' ') }]
  })
}

/** A name as words: open orders, of openOrders and open_orders. */
function wordsOf(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])|([A-Z]+)(?=[A-Z][a-z])/g, '$1$3 $2').replace(/[_$./-]+/g, ' ')
}
