/** Programs of PostgreSQL for shells of tests: the bundled ones, as the user that runs PostgreSQL. */
import { dirname, join } from 'node:path'
import { locatePostgres, makeRunnable } from '../../server/src/core/postgres/postgres-binaries.ts'
import { systemDirectory } from '../../server/src/core/postgres/postgres-place.ts'
import { postgresUser } from '../../server/test/restart/backups/restored-cluster.ts'

/** Defines `pg_ctl` for a shell. */
export async function definePgCtl(): Promise<string> {
  const user = await postgresUser()
  const { postgres } = await makeRunnable(await locatePostgres(), {
    user,
    copies: join(systemDirectory, 'bin'),
    log: () => {},
  })
  const as = user ? `setpriv --reuid=${user.uid} --regid=${user.gid} --clear-groups ` : ''
  // Its user may not enter the folder of the shell.
  return `pg_ctl() { (cd / && ${as}'${join(dirname(postgres), 'pg_ctl')}' "$@"); }`
}
