/** The dialogs of hosts. */

import type { CreatedHostEnrolment, Host } from '@bourse/sdk'
import { counted } from '@bourse/text/formats/amounts.ts'
import { hourSeconds } from '@bourse/text/time/units.ts'
import { useState } from 'react'
import { createHostEnrolment, drainHost } from '../generated/forms/operator.ts'
import { useNow } from '../live/clock.ts'
import { ConfirmOperation } from '../live/forms/confirm.tsx'
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

/** Asks before a host retires. One that is unreachable retires in any state, which ends its instances. */
export function RetireDialog({ host, onClose }: OperatorDialogProps & { host: Host }) {
  const { id, name, state, health, instances } = host
  const isLost = health === 'unreachable' && state !== 'drained'
  return (
    <ConfirmOperation
      operation="retire_host"
      params={{ id }}
      input={isLost ? { force: true } : undefined}
      title={`Retire ${name}?`}
      action="Retire"
      typed={name}
      nouns={['host', 'pool', 'instance']}
      onClose={onClose}
    >
      {isLost ? (
        <>
          <p>
            It is not drained, and it does not report. Go on only if it is gone for good and none of its machines runs.
          </p>
          <p>
            {instances.length === 0
              ? 'No instance is on it.'
              : `This ends ${counted(instances.length, 'instance')} on it at once, without notice.`}{' '}
            Its free nodes leave their pool, and sold nodes stay sold.
          </p>
        </>
      ) : null}
      <p>It leaves for good. Enrol it anew to use it again.</p>
    </ConfirmOperation>
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
