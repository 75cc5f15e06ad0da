/** The dialogs of hosts. */

import type { CreatedHostEnrolment, Host } from '@bourse/sdk'
import { hourSeconds } from '@bourse/text/time/units.ts'
import { useState } from 'react'
import { createHostEnrolment, drainHost } from '../generated/forms/operator.ts'
import { useNow } from '../live/clock.ts'
import { OperationDialog } from '../live/forms/form-dialog.tsx'
import { ShownOnce } from '../ui/shown-once.tsx'

type OperatorDialogProps = { onClose: () => void }

/** The line that enrols hosts. It is shown once. */
export function EnrolForm({ onClose }: OperatorDialogProps) {
  const [made, setMade] = useState<CreatedHostEnrolment>()
  if (!made) {
    return (
      <OperationDialog
        form={createHostEnrolment}
        title="Enrol a host"
        action="Make the command"
        initial={{ slots: '1', uses: '1' }}
        fields={[
          { name: 'sku', hint: 'What each slot of the host is sold as.' },
          'slots',
          { name: 'uses', label: 'Hosts' },
        ]}
        nouns={['host']}
        onDone={setMade}
        onClose={onClose}
      />
    )
  }
  return (
    <ShownOnce title="Run this on the host" ways={{ Shell: made.command }} onClose={onClose}>
      <p>It downloads the agent from this server, enrols the host and runs the agent. It is shown once.</p>
    </ShownOnce>
  )
}

/** Drains a host. Where nodes after the deadline are sold or offered, the server says so, and `force` drains it. */
export function DrainForm({ host, onClose }: OperatorDialogProps & { host: Host }) {
  const now = useNow()
  return (
    <OperationDialog
      form={drainHost}
      params={{ id: host.id }}
      title={`Drain ${host.name}`}
      action="Drain"
      about={
        <p>
          {host.instances.length === 0
            ? 'No instance runs on it.'
            : `${host.instances.length} instances on it get notice and end by the deadline.`}
        </p>
      }
      extras={{ hours: '24' }}
      fields={[
        { name: 'hours', member: 'deadline_at', label: 'Hours from now' },
        { name: 'force', label: 'Even if nodes after the deadline are sold or offered; they stay so', hint: '' },
      ]}
      check={({ hours = '' }) => (/^\d+([.,]\d+)?$/.test(hours.trim()) ? {} : { hours: 'A number of hours.' })}
      finish={(body, { hours = '' }) => ({
        ...body,
        deadline_at: now - (now % 60) + Math.round(Number(hours.replace(',', '.')) * hourSeconds),
      })}
      nouns={['host', 'pool']}
      said={() => `${host.name} drains.`}
      onClose={onClose}
    />
  )
}
