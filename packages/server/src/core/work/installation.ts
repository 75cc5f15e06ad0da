/** The installation that a database belongs to: its id and its mode. A sandbox is never served as production. */
import { wallMilliseconds } from '../base/clock.ts'
import type { Random } from '../base/random.ts'
import { startProblem } from '../base/start-problem.ts'
import { type Database, type Db, statement } from '../db/db.ts'
import type { Mode } from './runtime.ts'

type InstallationRow = { id: string; mode: Mode }

const insertInstallation = statement<never>(
  'installation.insert',
  `insert into installation (id, mode, created_at)
   values ($1, $2, $3)
   on conflict do nothing`,
)
const readInstallation = statement<InstallationRow>('installation.read', 'select id, mode from installation')

const readAge = statement<{ created_at: number }>('installation.read_age', 'select created_at from installation')

/** Reads when the installation was created, by the real clock. */
export async function readInstalledAt(db: Db): Promise<number> {
  const row = await db.row(readAge)
  if (!row) throw new Error('This database belongs to no installation.')
  return row.created_at
}

/** Reads the installation's row; creates it at the first start. Throws wrong_mode where the modes differ. */
export async function ensureInstallation(
  database: Database,
  { mode, random }: { mode: Mode; random: Random },
): Promise<InstallationRow> {
  const createdAt = Math.floor(wallMilliseconds() / 1000)
  await database.reader.run(insertInstallation, [random.bytes(12).toString('base64url'), mode, createdAt])
  const installation = (await database.reader.row(readInstallation)) as InstallationRow
  if (installation.mode === mode) return installation
  throw startProblem(
    'wrong_mode',
    `This database belongs to a ${installation.mode} installation. Use another database, or ${
      installation.mode === 'sandbox' ? '`bourse start`' : '`bourse serve`'
    }.`,
  )
}
