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
