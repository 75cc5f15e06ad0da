/** Creates an instance: from an image, or with the settings of a template. */
import { type Instance, type InstanceTemplate, NotFoundError } from '@bourse/sdk'
import { createInstance } from '../generated/forms/fleet.ts'
import { useAll } from '../live/all.ts'
import { client } from '../live/client.ts'
import { Choice } from '../live/forms/choice.tsx'
import { Fields } from '../live/forms/fields.tsx'
import { FormFrame } from '../live/forms/form-dialog.tsx'
import { optionOf, useThings } from '../live/forms/things.tsx'
import { useForm } from '../live/forms/use-form.ts'
import { useAction } from '../live/queries.ts'
import { tagsText } from '../live/tags.rules.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { usePools } from './choices.ts'
import { fromBase64, userDataText } from './launch.rules.ts'
import { loginFields, loginOptions } from './login-fields.ts'

type CreateInstanceProps = { onClose: () => void; onCreated: (instance: Instance) => void }

/** The dialog. */
export function CreateInstanceDialog({ onClose, onCreated }: CreateInstanceProps) {
  const form = useForm(createInstance, {
    ...loginOptions,
    extras: { ...loginOptions.extras, template: '' },
    draft: 'create-instance',
    adjust: ({ _preview_enable_public_ipv4: isPublic }) =>
      isPublic === 'true' ? {} : { _preview_firewall: 'omitted' },
    nouns: ['instance'],
    onDone: onCreated,
  })
  const pools = usePools(['market', 'read_only'])
  const owned = pools.rows.find(({ id }) => id === form.typed.pool)?.allocation_schedule.by_sku ?? {}
  // SKUs that the pool owns come first: on others the instance waits.
  const skus = useThings('sku')
    .map((option) => (option.id in owned ? { ...option, note: 'in this pool' } : option))
    .toSorted((a, b) => Number(b.id in owned) - Number(a.id in owned))
  const places = [
    { name: 'pool', hint: 'Whose allocation it uses.', choices: pools.options },
    { name: 'sku', hint: 'It waits until the pool owns a node.', choices: skus },
  ] as const
  const others = [
    'tags',
    'priority_level',
    { name: 'subnet', hint: 'None: isolated from all others.' },
    '_preview_enable_public_ipv4',
    { name: '_preview_firewall', empty: 'That of the workspace' },
    '_preview_infiniband_partition',
  ] as const
  return (
    <Dialog title="Create an instance" isOpen isWide onClose={onClose}>
      <FormFrame form={form} action="Create instance" input={userDataText(form.typed)} onClose={onClose}>
        <div className="grid">
          <Fields of={form} names={places} />
          <TemplateField value={form.typed.template} onChange={form.set} />
          <Fields of={form} names={['image', 'name']} />
        </div>
        <Fields of={form} names={loginFields} />
        <details>
          <summary>Tags, priority and network</summary>
          <div className="grid">
            <Fields of={form} names={others} />
          </div>
        </details>
      </FormFrame>
    </Dialog>
  )
}

type TemplateProps = { value: string; onChange: (change: TemplateSettings) => void }

/** A template fills the other fields, which can be changed then. */
function TemplateField({ value, onChange }: TemplateProps) {
  const { data: templates = [] } = useAll('list_instance_templates', {})
  const { run, error } = useAction(async (id: string) => {
    const template = templates.find((one) => one.id === id)
    onChange(template ? await settingsOf(template) : { template: '' })
  })
  return (
    <Field
      label="Template"
      hint="Fills in image, user data, tags and network."
      wrong={error ? `Its user data cannot be read: ${error.message}` : undefined}
    >
      <Choice value={value} onChange={run} options={templates.map(optionOf)} empty="None" />
    </Field>
  )
}

type TemplateSettings = Partial<Record<'template' | keyof typeof createInstance.fields, string>>

async function settingsOf(template: InstanceTemplate): Promise<TemplateSettings> {
  return {
    template: template.id,
    image: template.image.id,
    tags: tagsText(template.tags),
    priority_level: template.priority_level,
    subnet: template.subnet ?? '',
    _preview_enable_public_ipv4: String(template._preview_enable_public_ipv4),
    _preview_firewall: template._preview_firewall ?? '',
    _preview_infiniband_partition: template._preview_infiniband_partition ?? '',
    cloud_init_user_data: await readUserData(template),
  }
}

async function readUserData({ id, cloud_init_user_data_used }: InstanceTemplate): Promise<string> {
  if (!cloud_init_user_data_used) return ''
  try {
    return fromBase64((await client.instanceTemplates.getCloudInit(id)).cloud_init_user_data)
  } catch (error) {
    if (error instanceof NotFoundError) return ''
    throw error
  }
}
