/** Replaces an instance by a successor from an image, and shows what the successor takes over. */
import type { Instance } from '@bourse/sdk'
import { replaceInstance } from '../generated/forms/fleet.ts'
import { instances } from '../generated/rows/fleet.ts'
import { Fields } from '../live/forms/fields.tsx'
import { FormFrame } from '../live/forms/form-dialog.tsx'
import { useForm } from '../live/forms/use-form.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { Details } from '../live/lists/details.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { say } from '../ui/toasts.tsx'
import { userDataText } from './launch.rules.ts'
import { loginFields, loginOptions } from './login-fields.ts'

type ReplaceProps = { instance: Instance; onClose: () => void; onReplaced: (successor: Instance) => void }

/** The dialog. */
export function ReplaceDialog({ instance, onClose, onReplaced }: ReplaceProps) {
  const form = useForm(replaceInstance, {
    ...loginOptions,
    params: { id: instance.id },
    initial: { image: instance.image.id },
    nouns: ['instance'],
    onDone: (successor) => {
      say(`Replaced ${instance.name} by ${successor.name}.`)
      onReplaced(successor)
    },
  })
  const userData = userDataText(form.typed)
  return (
    <Dialog title={`Replace ${instance.name}`} isOpen isWide onClose={onClose}>
      <FormFrame form={form} action="Replace" isDangerous input={userData} onClose={onClose}>
        <p>
          The machine and its disk end, and its successor starts on the same slot. It costs nothing beyond what is
          bought.
        </p>
        <div className="grid">
          <Fields of={form} names={['image', 'name']} />
        </div>
        <Fields of={form} names={loginFields} />
        {instance.cloud_init_user_data_used && userData === '' && !instance.ssh_keys ? (
          <p className="warn">
            Its user data is not taken over. Without any, nobody can log in to a machine of a public image.
          </p>
        ) : null}
        <section className="card" aria-label="What the successor takes over">
          <h3>The successor takes over</h3>
          <Details columns={inherited} row={instance} />
          <p className="quiet small">Not taken over: the disk, the user data, the name, the host keys and the id.</p>
        </section>
      </FormFrame>
    </Dialog>
  )
}

const inherited = columnsOf(instances, [
  'workspace',
  'pool',
  'sku',
  { of: 'subnet', none: 'isolated' },
  {
    of: '_preview_enable_public_ipv4',
    cell: ({ _preview_enable_public_ipv4: isPublic }) => (isPublic ? 'yes, another one' : 'none'),
  },
  '_preview_firewall',
  { of: '_preview_infiniband_partition', none: 'none' },
  'priority_level',
  'tags',
  {
    id: 'keys',
    title: 'SSH keys',
    value: ({ ssh_keys = [] }) => ssh_keys.map(({ name }) => name).join(', '),
    none: 'none',
  },
  { of: 'managed_by', title: 'Deployment', none: 'none' },
])
