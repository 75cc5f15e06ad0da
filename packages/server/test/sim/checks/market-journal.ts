/**
 * A journal of the market, written by database triggers: every book, order and fill after each committed transaction,
 * in the order of the book locks. Trading code cannot bypass it.
 */
import { type Database, statement } from '../../../src/core/db/db.ts'

/** An order after a transaction. Schedules are edges: minute, count, minute, count, … */
export type JournalOrder = {
  readonly id: string
  readonly account_id: string
  readonly sku_id: string
  readonly side: 'buy' | 'sell'
  readonly state: 'standing' | 'partially_filled' | 'filled' | 'cancelled'
  readonly allow_standing: boolean
  readonly allow_partial: boolean
  readonly start_minute: number
  readonly end_minute: number
  readonly node_count: number
  readonly price_micros: number
  readonly seq: number
  readonly priority_seq: number | null
  readonly requested: readonly number[] | null
  readonly amends: string | null
  readonly remaining: readonly number[]
  readonly lapsed: boolean
  readonly book_version: number
  readonly cancel_reason: string | null
}
export type JournalBook = {
  readonly sku_id: string
  readonly version: number
  readonly last_seq: number
  readonly decided_at: number
  readonly halted: boolean
}
export type JournalFill = {
  readonly sku_id: string
  readonly buy_order_id: string
  readonly sell_order_id: string
  readonly price_micros: number
  readonly schedule: readonly number[]
  readonly related: boolean
}

/** A row that was written. The halt of the whole market has no row of its own. */
export type MarketEntry =
  | { readonly kind: 'books'; readonly is_new: boolean; readonly row: JournalBook }
  | { readonly kind: 'orders'; readonly is_new: boolean; readonly row: JournalOrder }
  | { readonly kind: 'fills'; readonly is_new: boolean; readonly row: JournalFill }
  | { readonly kind: 'market_halt'; readonly is_new: boolean; readonly row: { readonly is_halted: boolean } }

/** The journal table, which no hash includes. */
export const journalTable = 'sim_notes'

const notingSql = [
  `create table ${journalTable} (
     n bigint generated always as identity primary key, kind text, is_new boolean, row jsonb
   )`,
  `create function sim_note() returns trigger language plpgsql security definer set search_path = public as $$
   begin
     insert into ${journalTable} (kind, is_new, row) values (tg_table_name, tg_op = 'INSERT',
       case when tg_table_name = 'market_halt' then jsonb_build_object('is_halted', tg_op <> 'DELETE')
         else to_jsonb(new) end);
     return null;
   end $$`,
  ...['books', 'orders', 'fills'].map(
    (table) => `create trigger sim_note after insert or update on ${table} for each row execute function sim_note()`,
  ),
  'create trigger sim_note after insert or update or delete on market_halt for each row execute function sim_note()',
  `grant select, delete on ${journalTable} to bourse_app`,
].map((text) => statement<never>(null, text))

// The entries of a paused command appear at its commit, after newer ones, so entries are deleted instead of counted.
const takeNotes = statement<MarketEntry>(
  'sim.take_notes',
  `with taken as (delete from ${journalTable} returning n, kind, is_new, row)
   select kind, is_new, row from taken order by n`,
)
const listResuming = statement<{ sku_id: string }>(
  'sim.list_resuming',
  `select key as sku_id from due where kind = 'market.resume'`,
)

/** Installs the triggers that write the journal. */
export async function installJournal(database: Database): Promise<void> {
  await database.asOwner(async (db) => {
    for (const text of notingSql) await db.run(text)
  })
}

/** Entries that were committed since the last call, and the books on which matching has not resumed yet. */
export async function readJournal({ reader }: Database): Promise<{ notes: MarketEntry[]; resuming: string[] }> {
  const [notes, resuming] = await Promise.all([reader.rows(takeNotes), reader.rows(listResuming)])
  return { notes, resuming: resuming.map(({ sku_id }) => sku_id) }
}
