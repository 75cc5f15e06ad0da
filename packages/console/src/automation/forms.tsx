/** The forms of deployments and procurements: what they say, and what would be bought and sold with it. */
import type { Deployment, Procurement } from '@bourse/sdk'
import type { ReactNode } from 'react'
import { usePools } from '../fleet/choices.ts'
import {
  createDeployment,
  createProcurement,
  updateDeployment,
  updateProcurement,
} from '../generated/forms/automation.ts'
import { Fields } from '../live/forms/fields.tsx'
import { FormFrame } from '../live/forms/form-dialog.tsx'
import { type LiveForm, useForm } from '../live/forms/use-form.ts'
import { useAddress } from '../ui/address.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { say } from '../ui/toasts.tsx'
import { EstimateView } from './estimate-view.tsx'
import { type EstimateName, useEstimate } from './use-estimate.ts'

type CreateAutomationProps<T> = { onClose: () => void; onCreated: (made: T) => void }

const ofDeployments = ['deployment', 'instance', 'order', 'balance'] as const
const ofProcurements = ['procurement', 'order', 'balance', 'pool'] as const
const price = 'max_buy_price_dollars_per_node_hour'

const deploymentFields = [
  {
    name: 'instance_template',
    label: 'Template',
    hint: 'Image, user data and network of its instances. Another one touches only instances to come.',
  },
  { name: 'target_instance_count', label: 'Instances' },
  { name: price, label: 'Maximum price' },
  'name',
  { name: 'instance_name_template', label: 'Names of instances' },
] as const

/** Creates a deployment. */
export function CreateDeploymentDialog({ onClose, onCreated }: CreateAutomationProps<Deployment>) {
  const [{ template }] = useAddress({ template: '' })
  const form = useForm(createDeployment, {
    // What was begun before is of another template.
    ...(template === '' ? { draft: 'create-deployment' } : {}),
    initial: { target_instance_count: '1', instance_template: template },
    adjust: ({ kind }) => ({ [price]: kind === 'spot' ? 'needed' : 'omitted' }),
    nouns: ofDeployments,
    onDone: (made) => {
      say(`Created ${made.name}.`)
      onCreated(made)
    },
  })
  const pools = usePools(form.typed.kind === 'spot' ? ['market'] : ['market', 'read_only']).options
  const kind = {
    name: 'kind',
    hint: 'Neither kind ever sells.',
    words: { spot: 'Spot: it buys what its instances run on' },
    empty: 'Generic: it uses what the pool has',
  } as const
  return (
    <AutomationDialog title="Create a deployment" action="Create deployment" form={form} onClose={onClose}>
      <Fields of={form} names={[kind, { name: 'pool', choices: pools }, 'sku', ...deploymentFields]} />
    </AutomationDialog>
  )
}

/** Changes a deployment. Its kind, pool and SKU stay as they are. */
export function EditDeploymentDialog({ deployment, onClose }: { deployment: Deployment; onClose: () => void }) {
  const isSpot = deployment.object === 'spot_deployment'
  const form = useForm(updateDeployment, {
    params: { id: deployment.id },
    before: deployment,
    adjust: () => ({ [price]: isSpot ? 'needed' : 'omitted' }),
    nouns: ofDeployments,
    onDone: saidOf(onClose),
  })
  return (
    <AutomationDialog title={`Edit ${deployment.name}`} action="Save" form={form} onClose={onClose}>
      <Fields of={form} names={deploymentFields} />
    </AutomationDialog>
  )
}

const procurementFields = [
  { name: 'target', label: 'Nodes', hint: 'To have in each minute of the window.' },
  price,
  'min_sell_price_dollars_per_node_hour',
  { name: 'managed_window_minutes', hint: 'Such as 90m, 24h or 7d, up to 90d.' },
  'name',
] as const

/** Creates a procurement. On an originating pool it never buys. */
export function CreateProcurementDialog({ onClose, onCreated }: CreateAutomationProps<Procurement>) {
  const pools = usePools(['market', 'originating'])
  const isSelling = (pool: string | undefined) => pools.rows.find(({ id }) => id === pool)?.kind === 'originating'
  const form = useForm(createProcurement, {
    draft: 'create-procurement',
    initial: { target: '1', managed_window_minutes: '1d' },
    adjust: ({ pool }) => ({ [price]: isSelling(pool) ? 'omitted' : 'needed' }),
    nouns: ofProcurements,
    onDone: (made) => {
      say(`Created ${made.name}.`)
      onCreated(made)
    },
  })
  return (
    <AutomationDialog title="Create a procurement" action="Create procurement" form={form} onClose={onClose}>
      <Fields of={form} names={[{ name: 'pool', choices: pools.options }, 'sku']} />
      <Target form={form} />
    </AutomationDialog>
  )
}

/** Changes a procurement. Its pool stays as it is. */
export function EditProcurementDialog({ procurement, onClose }: { procurement: Procurement; onClose: () => void }) {
  const form = useForm(updateProcurement, {
    params: { id: procurement.id },
    before: procurement,
    adjust: () => ({ [price]: procurement[price] === null ? 'omitted' : 'needed' }),
    nouns: ofProcurements,
    onDone: saidOf(onClose),
  })
  return (
    <AutomationDialog title={`Edit ${procurement.name}`} action="Save" form={form} onClose={onClose}>
      <Fields of={form} names={['sku']} />
      <Target form={form} />
    </AutomationDialog>
  )
}

type ProcurementField = (typeof procurementFields)[number]
type ProcurementForm = LiveForm<Exclude<ProcurementField, object> | Extract<ProcurementField, object>['name']>

/** How many nodes it keeps, and the fields after that. */
function Target({ form }: { form: ProcurementForm }) {
  const follows = form.typed.target === 'node_count'
  const [count, ...rest] = procurementFields
  return (
    <>
      <Field label="As many as there are instances" hint="It buys a node for each instance and sells the rest." isBox>
        <input
          type="checkbox"
          checked={follows}
          onChange={({ target }) => form.set({ target: target.checked ? 'node_count' : '1' })}
        />
      </Field>
      <Fields of={form} names={[!follows && count, ...rest]} />
    </>
  )
}

function saidOf(onClose: () => void) {
  return ({ name }: { name: string }) => {
    say(`Saved ${name}.`)
    onClose()
  }
}

/** The operations that say what a form would do. */
const estimates = {
  create_deployment: 'create_deployment_estimate',
  update_deployment: 'create_deployment_update_estimate',
  create_procurement: 'create_procurement_estimate',
  update_procurement: 'create_procurement_update_estimate',
} as const satisfies Readonly<Record<string, EstimateName>>

type AutomationDialogProps = { title: string; action: string; form: LiveForm; onClose: () => void; children: ReactNode }

/** The dialog: the fields, and what would happen with them. */
function AutomationDialog({ title, action, form, onClose, children }: AutomationDialogProps) {
  const operation = estimates[form.form.operation as keyof typeof estimates]
  const isEmpty = form.isChange && Object.keys(form.body).length === 0
  // What is being saved exists a moment later, and an estimate of a second one would be refused.
  const next = useEstimate(operation, form.params, form.isRunning || form.isWrong ? null : form.body)
  return (
    <Dialog title={title} isOpen isWide onClose={onClose}>
      <FormFrame form={form} action={action} onClose={onClose}>
        <div className="grid">{children}</div>
        {form.isWrong ? (
          <p className="quiet">Fill in the form to see what it would buy and sell, and the most that it can cost.</p>
        ) : (
          <section className="card" aria-label="Preview">
            <h3>{isEmpty ? 'As it is now' : 'With this'}</h3>
            <EstimateView {...next} />
          </section>
        )}
      </FormFrame>
    </Dialog>
  )
}
