/** Roles and what they allow; roles of one's own can be changed and deleted. */

import type { Role } from '@bourse/sdk'
import { useState } from 'react'
import { ListTab } from '../live/lists/list-page.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import styles from './access.module.css'
import { DeleteRoleDialog } from './dialogs.tsx'
import { roleRows } from './rights.rules.ts'
import { RightsMatrix } from './rights-matrix.tsx'
import { RoleDialog } from './role-dialog.tsx'

/** The tab. */
export function RolesTab() {
  const [deleted, setDeleted] = useState<Role>()
  const [changed, setChanged] = useState<Role>()
  return (
    <div className={styles.roles}>
      <ListTab
        operation="list_roles"
        every={60_000}
        card={(role) => <RoleCard role={role} onChange={() => setChanged(role)} onDelete={() => setDeleted(role)} />}
        create={{ label: 'Create a role', dialog: (close) => <RoleDialog onClose={close} /> }}
      >
        {changed ? <RoleDialog role={changed} onClose={() => setChanged(undefined)} /> : null}
        {deleted ? <DeleteRoleDialog role={deleted} onClose={() => setDeleted(undefined)} /> : null}
      </ListTab>
    </div>
  )
}

function RoleCard({ role, onChange, onDelete }: { role: Role; onChange: () => void; onDelete: () => void }) {
  return (
    <section className={`card ${styles.role}`} aria-label={`Role ${role.name}`}>
      <div className="row">
        <h2>
          <bdi>{role.name}</bdi>
        </h2>
        <Badge word={role.role_type} />
      </div>
      <p>
        <bdi>{role.policy.description}</bdi>
      </p>
      <RightsMatrix name={`Rights of ${role.name}`} rows={roleRows(role)} />
      {role.role_type === 'custom' ? (
        <div className="row">
          <Button onClick={onChange}>Change</Button>
          <Button kind="danger" onClick={onDelete}>
            Delete
          </Button>
        </div>
      ) : null}
    </section>
  )
}
