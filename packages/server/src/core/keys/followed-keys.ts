/** The keys of a running server, from files that are followed: a rotation needs no restart. */
import { wallMilliseconds } from '../base/clock.ts'
import { type FileLook, type FollowedFiles, followFiles } from '../base/followed-files.ts'
import type { Log } from '../base/log.ts'
import { isStartProblem } from '../base/start-problem.ts'
import { type KeyPaths, keyVariables, loadKeyContents, readKeyContents } from './key-files.ts'
import { changeProblem } from './key-rotation.rules.ts'
import type { KeyFiles, Keys, MasterKeys, SigningKeys } from './keys.ts'

/** Keys that are those of the files. */
export type FollowedKeys = FollowedFiles & { readonly keys: Keys }

/**
 * Reads the key files and follows them. Throws as `readKeyFiles` does. Files that cannot be used, or lack what is in
 * use, are not taken.
 */
export async function followKeys(
  paths: Partial<KeyPaths>,
  { log, now = wallMilliseconds }: { readonly log: Log; readonly now?: () => number },
): Promise<FollowedKeys> {
  const seconds = () => Math.floor(now() / 1000)
  const read = () => readKeyContents(paths, { production: true })
  let files = await read()
  let present = loadKeyContents(files, seconds)

  const look = async (): Promise<FileLook<KeyFiles>> => {
    try {
      const next = await read()
      if (JSON.stringify(next) === JSON.stringify(files)) return { kind: 'same' }
      loadKeyContents(next, seconds)
      const problem = changeProblem(files, next, seconds())
      return problem
        ? { kind: 'unusable', setting: keyVariables[problem.name], message: problem.message }
        : { kind: 'new', value: next }
    } catch (error) {
      const message = isStartProblem(error)
        ? error.message
        : `It cannot be read (${(error as { code?: string }).code}).`
      const setting = Object.values(keyVariables).find((name) => message.includes(name)) ?? 'keys'
      return { kind: 'unusable', setting, message }
    }
  }
  const take = (next: KeyFiles) => {
    files = next
    present = loadKeyContents(next, seconds)
    const { signing, master } = present
    log.info(
      { signing_key: signing.current.kid, master_keys: master.all.map(({ key_id }) => key_id) },
      'The server uses the keys that the files have now.',
    )
  }
  const followed = followFiles({ log, name: 'key files are', look, take })
  return { ...followed, keys: liveKeys(() => present) }
}

/** Keys that are always the present ones, also where a part of them is kept. */
function liveKeys(present: () => Keys): Keys {
  const signing: SigningKeys = {
    get current() {
      return present().signing.current
    },
    get all() {
      return present().signing.all
    },
    find: (kid) => present().signing.find(kid),
  }
  const master: MasterKeys = {
    get current() {
      return present().master.current
    },
    get all() {
      return present().master.all
    },
    get coming() {
      return present().master.coming
    },
    find: (keyId) => present().master.find(keyId),
  }
  return {
    signing,
    master,
    get cursor_roots() {
      return present().cursor_roots
    },
    // It never changes: requests that are retried are compared by it.
    fingerprint_key: present().fingerprint_key,
  }
}
