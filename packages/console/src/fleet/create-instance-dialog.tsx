/** Creates an instance: from an image, or with the settings of a template. */
import { ForbiddenError, type Instance, type InstanceTemplate, NotFoundError, type Pool } from '@bourse/sdk'
import { createInstance } from '../generated/forms/fleet.ts'
import { useAll } from '../live/all.ts'
import { useSkuNames } from '../live/choices.ts'
import { client } from '../live/client.ts'
import { useNow } from '../live/clock.ts'
import { Choice } from '../live/forms/choice.tsx'
import { Fields } from '../live/forms/fields.tsx'
import { FormFrame } from '../live/forms/form-dialog.tsx'
import { optionOf, useThings } from '../live/forms/things.tsx'
import { useForm } from '../live/forms/use-form.ts'
import { useAction } from '../live/queries.ts'
import { tagsText } from '../live/tags.rules.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { momentText } from '../ui/values.rules.ts'
import { Moment, Money } from '../ui/values.tsx'
import { type FreeNodes, freeNodes } from './capacity.rules.ts'
import { fromBase64, userDataText } from './launch.rules.ts'
import { loginFields, loginOptions } from './login-fields.ts'
import { useNodeCosts } from './use-capacity.ts'

type CreateInstanceProps = { onClose: () => void; onCreated: (instance: Instance) => void }

/** The dialog, as soon as it is known where a node is free. */
export function CreateInstanceDialog(props: CreateInstanceProps) {
  const pools = useAll('list_pools', {})
  const users = useAll('list_instances', { state: ['awaiting_allocation', 'running', 'failed'] })
  const now = useNow(60)
  // Who may create instances need not be allowed to list them; what is free is not known then.
  const isBlind = users.error instanceof ForbiddenError
  const usable = pools.data?.filter(isUsable)
  const nodes = usable && users.data && freeNodes(usable, users.data, now)
  const data = usable && (nodes || isBlind) && { pools: usable, nodes }
  return (
    <Dialog title="Create an instance" isOpen isWide onClose={props.onClose}>
      <Loaded of={{ data: data || undefined, error: pools.error ?? (isBlind ? null : users.error) }}>
        {(known) => <CreateForm {...props} {...known} />}
      </Loaded>
    </Dialog>
  )
}

/** Instances do not run on what hosts brought, before it is sold or granted. */
function isUsable({ kind }: Pool): boolean {
  return kind !== 'originating'
}

type CreateFormProps = CreateInstanceProps & {
  /** Undefined where it is not known what is free. */
  nodes: readonly FreeNodes[] | undefined
  pools: readonly Pool[]
}

function CreateForm({ nodes, pools, onClose, onCreated }: CreateFormProps) {
  const [first] = nodes?.filter(({ free }) => free > 0) ?? []
  const form = useForm(createInstance, {
    ...loginOptions,
    extras: { ...loginOptions.extras, template: '' },
    initial: first ? { pool: first.pool, sku: first.sku } : {},
    draft: 'create-instance',
    adjust: ({ _preview_enable_public_ipv4: isPublic }) =>
      isPublic === 'true' ? {} : { _preview_firewall: 'omitted' },
    nouns: ['instance'],
    onDone: onCreated,
  })
  const skuName = useSkuNames()
  const inPool = (pool: string) => nodes?.filter((one) => one.pool === pool) ?? []
  const owned = new Map(inPool(form.typed.pool).map((one) => [one.sku, one]))
  // SKUs that the pool owns come first: on others the instance waits.
  const skus = useThings('sku')
    .map((option) => (owned.has(option.id) ? { ...option, note: 'in this pool' } : option))
    .toSorted((a, b) => Number(owned.has(b.id)) - Number(owned.has(a.id)))
  const places = [
    {
      name: 'pool',
      hint: 'Whose allocation it uses.',
      choices: pools.map(({ id, name }) => ({ id, name, ...(nodes && { note: poolNote(inPool(id), skuName) }) })),
    },
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
    <FormFrame form={form} action="Create instance" input={userDataText(form.typed)} onClose={onClose}>
      <div className="grid">
        <Fields of={form} names={places} />
        <TemplateField value={form.typed.template} onChange={form.set} />
        <Fields of={form} names={['image', 'name']} />
      </div>
      {nodes ? <PlaceText nodes={owned.get(form.typed.sku)} pool={form.typed.pool} sku={form.typed.sku} /> : null}
      <Fields of={form} names={loginFields} />
      <details>
        <summary>Tags, priority and network</summary>
        <div className="grid">
          <Fields of={form} names={others} />
        </div>
      </details>
    </FormFrame>
  )
}

/** What a pool has free now: "1 × h100-west until 03:00". */
function poolNote(nodes: readonly FreeNodes[], skuName: (id: string) => string): string {
  const free = nodes.filter((one) => one.free > 0)
  const texts = free.map(({ sku, free: count, until }) => {
    return `${count} × ${skuName(sku)}${until === undefined ? '' : ` until ${momentText(until)}`}`
  })
  return texts.join(', ') || 'nothing free'
}

type PlaceProps = { nodes: FreeNodes | undefined; pool: string; sku: string }

/** Whether it starts at once, what its node costs, and when that ends. */
function PlaceText({ nodes, pool, sku }: PlaceProps) {
  const dollars = useNodeCosts()({ pool: { id: pool }, sku: { id: sku } })
  if (pool === '' || sku === '') return null
  if (!nodes || nodes.free === 0) return <p className="warn">No node is free there: it waits until one is.</p>
  const { free, owned, until } = nodes
  return (
    <p>
      {free} of {owned} {owned === 1 ? 'node is' : 'nodes are'} free
      {until === undefined ? null : (
        <>
          , until <Moment at={until} />
        </>
      )}
      {dollars === undefined ? null : (
        <>
          , at <Money dollars={dollars} /> an hour
        </>
      )}
      .
    </p>
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
