/**
 * Text that others control, such as names, tags, messages and consoles, made harmless for a terminal. Escape sequences
 * move the cursor, change titles or answer into the shell, and invisible characters make one text look like another.
 */

/**
 * The inside of a class of a pattern with the flag `u`: control, format (bidirectional, zero width) and line
 * separators, and whatever is shown as nothing.
 */
export const hiddenClass = '\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}'
const hidden = new RegExp(`[${hiddenClass}]`, 'gu')
const [esc, bell, csi] = [27, 7, 155].map((code) => String.fromCharCode(code))
const parameters = '[0-?]*[ -/]*'
/** A string up to its end, such as the title of a window. */
const string = `[\\]PX^_][^${bell}${esc}]*`
/** The escape sequences of ECMA-48: with parameters, with a string, and short ones. */
const sequence = new RegExp(
  [
    `(?:${esc}\\[|${csi})${parameters}[@-~]`,
    `${esc}${string}(?:${bell}|${esc}\\\\)`,
    `${esc}[ -/]*[0-OQ-WYZ\\\\\`-~]`,
  ].join('|'),
  'gu',
)
/** A sequence that the text ends within. */
const open = new RegExp(`(?:${esc}\\[${parameters}|${csi}${parameters}|${esc}${string}${esc}?|${esc}[ -/]*)$`, 'u')
/** The longest part of an escape sequence that waits for its end in the next piece of a console. */
const heldMax = 256

/** Replaces every character that is not visible, except for spaces. */
export function printable(text: string): string {
  return text.replaceAll(hidden, '\ufffd')
}

/** Writes the invisible characters of JSON as escapes, which have the same value. Keeps its line breaks. */
export function visibleJson(json: string): string {
  return json.replaceAll(hidden, (found) => (found === '\n' ? found : escapes(found)))
}

/** Turns the bytes of a console into lines of visible text, piece by piece. */
export type ConsoleText = {
  /** The text of the next bytes. The beginning of a sequence or of a character waits for its rest. */
  write(bytes: Uint8Array): string
  /** What waited for its rest. */
  end(): string
}

/** Begins a console. Sequences are removed, other invisible characters replaced, and `\r` begins a line. */
export function createConsoleText(): ConsoleText {
  const decoder = new TextDecoder()
  let held = ''
  return {
    write: (bytes) => {
      const text = held + decoder.decode(bytes, { stream: true })
      const cut = beginningOfRest(text)
      held = text.slice(cut)
      return visibleLines(text.slice(0, cut))
    },
    end: () => visibleLines(held + decoder.decode()),
  }
}

function beginningOfRest(text: string): number {
  if (text.endsWith('\r')) return text.length - 1
  const at = open.exec(text)?.index ?? text.length
  return text.length - at < heldMax ? at : text.length
}

function visibleLines(text: string): string {
  const lines = text.replaceAll(sequence, '').replaceAll(/\r\n?/g, '\n')
  return lines.replaceAll(hidden, (found) => (found === '\n' || found === '\t' ? found : '\ufffd'))
}

function escapes(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
