import type { ReportedSsh } from '@bourse/api/fleet/agent.ts'
import { type Db, statement } from '../../core/db/db.ts'

/** The SSH endpoint of a machine, and when its host keys were read. */
type SshRow = { ssh: ReportedSsh; ssh_read_at: number }

const selectSsh = statement<SshRow>(
  'fleet.find_ssh',
  `select ssh, ssh_read_at
   from machines
   where instance_id = $1 and ssh is not null`,
)

/** The SSH endpoint of an instance; undefined until its host has reported it. */
export function findSsh(db: Db, instanceId: string): Promise<SshRow | undefined> {
  return db.row(selectSsh, [instanceId])
}
