import { every, monotonicMilliseconds, wallMilliseconds } from '../../core/base/clock.ts'
import type { Database, Db } from '../../core/db/db.ts'
import type { RememberedValue } from '../../core/db/history.ts'
import { bumpVersion } from '../../core/db/snapshot-reader.ts'
import { type CursorKeys, type CursorRoot, createCursorKeys } from '../../core/keys/keys.ts'
import {
  insertCursorGeneration,
  insertCursorKey,
  insertNextCursorKey,
  listCursorKeys,
  markUsed,
} from './cursor-keys.store.ts'

/** The name of the version that rises with each change of the cursor keys. */
export const cursorKeysVersion = 'cursor_keys'

type LoadedVersion = { value: number | undefined }
type Loaded = {
  readonly keys: CursorKeys
  /** The roots from which the keys were derived. */
  readonly roots: readonly CursorRoot[]
  readonly version: number
  readonly at: number
}
/** The cursor keys of one server, which are read again when their version has changed. */
export type Keyring = {
  readonly database: Database
  /** The present roots: a rotation adds one while the server runs. */
  readonly roots: () => readonly CursorRoot[]
  loaded: Loaded
  /** The version of the loaded keys; undefined if they were loaded in another history of the database. */
  readonly version: RememberedValue<LoadedVersion>
  loading: Promise<Loaded> | undefined
}

const freshMilliseconds = 1_000
/** So long before its use a key of a new root is in the database, so that all replicas know it. They have the root. */
const aheadSeconds = 5
/** So long after it a replica goes on to look whether it has that key. */
const settledSeconds = 60

declare module '../../core/work/services.ts' {
  interface Services {
    readonly cursor_keys: Keyring
  }
}

/** Reads the cursor keys at start. Inserts a key first if a root is new. */
export async function openCursorKeys(database: Database, roots: () => readonly CursorRoot[]): Promise<Keyring> {
  const version = database.history.remember(() => ({ value: undefined }) as LoadedVersion)
  const { current } = version
  const loaded = await load(database, roots())
  current.value = loaded.version
  return { database, roots, loaded, version, loading: undefined }
}

/**
 * The cursor keys as last read. If the last read was more than a second ago, starts another in the background, because
 * another replica may have begun a generation.
 */
export function currentCursorKeys(keyring: Keyring): CursorKeys {
  if (monotonicMilliseconds() - keyring.loaded.at > freshMilliseconds) reload(keyring).catch(() => {})
  return keyring.loaded.keys
}

/**
 * Reads the keys again where the files have other roots, and while a new root is about to be used: this server knows
 * its key before others use it.
 */
export function keepCursorKeys(keyring: Keyring): () => void {
  return every(1_000, () => {
    const now = Math.floor(wallMilliseconds() / 1000)
    const roots = keyring.roots()
    const isNew = roots !== keyring.loaded.roots
    if (isNew || roots.some(({ from = 0 }) => from > now - settledSeconds)) currentCursorKeys(keyring)
  })
}

/** The cursor keys of a version, or of a later one. */
export async function cursorKeysAt(
  keyring: Keyring,
  version: number,
): Promise<{ readonly keys: CursorKeys; readonly version: number }> {
  if ((keyring.version.current.value ?? -1) >= version) return keyring.loaded
  const loaded = await reload(keyring)
  // A read that was already running may have begun before the change.
  return loaded.version >= version ? loaded : await reload(keyring)
}

/** Begins a generation: older event cursors become 410. Runs in the transaction that invalidates them. */
export async function beginCursorGeneration(db: Db, now: number): Promise<void> {
  await Promise.all([insertCursorGeneration(db, now), bumpVersion(db, cursorKeysVersion)])
}

/**
 * Begins to seal cursors under a key of its own in a new history of the database, so that they can be told from cursors
 * of earlier ones. Runs in the transaction that records the history. Without `keyring`, the process is starting.
 */
export async function beginCursorHistory(db: Db, keyring: Keyring | undefined): Promise<void> {
  const now = Math.floor(wallMilliseconds() / 1000)
  // Above the keys of the lost commits too, whose cursors must not pass for cursors of the new key.
  const known = keyring?.loaded.keys.current.key_id ?? 0
  await Promise.all([insertNextCursorKey(db, now, known), bumpVersion(db, cursorKeysVersion)])
}

async function load(database: Database, roots: readonly CursorRoot[]): Promise<Loaded> {
  const { rows, version } = await readKeys(database, roots)
  return { keys: createCursorKeys(roots, rows), roots, version, at: monotonicMilliseconds() }
}

/** Reads the keys. Inserts one first where a root is to be used that has none yet. */
async function readKeys({ reader: db }: Database, roots: readonly CursorRoot[]) {
  const found = await listCursorKeys(db)
  const now = Math.floor(wallMilliseconds() / 1000)
  const newest = roots.findLast(({ from = 0 }) => from - aheadSeconds <= now)?.first_key_id ?? 0
  if (!found.rows.some(({ key_id, ended }) => !ended && key_id >= newest)) {
    await insertCursorKey(db, newest, now)
    await bumpVersion(db, cursorKeysVersion)
    return await listCursorKeys(db)
  }
  // Caches keep a key for as long as the version is the same: the first server in whose time a root is used raises it.
  const begun = roots.findLast(({ from = 0 }) => from <= now && from > now - settledSeconds)
  if (begun?.from === undefined || (await markUsed(db, begun.first_key_id, begun.from)) === 0) return found
  await bumpVersion(db, cursorKeysVersion)
  return await listCursorKeys(db)
}

function reload(keyring: Keyring): Promise<Loaded> {
  keyring.loading ??= renew(keyring).finally(() => {
    keyring.loading = undefined
  })
  return keyring.loading
}

async function renew(keyring: Keyring): Promise<Loaded> {
  const before = keyring.loaded
  const { current } = keyring.version
  const roots = keyring.roots()
  // Where the file came late, keys of a new root were derived from the one before it.
  if (roots.some((root) => isUnknown(before, root) && before.keys.newest_key_id >= root.first_key_id))
    await bumpVersion(keyring.database.reader, cursorKeysVersion)
  const fresh = await load(keyring.database, roots)
  // Unchanged keys stay one object, because values derived from them are cached by identity.
  keyring.loaded = fresh.version === current.value ? { ...before, roots, at: fresh.at } : fresh
  current.value = fresh.version
  return keyring.loaded
}

function isUnknown({ roots }: Loaded, { first_key_id }: CursorRoot): boolean {
  return !roots.some((root) => root.first_key_id === first_key_id)
}
