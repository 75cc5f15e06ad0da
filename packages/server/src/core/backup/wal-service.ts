/**
 * Gives a recovering PostgreSQL the files of the archive. Its restore_command is a script that asks this process by an
 * empty file and waits for the answer. So the user that runs PostgreSQL needs neither this program nor the credentials
 * of the archive, and an archive that fails is no end of the log: it stops the recovery.
 */
import { chown, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pause } from '@bourse/text/time/pause.ts'
import type { PostgresUser } from '../postgres/postgres-place.ts'
import type { BackupStore } from './backup-store.ts'
import { readArchived } from './wal-archive.ts'

type WalRequests = {
  readonly store: BackupStore
  readonly system_identifier: string
  /** The directory of requests and answers: `wal`, beside that of the cluster. The user of PostgreSQL can write it. */
  readonly directory: string
  readonly user: PostgresUser | undefined
}

/** The answers to one recovery. */
type WalService = {
  readonly restore_command: string
  /** Ends the service; throws why the archive could not be read, if that happened. */
  stop(): Promise<void>
}

const pollMilliseconds = 10
const asks = '.asked'

// The status 255 stops a recovery. Any other one would say that the log has ended, as if nothing came after.
const script = `#!/bin/sh
# Asks the program that restores (process $3) for a file of the archive. $1: its name, $2: where it goes.
file="../wal/$1"
: > "$file.asked" || exit 255
while :; do
  if [ -e "$file.ready" ]; then mv -f "$file.ready" "$2" && exit 0; exit 255; fi
  if [ -e "$file.missing" ]; then rm -f "$file.missing"; exit 1; fi
  if [ -e "$file.failed" ]; then exit 255; fi
  kill -0 "$3" 2>/dev/null || [ -d "/proc/$3" ] || exit 255
  sleep 0.02
done
`

/** Starts to answer. */
export async function serveWal(requests: WalRequests): Promise<WalService> {
  const { directory, user } = requests
  const path = join(directory, 'fetch.sh')
  await writeFile(path, script, { mode: 0o755 })
  if (user) await chown(path, user.uid, user.gid)
  const end = new AbortController()
  const state: { failure?: unknown } = {}
  const answering = answerAll(requests, end.signal, state)
  return {
    // PostgreSQL runs it in its data directory. The path is relative, because names may have what a shell reads.
    restore_command: `/bin/sh ../wal/fetch.sh "%f" "%p" ${process.pid}`,
    stop: async () => {
      end.abort()
      await answering
      if (state.failure !== undefined) throw state.failure
    },
  }
}

async function answerAll(requests: WalRequests, signal: AbortSignal, state: { failure?: unknown }): Promise<void> {
  while (!signal.aborted) {
    const names = await readdir(requests.directory)
    for (const asked of names.filter((name) => name.endsWith(asks))) {
      try {
        await answer(requests, asked.slice(0, -asks.length))
      } catch (error) {
        state.failure ??= error
        await writeFile(join(requests.directory, `${asked.slice(0, -asks.length)}.failed`), '')
      }
    }
    await pause(pollMilliseconds, signal)
  }
}

async function answer({ store, system_identifier, directory, user }: WalRequests, name: string): Promise<void> {
  const file = join(directory, name)
  await rm(`${file}${asks}`)
  const bytes = await readArchived(store, system_identifier, name)
  if (!bytes) return writeFile(`${file}.missing`, '')
  await writeFile(`${file}.draft`, bytes, { mode: 0o600 })
  if (user) await chown(`${file}.draft`, user.uid, user.gid)
  await rename(`${file}.draft`, `${file}.ready`)
}
