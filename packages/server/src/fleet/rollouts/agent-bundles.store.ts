import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { type ListFilters, newestFirst, type Page, type PageQuery, readPage } from '../../core/work/page.ts'

/** A bundle without its archive. */
export type AgentBundleRow = {
  readonly id: Id<'agent_bundle'>
  readonly version: string
  readonly manifest: string
  readonly signature: string
  readonly signer: string
  readonly created_at: number
}

const columns = 'b.id, b.version, b.manifest, b.signature, b.signer, b.created_at'
const select = `select ${columns}
   from agent_bundles b`

const selectOne = statement<AgentBundleRow>('fleet.find_agent_bundle', `${select} where b.id = $1`)
const selectVersion = statement<AgentBundleRow>('fleet.find_agent_version', `${select} where b.version = $1`)
const selectContent = statement<{ content: Buffer }>(
  'fleet.find_agent_archive',
  `select content
   from agent_bundles
   where sha256 = $1
   limit 1`,
)
const countAll = statement<{ count: number }>(
  'fleet.count_agent_bundles',
  'select count(*)::integer as count from agent_bundles',
)
const insertOne = statement<never>(
  'fleet.insert_agent_bundle',
  `insert into agent_bundles (id, version, manifest, signature, signer, sha256, content, created_at)
   values ($1, $2, $3, $4, $5, $6, decode($7, 'base64'), $8)`,
)
const deleteOne = statement<never>(
  'fleet.delete_agent_bundle',
  `delete from agent_bundles
   where id = $1`,
)

export function findAgentBundle(db: Db, id: string): Promise<AgentBundleRow | undefined> {
  return db.row(selectOne, [id])
}

export function findBundleOfVersion(db: Db, version: string): Promise<AgentBundleRow | undefined> {
  return db.row(selectVersion, [version])
}

/** The archive with a digest. */
export async function findBundleContent(db: Db, sha256: string): Promise<Buffer | undefined> {
  return (await db.row(selectContent, [sha256]))?.content
}

export async function countAgentBundles(db: Db): Promise<number> {
  return (await db.row(countAll))?.count ?? 0
}

/** Stores a bundle; `content` is its archive in base64. */
export async function insertAgentBundle(
  db: Db,
  row: AgentBundleRow & { readonly sha256: string; readonly content: string },
): Promise<void> {
  const { id, version, manifest, signature, signer, sha256, content, created_at } = row
  await db.run(insertOne, [id, version, manifest, signature, signer, sha256, content, created_at])
}

export async function deleteAgentBundleRow(db: Db, id: string): Promise<void> {
  await db.run(deleteOne, [id])
}

/** A page of bundles. */
export function listAgentBundles(ctx: Ctx, query: PageQuery, list: ListFilters): Promise<Page<AgentBundleRow>> {
  return readPage<AgentBundleRow>(ctx, { prefix: 'abdlc', query, select, ...list, sort: newestFirst('b') })
}
