/** The text of a console as it grows: harmless, and never longer than a page can bear. Pure. */
import { type ConsoleText, createConsoleText } from '@bourse/text/plain-text.ts'

/** The most characters that are kept; the beginning goes first, at the end of a line. */
export const keptMax = 400_000

/** A console that grows. */
export type GrowingText = {
  readonly text: string
  /** Characters that are gone from the beginning. */
  readonly dropped: number
}

/** An empty console. */
export const nothingYet: GrowingText = { text: '', dropped: 0 }

/** The console with more text at its end. */
export function grown({ text, dropped }: GrowingText, more: string, most = keptMax): GrowingText {
  const all = text + more
  if (all.length <= most) return { text: all, dropped }
  // Half is dropped at a time, so that a chatty console does not copy all of it for each line.
  const from = all.length - Math.floor(most / 2)
  const line = all.indexOf('\n', from)
  const cut = line === -1 ? from : line + 1
  return { text: all.slice(cut), dropped: dropped + cut }
}

/** How many lines are shown. The beginning of a line counts, and the end of the last one is no line. */
export function lineCount({ text }: Pick<GrowingText, 'text'>): number {
  const ends = text.split('\n').length - 1
  return text === '' || text.endsWith('\n') ? ends : ends + 1
}

/** Turns chunks, base64 of bytes that may be cut within a character or an escape sequence, into visible text. */
export function openReader(): { read(data: string): string; end(): string } {
  const console: ConsoleText = createConsoleText()
  return {
    read: (data) => console.write(Uint8Array.from(atob(data), (character) => character.charCodeAt(0))),
    end: () => console.end(),
  }
}
