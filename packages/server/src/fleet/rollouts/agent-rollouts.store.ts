import type { AgentRolloutState, HaltReason, RolloutHostState } from '@bourse/api/fleet/agent-rollouts.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { type Db, statement } from '../../core/db/db.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { defineLock } from '../../core/work/locks.ts'
import { type ListFilters, newestFirst, type Page, type PageQuery, readPage } from '../../core/work/page.ts'
import type { HostChange, LiveHost, RolloutGroup, RolloutHost, WatchedInstance } from './agent-rollouts.rules.ts'

export type AgentRolloutRow = {
  readonly id: Id<'agent_rollout'>
  readonly version: string
  readonly rolls_back: Id<'agent_rollout'> | null
  readonly state: AgentRolloutState
  readonly halt_reason: HaltReason | null
  readonly halt_message: string | null
  readonly groups: readonly RolloutGroup[]
  readonly turn: number
  readonly health_seconds: number
  readonly return_seconds: number
  readonly hosts_at_once: number
  readonly created_at: number
  readonly ended_at: number | null
  readonly began_at: number
  /** Of a rollout whose hosts have been deleted: how many there were. */
  readonly host_counts: readonly StateCount[] | null
}

/** What changes of a rollout. */
type RolloutStage = Pick<
  AgentRolloutRow,
  'id' | 'state' | 'halt_reason' | 'halt_message' | 'turn' | 'began_at' | 'ended_at'
>

/** A host that a rollout is to update. */
type RolloutTarget = { readonly host_id: Id<'host'>; readonly sku_id: Id<'sku'> }

/** A host of a new rollout. */
export type NewRolloutHost = RolloutTarget & {
  readonly fabric: string | null
  readonly turn: number
  readonly place: number
  readonly to_version: string
}

/** How many hosts of a group have a state. */
export type StateCount = {
  readonly turn: number
  readonly state: RolloutHostState
  readonly hosts: number
}
type RolloutCountRow = StateCount & { rollout_id: string }

/** A host that is shown by itself. */
type ShownHostRow = {
  rollout_id: string
  host_id: Id<'host'>
  turn: number
  state: RolloutHostState
  from_version: string | null
  to_version: string
  reason: string | null
}

const columns = `r.id, r.version, r.rolls_back, r.state, r.halt_reason, r.halt_message, r.groups, r.turn,
     r.health_seconds, r.return_seconds, r.hosts_at_once, r.created_at, r.ended_at, r.began_at, r.host_counts`
const select = `select ${columns}
   from agent_rollouts r`
const newest = `select id
       from agent_rollouts
       order by created_at desc, id desc
       limit 1`

const selectOne = statement<AgentRolloutRow>('fleet.find_agent_rollout', `${select} where r.id = $1`)
const selectNewest = statement<AgentRolloutRow>(
  'fleet.find_newest_agent_rollout',
  `${select} order by r.created_at desc, r.id desc limit 1`,
)
const selectInProgress = statement<AgentRolloutRow>(
  'fleet.find_agent_rollout_in_progress',
  `${select} where r.state in ('running', 'halted')`,
)
const selectCompleted = statement<{ version: string }>(
  'fleet.find_completed_agent_version',
  `select version
   from agent_rollouts
   where state = 'completed' and rolls_back is null
   order by created_at desc, id desc
   limit 1`,
)
// A completed one takes up hosts that it has left out, as long as it is the newest: their updaters and what unpins them
// wake it, so that it is not looked at all the time because of hosts that never follow.
const selectOpen = statement<{ id: Id<'agent_rollout'> }>(
  'fleet.list_open_agent_rollouts',
  `select r.id
   from agent_rollouts r
   where r.state = 'running' or r.state = 'completed' and r.id = (${newest}) and exists (
     select
     from agent_rollout_hosts h
     where h.rollout_id = r.id and h.state = 'updating'
   )`,
)
const insertOne = statement<never>(
  'fleet.insert_agent_rollout',
  `insert into agent_rollouts (id, version, rolls_back, state, halt_reason, halt_message, groups, turn,
     health_seconds, return_seconds, hosts_at_once, created_at, ended_at, began_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
)
const insertHosts = statement<never>(
  'fleet.insert_agent_rollout_hosts',
  `insert into agent_rollout_hosts (rollout_id, host_id, turn, place, sku_id, fabric, state, from_version, to_version)
   select $1, n.host_id, n.turn, n.place, n.sku_id, n.fabric, 'pending', h.agent_version, n.to_version
   from jsonb_to_recordset($2::jsonb) as n(host_id text, turn integer, place integer, sku_id text, fabric text,
     to_version text)
   join hosts h on h.id = n.host_id
   order by n.host_id`,
)
const updateOne = statement<never>(
  'fleet.update_agent_rollout',
  `update agent_rollouts
   set state = $2, halt_reason = $3, halt_message = $4, turn = $5, began_at = $6, ended_at = $7
   where id = $1`,
)
const selectTargets = statement<RolloutTarget>(
  'fleet.list_agent_rollout_targets',
  `select id as host_id, sku_id
   from hosts
   where not is_simulated and state <> 'retired'
   order by id`,
)
const selectUpdated = statement<RolloutTarget & { fabric: string | null; from_version: string }>(
  'fleet.list_hosts_to_roll_back',
  `select host_id, sku_id, fabric, from_version
   from agent_rollout_hosts
   where rollout_id = $1 and attempt > 0 and from_version <> to_version
   order by host_id`,
)
type HostColumns = Omit<RolloutHost, 'live' | 'watched'> & { instance_ids: string[] | null }
const selectHosts = statement<HostColumns & { live: Omit<LiveHost, 'instance_ids'> }>(
  'fleet.list_agent_rollout_hosts',
  `select r.host_id, r.turn, r.place, r.sku_id, r.fabric, r.state, r.to_version, r.attempt, r.reason, r.began_at,
     r.well_since, r.health_message, r.failure, r.instance_ids,
     jsonb_build_object('state', h.state, 'health', h.health, 'health_message', h.health_message,
       'version', h.agent_version, 'last_seen_at', h.last_seen_at, 'managed_by', a.managed_by,
       'updater_version', a.updater_version, 'updater_at', a.updater_at,
       'is_pinned', coalesce(a.is_pinned, false)) as live
   from agent_rollout_hosts r
   join hosts h on h.id = r.host_id
   left join host_agents a on a.host_id = r.host_id
   where r.rollout_id = $1 and r.state <> 'updated'
   order by r.place`,
)
const selectRunning = statement<{ host_id: string; instance_id: string }>(
  'fleet.list_instances_to_watch',
  `select m.host_id, m.instance_id
   from machines m
   join agent_rollout_hosts r on r.host_id = m.host_id and r.rollout_id = $1 and r.state in ('pending', 'skipped')
   where m.action = 'run' and m.state = 'running'
   order by m.host_id, m.instance_id`,
)
const selectWatched = statement<WatchedInstance & { host_id: string }>(
  'fleet.list_watched_instances',
  `select r.host_id, i.id, i.state, i.termination_reason, m.state as reported_state
   from agent_rollout_hosts r
   cross join unnest(r.instance_ids) as w(id)
   join instances i on i.id = w.id
   left join machines m on m.instance_id = i.id
   where r.rollout_id = $1 and r.state = 'updating'
   order by i.id`,
)
const updateHosts = statement<never>(
  'fleet.update_agent_rollout_hosts',
  `update agent_rollout_hosts r
   set state = c.state, reason = c.reason, well_since = c.well_since,
     attempt = r.attempt + c.attempts,
     began_at = case when c.attempts = 1 then $3 else r.began_at end,
     failure = case when c.attempts = 1 then null else r.failure end,
     from_version = case
       when c.attempts = 1 and h.agent_version is distinct from r.to_version then h.agent_version
       else r.from_version
     end,
     instance_ids = case when c.attempts = 1 then array(
       select jsonb_array_elements_text(c.instance_ids)
     ) else r.instance_ids end,
     health_message = case when c.attempts = 1 then c.health_message else r.health_message end
   from jsonb_to_recordset($2::jsonb) as c(host_id text, state text, reason text, well_since bigint, attempts integer,
     instance_ids jsonb, health_message text), hosts h
   where r.rollout_id = $1 and r.host_id = c.host_id and h.id = r.host_id`,
)
const retryHosts = statement<never>(
  'fleet.retry_agent_rollout_hosts',
  `update agent_rollout_hosts
   set state = case when state = 'failed' then 'pending' else state end,
     reason = null, well_since = null, began_at = case when state = 'updating' then $2::bigint end
   where rollout_id = $1 and state in ('failed', 'updating')`,
)
const countHosts = statement<RolloutCountRow>(
  'fleet.count_agent_rollout_hosts',
  `select rollout_id, turn, state, count(*)::integer as hosts
   from agent_rollout_hosts
   where rollout_id = any($1)
   group by rollout_id, turn, state
   order by rollout_id, turn, state`,
)
const selectShown = statement<ShownHostRow>(
  'fleet.list_shown_agent_rollout_hosts',
  `select s.rollout_id, s.host_id, s.turn, s.state, s.from_version, s.to_version, s.reason
   from unnest($1::text[]) as w(id)
   cross join lateral (
     select h.*
     from agent_rollout_hosts h
     where h.rollout_id = w.id and h.state in ('failed', 'updating', 'skipped')
     order by array_position(array['failed', 'updating', 'skipped'], h.state), h.place
     limit $2
   ) s`,
)
const selectStale = statement<{ id: Id<'agent_rollout'> }>(
  'fleet.list_stale_agent_rollouts',
  `select r.id
   from agent_rollouts r
   where r.ended_at < $1 and r.id <> (${newest}) and exists (
     select
     from agent_rollout_hosts h
     where h.rollout_id = r.id
   )
   order by r.created_at, r.id`,
)
const keepCounts = statement<never>(
  'fleet.keep_agent_rollout_counts',
  `update agent_rollouts
   set host_counts = (
     select coalesce(jsonb_agg(to_jsonb(c) order by c.turn, c.state), '[]')
     from (
       select turn, state, count(*)::integer as hosts
       from agent_rollout_hosts
       where rollout_id = $1
       group by turn, state
     ) c
   )
   where id = $1 and host_counts is null`,
)
const deleteHosts = statement<never>(
  'fleet.delete_agent_rollout_hosts',
  `delete from agent_rollout_hosts
   where rollout_id = $1 and host_id in (
     select host_id
     from agent_rollout_hosts
     where rollout_id = $1
     order by host_id
     limit $2
   )`,
)
/** Taken to change a rollout. */
export const agentRolloutLock = defineLock(
  'agent_rollout',
  'parents',
  `select id
   from agent_rollouts
   where id = any($1)
   order by id
   for update`,
)

export function findAgentRollout(db: Db, id: string): Promise<AgentRolloutRow | undefined> {
  return db.row(selectOne, [id])
}

export function findNewestRollout(db: Db): Promise<AgentRolloutRow | undefined> {
  return db.row(selectNewest)
}

export function findRolloutInProgress(db: Db): Promise<AgentRolloutRow | undefined> {
  return db.row(selectInProgress)
}

/** The version of the newest rollout that has completed and was not taken back. */
export async function findCompletedVersion(db: Db): Promise<string | undefined> {
  return (await db.row(selectCompleted))?.version
}

/** The rollouts that may have something to do although nothing woke them. */
export async function listOpenRollouts(db: Db): Promise<Id<'agent_rollout'>[]> {
  return (await db.rows(selectOpen)).map(({ id }) => id)
}

export async function insertRollout(db: Db, row: AgentRolloutRow, hosts: readonly NewRolloutHost[]): Promise<void> {
  const { id, version, rolls_back, state, halt_reason, halt_message, groups, turn } = row
  const { health_seconds, return_seconds, hosts_at_once, created_at, ended_at, began_at } = row
  const stage = [id, version, rolls_back, state, halt_reason, halt_message, JSON.stringify(groups), turn]
  await db.run(insertOne, [...stage, health_seconds, return_seconds, hosts_at_once, created_at, ended_at, began_at])
  await db.run(insertHosts, [id, JSON.stringify(hosts)])
}

export async function updateRollout(db: Db, stage: RolloutStage): Promise<void> {
  const { id, state, halt_reason, halt_message, turn, began_at, ended_at } = stage
  await db.run(updateOne, [id, state, halt_reason, halt_message, turn, began_at, ended_at])
}

/** The hosts with agents that are not retired. */
export function listRolloutTargets(db: Db): Promise<RolloutTarget[]> {
  return db.rows(selectTargets)
}

/** The hosts on which a rollout has begun an update, with the version that each had before. */
export function listUpdatedHosts(
  db: Db,
  rolloutId: string,
): Promise<(RolloutTarget & { fabric: string | null; from_version: string })[]> {
  return db.rows(selectUpdated, [rolloutId])
}

/** The hosts of a rollout that do not have the version yet, as they are now. */
export async function listRolloutHosts(db: Db, rolloutId: string): Promise<RolloutHost[]> {
  const [rows, running, watched] = await Promise.all([
    db.rows(selectHosts, [rolloutId]),
    db.rows(selectRunning, [rolloutId]),
    db.rows(selectWatched, [rolloutId]),
  ])
  const runningOn = Map.groupBy(running, ({ host_id }) => host_id)
  const watchedOn = Map.groupBy(watched, ({ host_id }) => host_id)
  return rows.map((row) => {
    const instance_ids = (runningOn.get(row.host_id) ?? []).map(({ instance_id }) => instance_id)
    return { ...row, watched: watchedOn.get(row.host_id) ?? [], live: { ...row.live, instance_ids } }
  })
}

/** Writes what changes of the hosts of a rollout. `now` is the real time. */
export async function updateRolloutHosts(
  db: Db,
  rolloutId: string,
  changes: readonly HostChange[],
  now: number,
): Promise<void> {
  if (changes.length > 0) await db.run(updateHosts, [rolloutId, JSON.stringify(changes.map(columnsOf)), now])
}

function columnsOf(change: HostChange) {
  const { host_id } = change
  const kept = { host_id, reason: null, well_since: null, attempts: 0, instance_ids: [], health_message: null }
  switch (change.does) {
    case 'begin': {
      const { instance_ids, health_message } = change
      return { ...kept, state: 'updating', attempts: 1, instance_ids, health_message }
    }
    case 'watch':
      return { ...kept, state: 'updating', well_since: change.well_since }
    case 'finish':
      return { ...kept, state: 'updated' }
    case 'skip':
      return { ...kept, state: 'skipped', reason: change.reason }
    case 'fail':
      return { ...kept, state: 'failed', reason: change.reason.slice(0, 1024) }
  }
}

/** Lets hosts that failed wait for another turn, and gives those that are being updated their whole time again. */
export async function retryRolloutHosts(db: Db, rolloutId: string, now: number): Promise<void> {
  await db.run(retryHosts, [rolloutId, now])
}

/** How many hosts of each group of some rollouts have each state. */
export function countRolloutHosts(db: Db, ids: readonly string[]): Promise<RolloutCountRow[]> {
  return db.rows(countHosts, [ids])
}

/** The hosts of some rollouts that are shown by themselves: so many of each. */
export function listShownHosts(db: Db, ids: readonly string[], most: number): Promise<ShownHostRow[]> {
  return db.rows(selectShown, [ids, most])
}

/** Rollouts, except for the newest, that ended before a time and still have hosts. */
export async function listStaleRollouts(db: Db, before: number): Promise<Id<'agent_rollout'>[]> {
  return (await db.rows(selectStale, [before])).map(({ id }) => id)
}

/** Stores with a rollout how many hosts of each group have each state, unless that has been done. */
export async function keepRolloutCounts(db: Db, rolloutId: string): Promise<void> {
  await db.run(keepCounts, [rolloutId])
}

/** Deletes at most `limit` hosts of a rollout; returns how many. */
export function deleteRolloutHosts(db: Db, rolloutId: string, limit: number): Promise<number> {
  return db.run(deleteHosts, [rolloutId, limit])
}

/** A page of rollouts. */
export function listRollouts(ctx: Ctx, query: PageQuery, list: ListFilters): Promise<Page<AgentRolloutRow>> {
  return readPage<AgentRolloutRow>(ctx, { prefix: 'arolc', query, select, ...list, sort: newestFirst('r') })
}
