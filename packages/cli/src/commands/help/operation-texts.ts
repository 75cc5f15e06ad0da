/** The help of commands that are operations: the texts of the contract in the words of the command line. */
import type { Endpoint } from '@bourse/api/kit/endpoint.ts'
import { fieldsOf } from '../../input/fields.ts'

/** The command of an operation by its name, such as `bourse orders estimate`; undefined for one that is no command. */
export type CommandOf = (operation: string) => string | undefined

/** The line of a command in lists: its title as a sentence. */
export function titleText({ summary }: Pick<Endpoint, 'summary'>): string {
  return `${summary}.`
}

/** What only callers of HTTP need to know. */
const aboutHttp = new RegExp(
  [
    /`null`|Unix seconds|server-sent|header|`Accept|Emits `|Also at `/,
    /\b(?:40\d|410|422|503)\b(?! days)|\b(?:GET|PUT|POST)\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
)

/**
 * The description of an operation in the words of the command line: commands for operations, flags for fields, without
 * lists, tables and what only callers of HTTP need to know. May be empty.
 */
export function describeOperation(endpoint: Endpoint, commandOf: CommandOf): string {
  const flags = new Map(fieldsOf(endpoint.body ?? endpoint.query).map(({ name, flag }) => [name, flag]))
  const typed = (whole: string, word: string) => {
    const command = commandOf(word)
    if (command !== undefined) return `\`${command}\``
    const flag = flags.get(word)
    return flag === undefined ? whole.replaceAll('`', '') : `--${flag}`
  }
  const paragraphs = endpoint.description.split('\n\n').filter((text) => !/^[|-]/.test(text))
  const kept = paragraphs.map((text) =>
    text
      .replaceAll(/\s+/g, ' ')
      .split(/(?<=\.) (?=[A-Z`\d])/)
      .filter((sentence) => !aboutHttp.test(sentence))
      .join(' ')
      .replaceAll(/`([^`]+)`/g, typed),
  )
  return kept.filter(Boolean).join('\n\n')
}

/** The first sentence of a text. */
export function firstSentence(text: string): string {
  return text.split(/(?<=\.)\s/)[0] ?? text
}
