import { monotonicMilliseconds, wallMilliseconds } from '../core/base/clock.ts'
import type { Database, Db } from '../core/db/db.ts'
import { bumpVersion } from '../core/db/snapshot-reader.ts'
import { type CursorKeys, type CursorRoot, createCursorKeys } from '../core/keys/keys.ts'
import { insertCursorGeneration, insertCursorKey, listCursorKeys } from './cursor-keys.store.ts'

/** The name of the version that rises with each change of the cursor keys. */
export const cursorKeysVersion = 'cursor_keys'

type Loaded = { readonly keys: CursorKeys; readonly version: number; readonly at: number }
/** The cursor keys of one server, which are read again when their version has changed. */
export type Keyring = {
  readonly database: Database
  readonly roots: readonly CursorRoot[]
  loaded: Loaded
  loading: Promise<Loaded> | undefined
}

const freshMilliseconds = 1_000

declare module '../core/work/services.ts' {
  interface Services {
    readonly cursor_keys: Keyring
  }
}

/** Reads the cursor keys at start. Inserts a key first if a root is new. */
export async function openCursorKeys(database: Database, roots: readonly CursorRoot[]): Promise<Keyring> {
  const { rows } = await listCursorKeys(database.reader)
  const newest = roots.at(-1)?.first_key_id ?? 0
  if (!rows.some(({ key_id, ended }) => !ended && key_id >= newest)) {
    await insertCursorKey(database.reader, newest, Math.floor(wallMilliseconds() / 1000))
    await bumpVersion(database.reader, cursorKeysVersion)
  }
  return { database, roots, loaded: await load(database, roots), loading: undefined }
}

/**
 * The cursor keys as last read. If the last read was more than a second ago, starts another in the background, because
 * another replica may have begun a generation.
 */
export function currentCursorKeys(keyring: Keyring): CursorKeys {
  if (monotonicMilliseconds() - keyring.loaded.at > freshMilliseconds) reload(keyring).catch(() => {})
  return keyring.loaded.keys
}

/** The cursor keys of a version, or of a later one. */
export async function cursorKeysAt(
  keyring: Keyring,
  version: number,
): Promise<{ readonly keys: CursorKeys; readonly version: number }> {
  if (keyring.loaded.version >= version) return keyring.loaded
  const loaded = await reload(keyring)
  // A read that was already running may have begun before the change.
  return loaded.version >= version ? loaded : await reload(keyring)
}

/** Begins a generation: older event cursors become 410. Runs in the transaction that invalidates them. */
export async function beginCursorGeneration(db: Db, now: number): Promise<void> {
  await Promise.all([insertCursorGeneration(db, now), bumpVersion(db, cursorKeysVersion)])
}

async function load(database: Database, roots: readonly CursorRoot[]): Promise<Loaded> {
  const { rows, version } = await listCursorKeys(database.reader)
  return { keys: createCursorKeys(roots, rows), version, at: monotonicMilliseconds() }
}

function reload(keyring: Keyring): Promise<Loaded> {
  keyring.loading ??= renew(keyring).finally(() => {
    keyring.loading = undefined
  })
  return keyring.loading
}

async function renew(keyring: Keyring): Promise<Loaded> {
  const before = keyring.loaded
  const fresh = await load(keyring.database, keyring.roots)
  // Unchanged keys stay one object, because values derived from them are cached by identity.
  keyring.loaded = fresh.version === before.version ? { ...before, at: fresh.at } : fresh
  return keyring.loaded
}
