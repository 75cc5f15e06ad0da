/** Where versions of the agent lie on a host, and which of them is in use. */
import { readdir, readlink, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfThere, removeAll, syncPath, writeWhole } from '../files.ts'

/** The link to the version that the agent runs, and to that of the updater: the last one that has proven itself. */
type VersionLink = 'current' | 'updater'

/** An update that is under way. It is written before anything is switched, so that an interrupted one can be ended. */
export type UpdateJournal = {
  readonly key: string
  readonly version: string
  readonly from: string
  readonly phase: 'switching' | 'undoing'
  /** How often an updater has taken it up. */
  readonly starts: number
  /** Why it is taken back. */
  readonly reason: string | null
}

/** What an updater remembers from one run to the next. */
type UpdaterState = {
  readonly pinned: boolean
  /** The last update that failed. It is reported until the server has another one. */
  readonly failed: { readonly key: string; readonly reason: string } | null
}

const journalFile = 'update.json'
const stateFile = 'state.json'

/** The folder of a version. */
export function folderOf(root: string, version: string): string {
  return join(root, 'versions', version)
}

/** The version to which a link leads; undefined if there is no such link. */
export async function linkedVersion(root: string, link: VersionLink): Promise<string | undefined> {
  const target = await readlink(join(root, link)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'EINVAL') return undefined
    throw error
  })
  return target === undefined ? undefined : /^versions\/([^/]+)\/?$/.exec(target)?.[1]
}

/** Points a link to a version. Whoever reads it meanwhile gets the former version or this one. */
export async function switchLink(root: string, link: VersionLink, version: string): Promise<void> {
  const beside = join(root, `${link}.new`)
  await rm(beside, { force: true })
  await symlink(join('versions', version), beside)
  await rename(beside, join(root, link))
  await syncPath(root)
}

/** Removes versions that are no longer needed, and what interrupted updates have left. */
export async function sweepVersions(root: string, kept: readonly (string | undefined)[]): Promise<void> {
  const names = await readdir(join(root, 'versions'))
  const old = names.filter((name) => !kept.includes(name))
  await Promise.all(old.map((name) => removeAll(folderOf(root, name))))
}

export async function readJournal(root: string): Promise<UpdateJournal | undefined> {
  const text = await readIfThere(join(root, journalFile))
  return text === undefined ? undefined : (JSON.parse(text) as UpdateJournal)
}

export async function writeJournal(root: string, journal: UpdateJournal): Promise<void> {
  await writeWhole(join(root, journalFile), JSON.stringify(journal))
}

export async function clearJournal(root: string): Promise<void> {
  await removeAll(join(root, journalFile))
  await syncPath(root)
}

export async function readState(root: string): Promise<UpdaterState> {
  const text = await readIfThere(join(root, stateFile))
  return text === undefined ? { pinned: false, failed: null } : (JSON.parse(text) as UpdaterState)
}

export async function writeState(root: string, state: UpdaterState): Promise<void> {
  await writeWhole(join(root, stateFile), JSON.stringify(state))
}
