/** A plugin of StrykerJS that leaves out sentences. What is said to people is read, and changed, by people. */

/** The parts of a path in Babel's tree of a source file that are used. */
type Path = {
  readonly node: { readonly value?: unknown; readonly quasis?: readonly { readonly value: { readonly raw: string } }[] }
  isStringLiteral(): boolean
  isTemplateLiteral(): boolean
}

export const strykerPlugins = [{ kind: 'Ignore', name: 'texts', value: { shouldIgnore } }]

function shouldIgnore(path: Path): string | undefined {
  const { value, quasis = [] } = path.node
  const texts = path.isStringLiteral()
    ? [String(value)]
    : path.isTemplateLiteral()
      ? quasis.map((one) => one.value.raw)
      : []
  return texts.some((text) => /\s/.test(text)) ? 'a sentence' : undefined
}
