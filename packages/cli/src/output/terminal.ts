/** Where output goes: data to standard output, everything else to standard error. */
import { createInterface } from 'node:readline/promises'
import pc from 'picocolors'

export type Terminal = {
  /** A line of data. */
  data(text: string): void
  /** Data as they are, without an end of line. */
  raw(bytes: Uint8Array): void
  /** A line for people. */
  note(text: string): void
  /** A line that the next one takes the place of; absent where nobody watches. */
  progress?(text: string): void
  /** Asks yes or no; undefined where nobody is there to be asked. */
  ask(question: string): Promise<boolean | undefined>
  /** Columns of the terminal that shows the data; undefined where none does. */
  readonly width: number | undefined
  readonly dim: (text: string) => string
  readonly red: (text: string) => string
  /** Colours of data: what is wished for, and what is offered. */
  readonly wish: (text: string) => string
  readonly offer: (text: string) => string
}

/** The terminal of this process. Colours go by NO_COLOR, FORCE_COLOR, --no-color and what each stream is. */
export function openTerminal(): Terminal {
  const { stdin, stdout, stderr } = process
  // A reader that went away (`| head`) wants no more: there is nobody left to tell.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(0)
  })
  // Nor does a reader of messages who went away end a server that runs.
  stderr.on('error', () => {})
  const forced = pc.isColorSupported && Boolean(process.env.FORCE_COLOR)
  const shades = (stream: NodeJS.WriteStream) => pc.createColors(forced || (pc.isColorSupported && stream.isTTY))
  return {
    data: (text) => void stdout.write(`${text}\n`),
    raw: (bytes) => void stdout.write(bytes),
    note: (text) => void stderr.write(`${text}\n`),
    ...(stderr.isTTY ? { progress: (text: string) => void stderr.write(`\r${text}\x1b[K`) } : {}),
    ask: async (question) => {
      if (!stdin.isTTY || !stderr.isTTY || process.env.CI) return undefined
      const asked = createInterface({ input: stdin, output: stderr })
      try {
        return /^y(es)?$/i.test((await asked.question(`${question} [y/N] `)).trim())
      } finally {
        asked.close()
      }
    },
    width: stdout.isTTY ? stdout.columns : undefined,
    dim: shades(stdout).dim,
    red: shades(stderr).red,
    wish: shades(stdout).green,
    offer: shades(stdout).red,
  }
}
