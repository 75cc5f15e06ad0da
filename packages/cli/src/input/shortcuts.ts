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

/** The words with the verb that is at a place spelled out. */
export function spelledOut(words: readonly string[], at: number): readonly string[] {
  const word = words[at] ?? ''
  return Object.hasOwn(shortcuts, word) ? words.toSpliced(at, 1, ...(shortcuts[word] as readonly string[])) : words
}
