/**
 * Files that a server looks at again and again, and takes when they can be used. What is compared is their contents: a
 * file may be replaced by a rename, and behind a link, which no watch of the operating system reports in all cases.
 */
import { every } from './clock.ts'
import type { Log } from './log.ts'

/** What a look found: nothing new, something that can be used, or why it cannot be used. */
export type FileLook<T> =
  | { readonly kind: 'same' }
  | { readonly kind: 'new'; readonly value: T }
  | { readonly kind: 'unusable'; readonly setting: string; readonly message: string }

/** Why files are not taken, and the setting that names the one that is wrong. */
type FileProblem = { readonly setting: string; readonly message: string }

/** Files that are followed. */
export type FollowedFiles = {
  /** Why the files are not taken; undefined where they are those in use. */
  problem(): FileProblem | undefined
  /** Looks at the files now. */
  look(): Promise<void>
  stop(): void
}

type Following<T> = {
  readonly log: Log
  /** What the files are, for the line of the log that says that they are not taken. */
  readonly name: string
  look(): Promise<FileLook<T>>
  take(value: T): void
}

const everyMilliseconds = 5_000

/** Follows files, every five seconds, until it is stopped. */
export function followFiles<T>({ log, name, look, take }: Following<T>): FollowedFiles {
  let problem: FileProblem | undefined
  let suspected: string | undefined

  /** Several files cannot be replaced at once, so what is wrong is reported where it is at the next look too. */
  function refuse({ setting, message }: FileProblem): void {
    const described = `${setting}: ${message}`
    if (described === suspected && problem?.message !== message) {
      problem = { setting, message }
      log.error({ setting }, `The new ${name} not taken. ${described} The former one stays in use.`)
    }
    suspected = described
  }

  const lookAndTake = async () => {
    const found = await look()
    if (found.kind === 'unusable') return refuse(found)
    problem = undefined
    suspected = undefined
    if (found.kind === 'new') take(found.value)
  }
  let running: Promise<void> | undefined
  const lookOnce = () => {
    running ??= lookAndTake().finally(() => {
      running = undefined
    })
    return running
  }
  const stop = every(everyMilliseconds, () => void lookOnce())
  return { problem: () => problem, look: lookOnce, stop }
}
