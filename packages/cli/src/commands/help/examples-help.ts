/** Formats the examples of a command for its help. */
export function examplesHelp(command: string, examples: readonly string[]): string {
  const lines = examples.map((example) => `  $ bourse ${command} ${example}`.trimEnd())
  return `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${lines.join('\n')}`
}
