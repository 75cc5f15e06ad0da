/** The width of text in columns of a terminal: wide characters take two, combining ones none. */
import stringWidth from 'string-width'

const plain = /^[\x20-\x7e]*$/
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The number of columns of a text. */
export function widthOf(text: string): number {
  return plain.test(text) ? text.length : stringWidth(text)
}

/** Fills a text with spaces up to a width, on its right or on its left. */
export function padded(text: string, width: number, side: 'left' | 'right'): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)))
  return side === 'left' ? text + space : space + text
}

/** Cuts a text that is wider, and ends it with `…`. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let kept = ''
  let room = width - 1
  for (const { segment } of graphemes.segment(text)) {
    room -= widthOf(segment)
    if (room < 0) break
    kept += segment
  }
  return `${kept}…`
}
