/**
 * Text as a part of a command line for a POSIX shell that a person copies into a terminal. The terminal acts on control
 * characters before the shell reads them: Ctrl-C leaves a quoted text, and what follows is run. Characters that hide or
 * reorder others let a person see another command than the one that is copied. Pure.
 */
import { base64Of } from './base64.ts'
import { hiddenClass } from './plain-text.ts'

const quote = "'"
/** What a terminal acts on or does not show, without tabs and line feeds. */
const unshown = `(?![\\t\\n])[${hiddenClass}]`
const acted = new RegExp(unshown, 'u')
const special = new RegExp(`'|${unshown}`, 'gu')
const lineMax = 76

/** Quotes a text. The shell reads exactly this text; only a NUL is left out, since no argument can contain one. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll(special, spelled)}'`
}

/** A word, quoted only where it has to be. zsh takes a word that begins with `=` for the path of a program. */
export function shellWord(text: string): string {
  return /^(?!=)[\w./:@%+,=-]+$/.test(text) ? text : singleQuoted(text)
}

function spelled(character: string): string {
  if (character === quote) return `'\\''`
  if (character === '\0') return ''
  const bytes = Array.from(new TextEncoder().encode(character), (byte) => `\\${byte.toString(8).padStart(3, '0')}`)
  return `'"$(printf '${bytes.join('')}')"'`
}

/** A command that gets a text on its standard input: as a here-document, which has it in base64 where it must. */
export function withInput(command: string, text: string): string {
  if (text === '') return command
  if (!acted.test(text) && text.endsWith('\n')) return `${command} ${hereDocument(text)}`
  const lines = base64Of(text).match(new RegExp(`.{1,${lineMax}}`, 'g')) ?? []
  const [redirection = '', ...rest] = hereDocument(`${lines.join('\n')}\n`).split('\n')
  return [`base64 -d ${redirection} | ${command}`, ...rest].join('\n')
}

/** A here-document that ends where the text ends. */
function hereDocument(text: string): string {
  let end = 'EOF'
  while (text.split('\n').includes(end)) end += 'F'
  return `<<'${end}'\n${text}${end}`
}
