/**
 * Splits SQL into statements, and each statement into words, as far as rules about migrations need it: comments,
 * strings, quoted names and dollar quotes are recognised. Bodies written with `begin atomic` are not.
 */

/** One statement of a text. */
export type SqlStatement = {
  /** Without the comments before it and without the semicolon. */
  readonly text: string
  /**
   * Lower-case words and punctuation, each followed by one space. Names have no quotes, and a string is `''`. So a
   * pattern matches words only.
   */
  readonly words: string
  /** The line comments before and in the statement, without their dashes. */
  readonly comments: readonly string[]
  /** The line of its first word, from 1. */
  readonly line: number
}

const token = new RegExp(
  [
    String.raw`(?<space>\s+)`,
    String.raw`--(?<comment>[^\n]*)`,
    String.raw`(?<block>/\*)`,
    `(?<string>[ebxn]?'(?:[^']|'')*')`,
    `"(?<name>(?:[^"]|"")*)"`,
    String.raw`(?<quote>\$(?:[a-z_]\w*)?\$)`,
    String.raw`(?<word>[a-z_][\w$]*|\d[\w.]*|::|\S)`,
  ].join('|'),
  'giy',
)

/** The statements of a text, in order. Throws an Error for a quote or a comment without an end. */
export function splitStatements(sql: string): SqlStatement[] {
  const statements: SqlStatement[] = []
  let words: string[] = []
  let comments: string[] = []
  let start = 0
  let at = 0
  const end = () => {
    if (words.length > 0) {
      const text = sql.slice(start, at).trim()
      statements.push({ text, words: words.map((word) => `${word} `).join(''), comments, line: lineAt(sql, start) })
      comments = []
    }
    words = []
  }
  while (at < sql.length) {
    token.lastIndex = at
    const { space, comment, block, string, name, quote, word } = token.exec(sql)?.groups ?? {}
    const next = block ? endOfBlock(sql, at) : quote ? endOfQuote(sql, at, quote) : token.lastIndex
    if (string === undefined && word === "'") throw new Error(`line ${lineAt(sql, at)}: a string has no end`)
    if (comment !== undefined) comments.push(comment.trim())
    else if (word === ';') end()
    else if (space === undefined && block === undefined) {
      if (words.length === 0) start = at
      words.push(string !== undefined || quote !== undefined ? "''" : (name ?? (word as string).toLowerCase()))
    }
    at = next
  }
  end()
  return statements
}

/** The line of an offset, from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** Comments in block form can be nested. */
function endOfBlock(sql: string, start: number): number {
  let depth = 0
  for (const { 0: mark, index } of sql.slice(start).matchAll(/\/\*|\*\//g)) {
    depth += mark === '/*' ? 1 : -1
    if (depth === 0) return start + index + 2
  }
  throw new Error(`line ${lineAt(sql, start)}: a comment has no end`)
}

function endOfQuote(sql: string, start: number, quote: string): number {
  const end = sql.indexOf(quote, start + quote.length)
  if (end < 0) throw new Error(`line ${lineAt(sql, start)}: a string has no end`)
  return end + quote.length
}
