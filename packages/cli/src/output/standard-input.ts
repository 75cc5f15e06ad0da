/** Reads the standard input of a program that nobody may be writing to. */
import { deadline } from '@bourse/sdk/timing.ts'
import { usageProblem } from './usage.ts'

/** The most characters that are read. */
const inputMax = 65_536
/** How long an input that is not waited for may be silent. Milliseconds. */
const silenceMax = 2_000

/** How the standard input is read. */
export type InputOptions = {
  /** Whether to wait for as long as it takes. Otherwise an input without a byte for two seconds has none. */
  readonly isAwaited?: boolean
}

/**
 * Reads a text to its end, or to an end of line behind which nothing has arrived: whoever writes it may keep it open.
 * Undefined where nothing arrives.
 */
export async function readText(
  input: NodeJS.ReadStream,
  { isAwaited = false }: InputOptions,
  silence = silenceMax,
): Promise<string | undefined> {
  input.setEncoding('utf8')
  let text = ''
  const parts = input[Symbol.asyncIterator]() as AsyncIterator<string>
  try {
    for (;;) {
      const part = await (isAwaited ? parts.next() : within(silence, parts.next()))
      if (part === 'silent' && text === '') return undefined
      if (part === 'silent') throw usageProblem('The standard input broke off.', 'End it with a line, or close it.')
      if (part.done) return text
      text += part.value
      if (text.length > inputMax) throw usageProblem('The standard input is larger than 64 KiB.')
      if (/\S\s*\n$/.test(text)) return text
    }
  } finally {
    input.destroy()
  }
}

/** What a promise gives within a time. */
async function within<T>(milliseconds: number, work: Promise<T>): Promise<T | 'silent'> {
  const limit = deadline(milliseconds)
  const over = new Promise<'silent'>((resolve) => {
    limit.signal.addEventListener('abort', () => resolve('silent'), { once: true })
  })
  try {
    return await Promise.race([work, over])
  } finally {
    limit.release()
  }
}
