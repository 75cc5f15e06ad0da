/** Verbs that people try first, as the commands that they mean. */

/** The first word of a command line, and the words that it stands for. */
export const shortcuts: Readonly<Record<string, readonly string[]>> = {
  buy: ['orders', 'buy'],
  sell: ['orders', 'sell'],
  cancel: ['orders', 'cancel'],
  prices: ['book', 'prices'],
  logs: ['instances', 'logs'],
  replace: ['instances', 'replace'],
  terminate: ['instances', 'terminate'],
  tail: ['events', 'tail'],
  balance: ['billing', 'balance'],
}

/** The options of the program that are followed by a value. */
const withValue = new Set(['-o', '--output', '--columns', '--base-url', '--profile', '--env-file'])

/** The words of a command line that are neither options nor their values, with their places. */
export function namesIn(words: readonly string[]): { readonly word: string; readonly at: number }[] {
  return words.flatMap((word, at) => (word.startsWith('-') || withValue.has(words[at - 1] ?? '') ? [] : [{ word, at }]))
}

/** The words of a command line with its verb spelled out, also after `help`: `logs web-1` is `instances logs web-1`. */
export function withVerbSpelledOut(words: readonly string[]): readonly string[] {
  const [first, second] = namesIn(words)
  const verb = first?.word === 'help' ? second : first
  const meant = verb && Object.hasOwn(shortcuts, verb.word) ? shortcuts[verb.word] : undefined
  return verb && meant ? words.toSpliced(verb.at, 1, ...meant) : words
}
