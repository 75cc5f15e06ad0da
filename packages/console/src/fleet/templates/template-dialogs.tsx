/** The dialogs of instance templates: create one, look at one, delete it. */
import type { InstanceTemplate } from '@bourse/sdk'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { createInstanceTemplate } from '../../generated/forms/fleet.ts'
import { instanceTemplates } from '../../generated/rows/fleet.ts'
import { useAll } from '../../live/all.ts'
import { ConfirmOperation } from '../../live/forms/confirm.tsx'
import { Fields } from '../../live/forms/fields.tsx'
import { FormFrame } from '../../live/forms/form-dialog.tsx'
import { useForm } from '../../live/forms/use-form.ts'
import { columnsOf } from '../../live/lists/columns.ts'
import { Details } from '../../live/lists/details.tsx'
import type { Noun } from '../../live/nouns.rules.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { say } from '../../ui/toasts.tsx'
import { UserDataText } from '../cloud-init.tsx'
import { userDataText } from '../launch.rules.ts'
import { LaunchFields, launchParts } from '../launch-fields.tsx'
import { launchOptions } from '../login-fields.ts'
import { NetworkName } from '../network-name.tsx'

const nouns: readonly Noun[] = ['instance_template', 'limit']

type CreateProps = { onClose: () => void; onDone: (made: InstanceTemplate) => void }

/** Creates a template. */
export function CreateTemplate({ onClose, onDone }: CreateProps) {
  const form = useForm(createInstanceTemplate, {
    ...launchOptions,
    draft: 'create-template',
    adjust: launchParts,
    nouns,
    onDone: (made) => {
      say(`Created the template ${made.name}.`)
      onDone(made)
    },
  })
  return (
    <Dialog title="Create a template" isOpen isWide onClose={onClose}>
      <FormFrame form={form} action="Create template" input={userDataText(form.typed)} onClose={onClose}>
        <div className="grid">
          <Fields of={form} names={['image', 'name', 'workspace']} />
        </div>
        <LaunchFields form={form} />
      </FormFrame>
    </Dialog>
  )
}

type TemplateDialogProps = { template: InstanceTemplate; onClose: () => void }

/** One template: what it says, what uses it, what can be begun with it. */
export function TemplateDialog({ template, onClose }: TemplateDialogProps) {
  const [isDeleting, setDeleting] = useState(false)
  const { id, name } = template
  if (isDeleting) {
    return (
      <ConfirmOperation
        operation="delete_instance_template"
        params={{ id }}
        title={`Delete ${name}?`}
        action="Delete"
        nouns={nouns}
        said={`Deleted ${name}.`}
        onClose={onClose}
      >
        <p>It is refused while a deployment uses it. Instances that were started from it stay as they are.</p>
        <UsedBy id={id} />
      </ConfirmOperation>
    )
  }
  return (
    <Dialog title={name} isOpen onClose={onClose}>
      <Details columns={facts} row={template} />
      <UsedBy id={id} />
      <p className="row">
        <Link to="/instances" search={{ create: '1', template: id }} className={buttonClass('primary')}>
          Create instance
        </Link>
        <Link to="/deployments" search={{ create: '1', template: id }} className={buttonClass()}>
          Create deployment
        </Link>
      </p>
      <DialogActions>
        <Button kind="danger" onClick={() => setDeleting(true)}>
          Delete
        </Button>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  )
}

const facts = columnsOf(instanceTemplates, [
  'id',
  'workspace',
  'image',
  'priority_level',
  'tags',
  { of: 'ssh_keys', cell: ({ ssh_keys }) => <KeyNames ids={ssh_keys} /> },
  { id: 'data', title: 'User data', cell: (template) => <UserDataText of={template} /> },
  { of: 'subnet', cell: ({ subnet }) => <NetworkName operation="list_subnets" id={subnet} />, none: 'isolated' },
  {
    of: '_preview_enable_public_ipv4',
    cell: ({ _preview_enable_public_ipv4: isPublic }) => (isPublic ? 'yes' : 'none: only SSH comes in'),
  },
  {
    of: '_preview_firewall',
    cell: ({ _preview_firewall: firewall }) => <NetworkName operation="list_firewalls" id={firewall} />,
    none: 'that of the workspace',
  },
  {
    of: '_preview_infiniband_partition',
    cell: ({ _preview_infiniband_partition: partition }) => (
      <NetworkName operation="list_infiniband_partitions" id={partition} />
    ),
    none: 'none',
  },
  'created_at',
])

/** The keys that still exist, by their names. */
function KeyNames({ ids }: { ids: readonly string[] }) {
  const { data } = useAll('list_ssh_keys', {})
  if (ids.length === 0) return 'none'
  const names = new Map<string, string>(data?.map(({ id, name }) => [id, name]))
  const shown = ids.map((id) => names.get(id) ?? 'a deleted key, or one that you may not see')
  return <bdi>{shown.join(', ')}</bdi>
}

/** The deployments that start their instances from it. */
function UsedBy({ id }: { id: string }) {
  const { data = [] } = useAll('list_deployments', {})
  const users = data.filter(({ instance_template: template }) => template.id === id)
  if (users.length === 0) return <p className="quiet">No deployment uses it.</p>
  return (
    <p>
      Used by{' '}
      {users.map((one, index) => (
        <span key={one.id}>
          {index > 0 ? ', ' : ''}
          <Link to="/deployments/$id" params={{ id: one.id }}>
            <bdi>{one.name}</bdi>
          </Link>
        </span>
      ))}
      .
    </p>
  )
}
