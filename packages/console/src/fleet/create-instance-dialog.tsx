/** Creates an instance: from an image, or with the settings of a template. */

import { type CreateInstanceBody, type Instance, type InstanceTemplate, NotFoundError } from '@bourse/sdk'
import { withInput } from '@bourse/text/shell.ts'
import { type FormEvent, useState } from 'react'
import { client } from '../live/client.ts'
import { useDraft } from '../live/drafts/use-draft.ts'
import { Choice } from '../live/forms/choice.tsx'
import { useAction } from '../live/queries.ts'
import { tagsText } from '../live/tags.rules.ts'
import { Button } from '../ui/button.tsx'
import { CodeLines } from '../ui/code-lines.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Field } from '../ui/field.tsx'
import { asCli, asCurl, asSdk } from '../ui/requests.rules.ts'
import { useImages, usePools, useSkus, useTemplates } from './choices.ts'
import { emptyLaunch, fromBase64, type LaunchDraft, launchRequest } from './launch.rules.ts'
import { type LaunchFieldsProps, LoginFields, MoreFields } from './launch-fields.tsx'

type CreateInstanceProps = { isOpen: boolean; onClose: () => void; onCreated: (instance: Instance) => void }

/** The dialog. */
export function CreateInstanceDialog(props: CreateInstanceProps) {
  return (
    <Dialog title="Create an instance" isOpen={props.isOpen} onClose={props.onClose} isWide>
      <CreateForm {...props} />
    </Dialog>
  )
}

function CreateForm({ onClose, onCreated }: CreateInstanceProps) {
  // The keys are public, and the user data stays out of the draft: it may hold secrets.
  const [kept, keep, clear] = useDraft<LaunchDraft>('create-instance', emptyLaunch)
  const [userData, setUserData] = useState('')
  const [isAsked, setAsked] = useState(false)
  const draft = { ...emptyLaunch, ...kept, user_data: userData }
  const change = ({ user_data, ...rest }: Partial<LaunchDraft>) => {
    if (user_data !== undefined) setUserData(user_data)
    if (Object.keys(rest).length > 0) keep({ ...draft, ...rest, user_data: '' })
  }
  const create = useAction((body: CreateInstanceBody) => client.instances.create(body), {
    nouns: ['instance'],
    onDone: (instance) => {
      clear()
      onCreated(instance)
    },
  })
  const request = launchRequest(draft)
  const problemOf = (name: keyof LaunchDraft) =>
    isAsked && 'wrong' in request && request.wrong === name ? request.message : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setAsked(true)
    if ('body' in request) create.run(request.body as CreateInstanceBody)
  }
  const parts = { draft, onChange: change, error: create.error, problemOf }
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <PlaceFields {...parts} />
      <LoginFields {...parts} />
      <MoreFields {...parts} />
      {'body' in request ? <CreateLines draft={draft} body={request.body} userData={request.user_data} /> : null}
      <ErrorText error={create.error} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" kind="primary" isBusy={create.isRunning}>
          Create instance
        </Button>
      </DialogActions>
    </form>
  )
}

function PlaceFields({ draft, onChange, error, problemOf }: LaunchFieldsProps) {
  const pools = usePools(['market', 'read_only'])
  const skus = useSkus()
  const images = useImages()
  const owned = pools.rows.find(({ id }) => id === draft.pool)?.allocation_schedule.by_sku ?? {}
  // SKUs that the pool owns come first: on others the instance waits.
  const ranked = skus.options
    .map((option) => (option.id in owned ? { ...option, note: 'in this pool' } : option))
    .toSorted((a, b) => Number(b.id in owned) - Number(a.id in owned))
  return (
    <div className="grid">
      <Field label="Pool" name="pool" error={error} wrong={problemOf('pool')} hint="Whose allocation it uses.">
        <Choice value={draft.pool} onChange={(pool) => onChange({ pool })} options={pools.options} empty="Choose…" />
      </Field>
      <Field label="SKU" name="sku" error={error} wrong={problemOf('sku')} hint="It waits until the pool owns a node.">
        <Choice value={draft.sku} onChange={(sku) => onChange({ sku })} options={ranked} empty="Choose…" />
      </Field>
      <TemplateField onChange={onChange} value={draft.template} />
      <Field label="Image" name="image" error={error} wrong={problemOf('image')}>
        <Choice value={draft.image} onChange={(image) => onChange({ image })} options={images} empty="Choose…" />
      </Field>
      <Field label="Name" name="name" error={error} hint="Empty: a generated one.">
        <input value={draft.name} onChange={({ target }) => onChange({ name: target.value })} autoComplete="off" />
      </Field>
    </div>
  )
}

type TemplateProps = { value: string; onChange: (change: Partial<LaunchDraft>) => void }

/** A template fills the other fields, which can be changed then. */
function TemplateField({ value, onChange }: TemplateProps) {
  const templates = useTemplates()
  const take = useAction(async (id: string) => {
    const template = templates.rows.find((one) => one.id === id)
    if (!template) return onChange({ template: '' })
    onChange({ ...settingsOf(template), user_data: await userDataOf(template) })
  })
  const error = take.error
  return (
    <Field
      label="Template"
      hint="Fills in image, user data, tags and network."
      wrong={error ? `Its user data cannot be read: ${error.message}` : undefined}
    >
      <Choice value={value} onChange={(id) => take.run(id)} options={templates.options} empty="None" />
    </Field>
  )
}

function settingsOf(template: InstanceTemplate): Partial<LaunchDraft> {
  return {
    template: template.id,
    image: template.image.id,
    tags: tagsText(template.tags),
    priority: template.priority_level,
    subnet: template.subnet ?? '',
    has_public_ip: template._preview_enable_public_ipv4,
    firewall: template._preview_firewall ?? '',
    partition: template._preview_infiniband_partition ?? '',
  }
}

async function userDataOf({ id, cloud_init_user_data_used }: InstanceTemplate): Promise<string> {
  if (!cloud_init_user_data_used) return ''
  try {
    return fromBase64((await client.instanceTemplates.getCloudInit(id)).cloud_init_user_data)
  } catch (error) {
    if (error instanceof NotFoundError) return ''
    throw error
  }
}

type InstanceLinesProps = { draft: LaunchDraft; body: Record<string, unknown>; userData: string }

function CreateLines({ draft, body, userData }: InstanceLinesProps) {
  const tags = Object.entries((body.tags ?? {}) as Record<string, string>)
  const flags = {
    pool: draft.pool,
    sku: draft.sku,
    image: draft.image,
    name: draft.name.trim(),
    'cloud-init-user-data': userData === '' ? '' : '-',
    'priority-level': draft.priority,
    subnet: draft.subnet,
    'enable-public-ipv4': draft.has_public_ip,
    firewall: draft.has_public_ip ? draft.firewall : '',
    'infiniband-partition': draft.partition,
  }
  const tagged = tags.map(([key, value]) => asCli('', { tag: `${key}=${value}` }).replace('bourse ', ''))
  const cli = withInput(asCli('instances create', flags) + tagged.join(''), userData)
  const path = '/v2/instances'
  return (
    <CodeLines
      ways={{
        CLI: cli,
        curl: asCurl({ method: 'POST', path, body }, location.origin),
        SDK: asSdk('instances.create', body),
      }}
    />
  )
}
