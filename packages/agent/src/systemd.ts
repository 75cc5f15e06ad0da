/**
 * Tells systemd how a program of ours is: ready, stopping, alive. Node has no datagram sockets of the file system, so
 * `systemd-notify` sends what has to be said; it is part of systemd, and thus wherever a service manager listens.
 */
import { execFile } from 'node:child_process'
import type { Environment } from '@bourse/text/program.ts'
import { pause } from '@bourse/text/time/pause.ts'

/** What a program says to its service manager. Without one it says nothing. */
type ServiceManager = {
  /** The program does what it is there for. From now on it says that it is alive, if that is watched. */
  ready(): void
  /** The program is about to end. It has to be said once the program is ready: until then, a process stays. */
  stopping(): void
}

/** Names the service manager that has started this program, if one has. `note` prints that it cannot be told. */
export function findServiceManager(
  { NOTIFY_SOCKET: socket, WATCHDOG_USEC, PATH }: Environment,
  note: (text: string) => void,
): ServiceManager {
  if (!socket) return { ready: () => {}, stopping: () => {} }
  // One after the other: each message is a process.
  let last = Promise.resolve()
  let failed = false
  const say = (message: string) => {
    last = last
      .then(() => notify(message, { NOTIFY_SOCKET: socket, PATH }))
      .catch((error: Error) => {
        if (!failed) note(`systemd was not told ${message}: ${error.message.trim()}`)
        failed = true
      })
  }
  const ended = new AbortController()
  const sayAlive = async (microseconds: number) => {
    while (!ended.signal.aborted) {
      say('WATCHDOG=1')
      // Half of the limit, as sd_watchdog_enabled(3) recommends.
      await pause(microseconds / 2_000, ended.signal)
    }
  }
  return {
    ready: () => {
      say('READY=1')
      if (Number(WATCHDOG_USEC) > 0) void sayAlive(Number(WATCHDOG_USEC))
    },
    stopping: () => {
      if (ended.signal.aborted) return
      ended.abort()
      say('STOPPING=1')
    },
  }
}

function notify(message: string, env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile('systemd-notify', [message], { env, timeout: 10_000 }, (error) => (error ? reject(error) : resolve()))
  })
}
