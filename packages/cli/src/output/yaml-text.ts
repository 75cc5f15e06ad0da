/** Writes values as YAML, with the exact values of the API. Loaded only where YAML is asked for. */
import { Document, visit } from 'yaml'

/** Characters that a terminal hides or acts on, besides line breaks. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/**
 * Formats a value as one document. Texts that YAML 1.1 or 1.2 would read as another type are quoted. Invisible
 * characters are written as escapes, unless `isRaw`.
 */
export function yamlOf(value: unknown, { isRaw }: { readonly isRaw: boolean }): string {
  const document = new Document(value, { compat: 'yaml-1.1', aliasDuplicateObjects: false })
  if (isRaw) return document.toString({ lineWidth: 0 }).trimEnd()
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && hasHidden(node.value)) node.type = 'QUOTE_DOUBLE'
    },
  })
  const text = document.toString({ lineWidth: 0 }).trimEnd()
  return text.replaceAll(hidden, (found) => (found === '\n' ? found : escaped(found)))
}

function hasHidden(text: string): boolean {
  return text.replaceAll('\n', '').search(hidden) >= 0
}

function escaped(character: string): string {
  return `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`
}
