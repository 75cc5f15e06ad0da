/**
 * Keeps the sums of usage and the lots of purchases. Orders write neither: a reconciler folds what they left, and a
 * read folds in memory what the reconciler has not reached.
 */

import { takeTradedAccounts } from '../../billing/traded-accounts.service.ts'
import { refuse } from '../../core/base/refusal.ts'
import type { RememberedValue } from '../../core/db/history.ts'
import { tornRead } from '../../core/db/torn-read.ts'
import type { Ctx } from '../../core/work/ctx.ts'
import { lockedElsewhere, type StepResult } from '../../core/work/reconciler.ts'
import type { Lot, LotRow } from './cost-lots.rules.ts'
import { minutesOf, wholeBoxes } from './cost-spread.rules.ts'
import {
  type Cells,
  countLot,
  dayEnd,
  type Fold,
  foldMove,
  type HourRow,
  openFold,
  type PoolAndSku,
  placeKey,
  type UsageMove,
} from './usage-fold.rules.ts'
import {
  addUsageHours,
  type CapacityEnd,
  type FoldRow,
  findFold,
  foldLock,
  insertLots,
  listAccountsBehind,
  listAccountsPending,
  listAccountsToClose,
  listMoves,
  listReachedLots,
  listUncountedLots,
  type MoveRow,
  openFoldRow,
  putFold,
  putOpenMonth,
  takeMoves,
  updateLots,
} from './usage-fold.store.ts'

/** Kind of the due rows of folds; the key is an account. */
export const foldKind = 'accounting.usage_fold'

/** Trades of one step, and lots that it counts. A step ends far below the transaction timeout. */
const stepMoves = 4_000
const stepLots = 1_000
/** The trades that a read folds itself. Behind more of them it refuses, until the reconciler has caught up. */
const readMoves = 20_000
const accountsAtOnce = 500
/** An hour of sweeps. */
const sweepsBetweenFull = 240
/** New lots are counted up to the end of the second day from now on, so that most are never looked at again. */
const countedDays = 2

/** What a read adds to the stored sums by hour: everything that they do not hold up to a minute. */
export type Remainder = { readonly cells: Cells; readonly version: number }

/** Folds the next moves of an account, and counts lots for the days to come. */
export async function foldAccount(ctx: Ctx, accountId: string): Promise<StepResult> {
  await openFoldRow(ctx.db, accountId)
  const row = await lockFold(ctx, accountId)
  if (!row) return lockedElsewhere
  const moves = (await takeMoves(ctx.db, accountId, row.position, stepMoves)).map(moveOf)
  const today = dayEnd(ctx.now, 0)
  const [reached, late] = await Promise.all([
    listReachedLots(ctx.db, reachesOf(moves)),
    listUncountedLots(ctx.db, accountId, { from: 0, to: today, limit: stepLots }),
  ])
  const fold = openFold(lotsOf([...reached, ...late]), dayEnd(ctx.now, countedDays))
  for (const move of moves) foldMove(fold, move)
  for (const lots of fold.lots.values()) for (const lot of lots) if (lot.counted_minute < today) countUp(fold, lot)
  await storeFold(ctx, accountId, fold)
  const trades = moves.filter(isTrade)
  await putFold(ctx.db, accountId, trades.at(-1)?.position ?? row.position)
  return trades.length === stepMoves || late.length === stepLots ? ctx.now : undefined
}

declare module '../../core/work/services.ts' {
  interface Services {
    /** How many sweeps look for what changed before one looks at all accounts. */
    readonly fold_sweeps: RememberedValue<{ until_full: number }>
  }
}

/**
 * The accounts that have something to fold or to count, of those that may have: they traded on this server, have a
 * change that waits, or a lot that is not counted up to today. Each hour it is all accounts, since what traded on a
 * server that was killed is not known.
 */
export async function sweepAccounts(ctx: Ctx): Promise<string[]> {
  const sweeps = ctx.services.fold_sweeps.current
  const traded = takeTradedAccounts(ctx.services)
  const isFull = sweeps.until_full === 0
  const found = isFull ? await findAccountsBehind(ctx) : await findAccountsPending(ctx)
  if (!isFull) sweeps.until_full--
  else if (found.length < accountsAtOnce) sweeps.until_full = sweepsBetweenFull
  return [...new Set([...traded, ...found])]
}

/** The accounts that have something to fold or to count, or no fold yet. Looks at all accounts. */
export function findAccountsBehind(ctx: Ctx): Promise<string[]> {
  return listAccountsBehind(ctx.db, dayEnd(ctx.now, 0), accountsAtOnce)
}

function findAccountsPending(ctx: Ctx): Promise<string[]> {
  return listAccountsPending(ctx.db, dayEnd(ctx.now, 0), accountsAtOnce)
}

/** Locks the fold of an account; undefined while another transaction holds it. */
export async function lockFold(ctx: Ctx, accountId: string): Promise<FoldRow | undefined> {
  const [row] = await ctx.lockRows(foldLock, [accountId])
  return row
}

/** Records that the months of an account before a time are closed. The caller holds the lock of its fold. */
export function recordOpenMonth(ctx: Ctx, accountId: string, openMonth: number): Promise<void> {
  return putOpenMonth(ctx.db, accountId, openMonth)
}

/** Some accounts of which months before a time are not closed. */
export function findAccountsToClose(ctx: Ctx, openMonth: number): Promise<string[]> {
  return listAccountsToClose(ctx.db, openMonth, accountsAtOnce)
}

/**
 * What the stored sums of an account lack within the minutes `[from, to)`. The caller reads the sums afterwards and
 * then calls {@link requireVersion}. Refuses unavailable where too much is not folded.
 */
export async function readRemainder(
  ctx: Ctx,
  accountId: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Remainder> {
  const row = await findFold(ctx.db, accountId)
  const moves = (await listMoves(ctx.db, accountId, row?.position ?? 0, readMoves)).map(moveOf)
  if (moves.filter(isTrade).length === readMoves) {
    refuse('unavailable', 'The usage of the account is being brought up to date. Try again.', null)
  }
  const [reached, open] = await Promise.all([
    listReachedLots(ctx.db, reachesOf(moves)),
    listUncountedLots(ctx.db, accountId, { from, to, limit: Number.MAX_SAFE_INTEGER }),
  ])
  const fold = openFold(lotsOf([...reached, ...open]), to)
  for (const move of moves) foldMove(fold, move)
  for (const lots of fold.lots.values()) for (const lot of lots) countLot(fold, lot, to)
  return { cells: fold.cells, version: row?.version ?? 0 }
}

/** Throws a torn read where a fold has run since the remainder was read. */
export async function requireVersion(ctx: Ctx, accountId: string, { version }: Remainder): Promise<void> {
  const row = await findFold(ctx.db, accountId)
  if ((row?.version ?? 0) !== version) throw tornRead(`The usage of ${accountId} was folded during a read.`)
}

function countUp(fold: Fold, lot: Lot): void {
  countLot(fold, lot, fold.counted_until)
}

async function storeFold(ctx: Ctx, accountId: string, { changed, cells }: Fold): Promise<void> {
  const lots = [...changed]
  const hours = hoursOf(cells)
  await Promise.all([
    insertLots(
      ctx.db,
      accountId,
      lots.filter(({ id }) => id === undefined).map((lot) => rowOf(lot)),
    ),
    updateLots(
      ctx.db,
      lots.flatMap((lot) => (lot.id === undefined ? [] : [{ ...rowOf(lot), id: lot.id }])),
    ),
    addUsageHours(ctx.db, accountId, hours),
  ])
}

/** Sums that change something, in the order of the primary key. */
function hoursOf(cells: Cells): HourRow[] {
  const rows: HourRow[] = []
  for (const { pool_id, sku_id, hours } of cells.values()) {
    for (const [hour, cell] of hours) {
      if (Object.values(cell).some((value) => value !== 0 && value !== 0n))
        rows.push({ pool_id, sku_id, hour, ...cell })
    }
  }
  return rows.sort((a, b) => a.hour - b.hour || (placeKey(a) < placeKey(b) ? -1 : 1))
}

function isTrade(move: UsageMove): move is UsageMove & { kind: 'bought' | 'sold' } {
  return move.kind === 'bought' || move.kind === 'sold'
}

/** Where and when moves take capacity away. */
function reachesOf(moves: readonly UsageMove[]): CapacityEnd[] {
  const reaches = new Map<string, PoolAndSku & { from_minute: number; to_minute: number }>()
  for (const move of moves) {
    if (move.kind !== 'sold' && move.kind !== 'transfer') continue
    const { pool_id, sku_id, schedule } = move
    const from_minute = schedule[0] as number
    // The last step of a schedule without an end lasts for ever.
    const to_minute = schedule.at(-1) === 0 ? (schedule.at(-2) as number) : Number.MAX_SAFE_INTEGER
    const known = reaches.get(placeKey(move))
    if (known) {
      known.from_minute = Math.min(known.from_minute, from_minute)
      known.to_minute = Math.max(known.to_minute, to_minute)
    } else reaches.set(placeKey(move), { pool_id, sku_id, from_minute, to_minute })
  }
  return [...reaches.values()]
}

function moveOf(row: MoveRow): UsageMove {
  const { kind, position, pool_id, sku_id } = row
  if (kind === 'owned' || kind === 'running') {
    return { kind, pool_id, sku_id, minute: row.minute as number, delta: row.delta as number }
  }
  const schedule = row.schedule as number[]
  if (kind === 'transfer') return { kind, position, pool_id, sku_id, to_pool_id: row.to_pool_id as string, schedule }
  const trade = {
    position,
    pool_id,
    sku_id,
    schedule,
    fill_id: row.fill_id as string,
    filled_at: row.filled_at as number,
    amount_micros: row.amount_micros as bigint,
  }
  return kind === 'bought'
    ? { ...trade, kind, node_minutes: row.node_minutes as number }
    : { ...trade, kind, fee_micros: row.fee_micros as bigint }
}

/** Lots of rows, each once. */
function lotsOf(rows: readonly LotRow[]): Lot[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return [...byId.values()].map((row) => ({ ...row, boxes: row.boxes ?? wholeBoxes(row.shape) }))
}

function rowOf({ boxes, shape, ...lot }: Lot): Omit<LotRow, 'id'> {
  const isWhole = minutesOf(boxes) === lot.node_minutes
  return { ...lot, shape: [...shape], boxes: isWhole ? null : [...boxes] }
}
