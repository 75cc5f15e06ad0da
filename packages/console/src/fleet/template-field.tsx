/** The choice of a template, whose settings fill the other fields of a form. */
import { type InstanceTemplate, NotFoundError } from '@bourse/sdk'
import { useEffect, useRef } from 'react'
import type { createInstance } from '../generated/forms/fleet.ts'
import { useAll } from '../live/all.ts'
import { client } from '../live/client.ts'
import { Choice } from '../live/forms/choice.tsx'
import { optionOf } from '../live/forms/things.tsx'
import { useAction } from '../live/queries.ts'
import { tagsText } from '../live/tags.rules.ts'
import { Field } from '../ui/field.tsx'
import { fromBase64 } from './launch.rules.ts'

type TemplateSettings = Partial<Record<'template' | keyof typeof createInstance.fields, string>>

type TemplateFieldProps = {
  value: string
  /** The template that is to be chosen at first. */
  wanted: string
  onChange: (change: TemplateSettings) => void
}

/** A template fills the other fields, which can be changed then. */
export function TemplateField({ value, wanted, onChange }: TemplateFieldProps) {
  const { data: templates } = useAll('list_instance_templates', {})
  const { run, error } = useAction(async (id: string) => {
    const template = templates?.find((one) => one.id === id)
    onChange(template ? await settingsOf(template) : { template: '' })
  })
  const isTaken = useRef(false)
  useEffect(() => {
    if (isTaken.current || wanted === '' || wanted === value || !templates) return
    isTaken.current = true
    run(wanted)
  }, [wanted, value, templates, run])
  return (
    <Field
      label="Template"
      hint="Fills in image, keys, user data, tags and network."
      wrong={error ? `Its user data cannot be read: ${error.message}` : undefined}
    >
      <Choice value={value} onChange={run} options={(templates ?? []).map(optionOf)} empty="None" />
    </Field>
  )
}

async function settingsOf(template: InstanceTemplate): Promise<TemplateSettings> {
  return {
    template: template.id,
    image: template.image.id,
    // A template without keys says nothing about them: one's own stay chosen.
    ssh_keys: template.ssh_keys.join(', '),
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
