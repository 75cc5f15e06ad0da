/** The output streams: data goes to standard output, everything else to standard error. */
import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import pc from 'picocolors'
import { type InputOptions, readText } from './standard-input.ts'

export type Terminal = {
  /** Prints a line of data. */
  data(text: string): void
  /** Prints data without an end of line. */
  raw(bytes: Uint8Array): void
  /** Prints a message. */
  note(text: string): void
  /** Prints a line that the next one replaces; absent where standard error is not a terminal. */
  progress?(text: string): void
  /** Asks for confirmation; returns undefined where the input is not a terminal. */
  ask(question: string): Promise<boolean | undefined>
  /** Asks for a line of text, which is not shown if it is secret; undefined where the input is not a terminal. */
  prompt?(question: string, options?: { readonly isSecret?: boolean }): Promise<string | undefined>
  /** Reads the standard input; undefined where it is a terminal, or where nothing arrives and it is not waited for. */
  input?(options?: InputOptions): Promise<string | undefined>
  /** The columns of the terminal; undefined where standard output is not one. */
  readonly width: number | undefined
  readonly dim: (text: string) => string
  readonly red: (text: string) => string
  /** The colours of bids and asks. */
  readonly bidColour: (text: string) => string
  readonly askColour: (text: string) => string
}

/** The terminal of this process. Colours depend on NO_COLOR, FORCE_COLOR, --no-color and on the kind of each stream. */
export function openTerminal(): Terminal {
  const { stdin, stdout, stderr } = process
  // A closed reader (`| head`) ends the program without an error.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(0)
  })
  // A closed reader of messages must not end a running server.
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
    prompt: promptOn(process),
    input: async (options = {}) => (stdin.isTTY ? undefined : readText(stdin, options)),
    width: stdout.isTTY ? stdout.columns : undefined,
    dim: shades(stdout).dim,
    red: shades(stderr).red,
    bidColour: shades(stdout).green,
    askColour: shades(stdout).red,
  }
}

function promptOn({ stdin, stderr }: Pick<NodeJS.Process, 'stdin' | 'stderr'>): NonNullable<Terminal['prompt']> {
  return async (question, { isSecret = false } = {}) => {
    if (!stdin.isTTY || !stderr.isTTY || process.env.CI) return undefined
    // What is typed is shown by the output of the interface, which a secret has none of.
    const hidden = new Writable({ write: (_, __, done) => done() })
    const asked = createInterface({ input: stdin, output: isSecret ? hidden : stderr, terminal: true })
    // From here on the terminal itself shows nothing that is typed.
    if (isSecret) stderr.write(question)
    try {
      // Ctrl-C and Ctrl-D end the interface without an answer.
      const ended = once(asked, 'close').then(() => undefined)
      return await Promise.race([asked.question(isSecret ? '' : question), ended])
    } finally {
      asked.close()
      if (isSecret) stderr.write('\n')
    }
  }
}
