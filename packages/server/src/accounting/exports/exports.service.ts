/**
 * Exports of costs and of the ledger. Each page is a read of its own, and the next one is read when the reader has
 * taken those before it, so an export holds a page in memory and no connection between two pages.
 */
import type { exportUsage as exportContract } from '@bourse/api/billing/exports.ts'
import type { Input } from '@bourse/api/kit/endpoint.ts'
import { printDollars } from '@bourse/text/money.ts'
import { pause } from '@bourse/text/time/pause.ts'
import { refuse, throwIfRefused } from '../../core/base/refusal.ts'
import type { Download, ReadPart } from '../../core/http/handlers.ts'
import { systemCommand } from '../../core/work/command.ts'
import { callerOf } from '../../core/work/ctx.ts'
import { lockedElsewhere } from '../../core/work/reconciler.ts'
import type { Runtime } from '../../core/work/runtime.ts'
import { allow } from '../../iam/access/permissions.service.ts'
import { findAccount } from '../../iam/names/owners.service.ts'
import { shownPrice } from '../../market/orders/order-presentation.service.ts'
import { periodEnd, periodStart, refuseUsageRange } from '../usage/usage.rules.ts'
import { placeKey } from '../usage/usage-fold.rules.ts'
import { foldAccount } from '../usage/usage-fold.service.ts'
import { readChargedPlaces } from './charged-places.service.ts'
import type { Column, ExportRow } from './columns.rules.ts'
import { fileOf, nameOf } from './export-files.service.ts'
import { findLastPosition, type LedgerRow, type LedgerRowPosition, listLedger, listPlaces } from './exports.store.ts'
import { type ChargedPlace, chargeRow, columnsOf, isSpot, type Payer, periodRow } from './focus.rules.ts'
import { commitmentRows, usageRows } from './focus-lots.service.ts'
import { pagesAhead } from './pages.service.ts'

type ExportsQuery = Input<typeof exportContract>['query']

/** What an export reads with, and what it covers. */
type ExportPlan = {
  readonly read: ReadPart
  readonly payer: Payer
  readonly from: number
  readonly to: number
  /** The time at which the export began. */
  readonly now: number
  /** The last position of a transaction that belongs to it. */
  readonly bound: number
}

const ledgerPage = 2_000
/** Folds of one export. More than that is left to the reconciler. */
const foldsMax = 20
/** How often an export asks for an account that is folded elsewhere, and the milliseconds between. A fold is short. */
const waitsMax = 10
const waitMilliseconds = 100
const ledgerColumns: readonly Column[] = [
  { name: 'id', type: 'text' },
  { name: 'type', type: 'text' },
  { name: 'amount_dollars', type: 'decimal' },
  { name: 'balance_after_dollars', type: 'decimal' },
  { name: 'fee_dollars', type: 'decimal' },
  { name: 'order', type: 'text' },
  { name: 'fill', type: 'text' },
  { name: 'workspace', type: 'text' },
  { name: 'description', type: 'text' },
  { name: 'created_at', type: 'seconds' },
]
const ledgerEncodings = { ledger_csv: 'csv', ledger_jsonl: 'jsonl', ledger_parquet: 'parquet' } as const

/** Opens an export of the caller's account. */
export async function exportUsage(
  read: ReadPart,
  { query }: { query: ExportsQuery },
  runtime: Runtime,
): Promise<Download> {
  const { format = 'focus', dataset = 'cost_and_usage', focus_version = '1.4', encoding = 'csv', from, to } = query
  throwIfRefused(refuseUsageRange(query, 'day'))
  for (const field of ['focus_version', 'dataset', 'encoding'] as const) {
    if (format !== 'focus' && query[field] !== undefined)
      refuse('not_applicable', 'This is for format focus only.', field)
  }
  const plan = await read(async (ctx): Promise<ExportPlan> => {
    await allow(ctx, 'billing:list', null)
    const { account_id } = callerOf(ctx)
    const [account, bound] = await Promise.all([findAccount(ctx, account_id), findLastPosition(ctx.db, account_id)])
    const payer = { id: account_id, name: account?.name ?? account_id }
    return { read, payer, from, to, now: ctx.now, bound }
  })
  if (format !== 'focus') {
    const content = { name: nameOf('ledger', query), columns: ledgerColumns, rows: ledgerRows(plan) }
    return fileOf(ledgerEncodings[format], content)
  }
  if (dataset !== 'billing_periods') await foldAll(runtime, plan.payer.id)
  const rows = { cost_and_usage: costRows, contract_commitments: heldRows, billing_periods: periodRows }[dataset]
  const columns = columnsOf(dataset, focus_version)
  return fileOf(encoding, { name: nameOf(`focus-${dataset}`, query), columns, rows: rows(plan) })
}

/**
 * Folds what the account has left to fold, so that its lots hold every purchase before the export. Asks again where
 * another server folds it, between transactions: waiting for the lock would hold a connection of the database.
 */
async function foldAll(runtime: Runtime, account_id: string): Promise<void> {
  let waits = 0
  for (let folds = 0; folds < foldsMax && waits < waitsMax; ) {
    const next = await systemCommand(runtime, (ctx) => foldAccount(ctx, account_id))
    if (next === undefined) return
    if (next === lockedElsewhere) {
      waits += 1
      await pause(waitMilliseconds)
    } else folds += 1
  }
  refuse('unavailable', 'The usage of the account is being brought up to date. Try again.', null)
}

async function* ledgerRows(plan: ExportPlan): AsyncGenerator<ExportRow[]> {
  for await (const page of ledgerPages(plan)) yield page.map(ledgerRow)
}

async function* costRows(plan: ExportPlan): AsyncGenerator<ExportRow[]> {
  const places = await placesOf(plan)
  for await (const page of ledgerPages(plan)) {
    yield page.map((row) => chargeRow(plan.payer, placeIn(places, row), { ...row, fill: fillOf(row) }))
  }
  yield* usageRows(plan, places)
}

async function* heldRows(plan: ExportPlan): AsyncGenerator<ExportRow[]> {
  yield* commitmentRows(plan, await placesOf(plan))
}

async function* periodRows({ from, to, now }: ExportPlan): AsyncGenerator<ExportRow[]> {
  const rows: ExportRow[] = []
  for (let month = periodStart(from, 'month'); month < to; month = periodEnd(month, 'month')) {
    rows.push(periodRow(month, periodEnd(month, 'month'), now))
  }
  yield rows
}

async function* ledgerPages({ read, payer, from, to, bound }: ExportPlan): AsyncGenerator<LedgerRow[]> {
  const next = (after: LedgerRowPosition) => {
    const place = { account_id: payer.id, to, bound, after, limit: ledgerPage }
    return read((ctx) => listLedger(ctx.db, place))
  }
  const first = { created_at: from, position: 0 }
  const placeOf = ({ created_at, position }: LedgerRow) => ({ created_at, position })
  yield* pagesAhead(next, first, { length: ledgerPage, placeOf })
}

/** All pools and SKUs of the account, as charges show them. */
function placesOf({ read, payer }: ExportPlan): Promise<ReadonlyMap<string, ChargedPlace>> {
  return read(async (ctx) => readChargedPlaces(ctx, payer.id, await listPlaces(ctx.db, payer.id)))
}

function placeIn(places: ReadonlyMap<string, ChargedPlace>, { pool_id, sku_id }: LedgerRow): ChargedPlace | null {
  if (pool_id === null || sku_id === null) return null
  return places.get(placeKey({ pool_id, sku_id })) ?? null
}

function fillOf({ fill_id, node_minutes, end_minute, price_micros, managed_by }: LedgerRow) {
  if (fill_id === null || price_micros === null) return null
  return {
    id: fill_id,
    node_minutes: node_minutes ?? 0,
    end_minute: end_minute ?? 0,
    price: shownPrice(price_micros),
    is_spot: isSpot(managed_by),
  }
}

function ledgerRow(row: LedgerRow): ExportRow {
  return {
    id: row.id,
    type: row.type,
    amount_dollars: printDollars(row.amount_micros),
    balance_after_dollars: printDollars(row.balance_after_micros),
    fee_dollars: printDollars(row.fee_micros),
    order: row.order_id,
    fill: row.fill_id,
    workspace: row.workspace_id,
    description: row.description,
    created_at: String(row.created_at),
  }
}
