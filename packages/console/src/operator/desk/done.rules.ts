/** What somebody did, from the name of an operation: `created grant`, `set credit limit of`. Pure. */

/** Verbs of operations that do not follow the rule. */
const irregular: Readonly<Record<string, string>> = {
  cancel: 'cancelled',
  enrol: 'enrolled',
  freeze: 'froze',
  put: 'set',
  reset: 'reset',
  set: 'set',
  unfreeze: 'unfroze',
}

/** What an operation was about: the thing of its kind, else the first one. */
export function mainOf<T extends { readonly type: string }>(operation: string, things: readonly T[]): T | undefined {
  return things.find(({ type }) => operation.endsWith(`_${type}`)) ?? things[0]
}

/** The words before what it was done to; without a kind, all words. */
export function doneText(operation: string, kind?: string): string {
  const [verb = '', ...words] = operation.split('_')
  const past = irregular[verb] ?? (verb.endsWith('e') ? `${verb}d` : `${verb}ed`)
  const noun = words.join(' ')
  if (kind === undefined) return `${past} ${noun}`.trim()
  const own = kind.replaceAll('_', ' ')
  if (noun === own || noun.endsWith(` ${own}`)) return `${past} ${noun}`
  const part = noun.startsWith(`${own} `) ? noun.slice(own.length + 1) : noun
  return part === '' ? past : `${past} ${part} of`
}
