import { type Db, statement } from '../../core/db/db.ts'

// A trigger on tokens records each ended session, as where one person ends one.
const removeAll = statement<{ sessions: number }>(
  'iam.remove_all_sessions',
  `with gone as (
     delete from tokens
     where kind = 'session'
     returning id
   ), unnamed as (
     delete from names
     where id in (select id from gone)
   ), unseen as (
     delete from sessions
   ), unlinked as (
     delete from sign_in_links
   ), undone as (
     delete from device_logins
   )
   select count(*) as sessions
   from gone`,
)

/** Deletes all sessions, sign-in links and sign-ins of devices. Returns the number of sessions. */
export async function removeAllSessions(db: Db): Promise<number> {
  return (await db.row(removeAll))?.sessions ?? 0
}
