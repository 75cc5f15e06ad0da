/** Creates an instance: from an image, or with the settings of a template. */
import { ForbiddenError, type Instance, type Pool } from '@bourse/sdk'
import { createInstance } from '../generated/forms/fleet.ts'
import { useAll } from '../live/all.ts'
import { useSkuNames } from '../live/choices.ts'
import { useNow } from '../live/clock.ts'
import { Fields } from '../live/forms/fields.tsx'
import { FormFrame } from '../live/forms/form-dialog.tsx'
import { useThings } from '../live/forms/things.tsx'
import { useForm } from '../live/forms/use-form.ts'
import { useAddress } from '../ui/address.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { momentText } from '../ui/values.rules.ts'
import { Moment, Money } from '../ui/values.tsx'
import { type FreeNodes, freeNodes } from './capacity.rules.ts'
import { userDataText } from './launch.rules.ts'
import { LaunchFields, launchParts } from './launch-fields.tsx'
import { launchOptions } from './login-fields.ts'
import { TemplateField } from './template-field.tsx'
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
  const [{ template }] = useAddress({ template: '' })
  const [first] = nodes?.filter(({ free }) => free > 0) ?? []
  const form = useForm(createInstance, {
    ...launchOptions,
    extras: { ...launchOptions.extras, template: '' },
    initial: first ? { pool: first.pool, sku: first.sku } : {},
    draft: 'create-instance',
    adjust: launchParts,
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
  return (
    <FormFrame form={form} action="Create instance" input={userDataText(form.typed)} onClose={onClose}>
      <div className="grid">
        <Fields of={form} names={places} />
        <TemplateField value={form.typed.template} wanted={template} onChange={form.set} />
        <Fields of={form} names={['image', 'name']} />
      </div>
      {nodes ? <PlaceText nodes={owned.get(form.typed.sku)} pool={form.typed.pool} sku={form.typed.sku} /> : null}
      <LaunchFields form={form} />
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
