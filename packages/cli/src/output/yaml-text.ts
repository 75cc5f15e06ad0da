/** Writes values as YAML, with the exact values of the API. Loaded only where YAML is asked for. */
import { Document, visit } from 'yaml'

/** Characters that a terminal hides or acts on, besides line breaks. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/**
 * Formats a value as one document. Texts that YAML 1.1 or 1.2 would read as another type are quoted. Invisible
 * characters are written as escapes, unless `isRaw`. The last line break is left to whoever prints it.
 */
export function yamlOf(value: unknown, { isRaw }: { readonly isRaw: boolean }): string {
  const document = new Document(value, { compat: 'yaml-1.1', aliasDuplicateObjects: false })
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value !== 'string') return
      if (isBlankLines(node.value) || (!isRaw && hasHidden(node.value))) node.type = 'QUOTE_DOUBLE'
    },
  })
  if (isRaw) return textOf(document)
  return textOf(document).replaceAll(hidden, (found) => (found === '\n' ? found : escaped(found)))
}

/** Takes one line break off, and no blanks: texts end with blanks that YAML does not quote, such as U+00A0. */
function textOf(document: Document): string {
  return document.toString({ lineWidth: 0 }).replace(/\n$/, '')
}

/** Whether a text is nothing but blanks and line breaks. In a block of lines its indentation could not be told. */
function isBlankLines(text: string): boolean {
  return text.includes('\n') && text.trim() === ''
}

function hasHidden(text: string): boolean {
  return text.replaceAll('\n', '').search(hidden) >= 0
}

function escaped(character: string): string {
  return `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`
}
