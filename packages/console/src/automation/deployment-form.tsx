/** Creates a deployment, and changes one. */
import type { CreateDeploymentBody, Deployment, UpdateDeploymentBody } from '@bourse/sdk'
import { useState } from 'react'
import { usePools, useSkus, useTemplates } from '../fleet/choices.ts'
import { client } from '../live/client.ts'
import { useDraft } from '../live/drafts/use-draft.ts'
import { Choice } from '../live/forms/choice.tsx'
import { priceText } from '../live/forms/typed.rules.ts'
import type { Noun } from '../live/nouns.rules.ts'
import { useAction } from '../live/queries.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { say } from '../ui/toasts.tsx'
import { changesOf, type DeploymentDraft, deploymentRequest, emptyDeployment } from './automation.rules.ts'
import { FormFrame } from './form-frame.tsx'
import { TextField } from './text-field.tsx'

const nouns: readonly Noun[] = ['deployment', 'instance', 'order', 'balance']

type CreateProps = { isOpen: boolean; onClose: () => void; onCreated: (deployment: Deployment) => void }

/** The dialog that creates one. */
export function CreateDeploymentDialog({ isOpen, onClose, onCreated }: CreateProps) {
  return (
    <Dialog title="Create a deployment" isOpen={isOpen} onClose={onClose} isWide>
      <CreateForm onClose={onClose} onCreated={onCreated} />
    </Dialog>
  )
}

function CreateForm({ onClose, onCreated }: Omit<CreateProps, 'isOpen'>) {
  const [draft, setDraft, clear] = useDraft<DeploymentDraft>('create-deployment', emptyDeployment)
  const create = useAction((body: CreateDeploymentBody) => client.deployments.create(body), {
    nouns,
    onDone: (made) => {
      clear()
      say(`Created ${made.name}.`)
      onCreated(made)
    },
  })
  return (
    <FormFrame
      about="new deployment"
      asked={deploymentRequest(draft)}
      estimate={(body) => client.deployments.estimate(body as CreateDeploymentBody)}
      onSave={(body) => create.run(body as CreateDeploymentBody)}
      onClose={onClose}
      isSaving={create.isRunning}
      error={create.error}
      verb="Create deployment"
      program={{
        ...{ command: 'deployments create', method: 'POST', path: '/preview/v2/deployments' },
        call: 'deployments.create',
      }}
      fields={(problemOf) => (
        <Fields
          draft={draft}
          onChange={(next) => setDraft({ ...draft, ...next })}
          error={create.error}
          problemOf={problemOf}
        />
      )}
    />
  )
}

type EditProps = { deployment: Deployment; isOpen: boolean; onClose: () => void }

/** The dialog that changes one. */
export function EditDeploymentDialog({ deployment, isOpen, onClose }: EditProps) {
  return (
    <Dialog title={`Edit ${deployment.name}`} isOpen={isOpen} onClose={onClose} isWide>
      <EditForm deployment={deployment} onClose={onClose} />
    </Dialog>
  )
}

function EditForm({ deployment, onClose }: Omit<EditProps, 'isOpen'>) {
  const { id } = deployment
  const [draft, setDraft] = useState(() => draftOf(deployment))
  const asked = deploymentRequest(draft)
  const save = useAction((body: UpdateDeploymentBody) => client.deployments.update(id, body), {
    nouns,
    onDone: ({ name }) => {
      say(`Saved ${name}.`)
      onClose()
    },
  })
  const before = { ...deployment, instance_template: deployment.instance_template.id }
  const { kind: _, pool: __, sku: ___, ...body } = 'body' in asked ? asked.body : {}
  return (
    <FormFrame
      about={id}
      asked={'body' in asked ? { body: changesOf(body, before) } : asked}
      estimate={(change) => client.deployments.createUpdateEstimate(id, change as UpdateDeploymentBody)}
      onSave={(change) => save.run(change as UpdateDeploymentBody)}
      onClose={onClose}
      isSaving={save.isRunning}
      error={save.error}
      verb="Save"
      program={{
        ...{ command: `deployments update ${id}`, method: 'PATCH', path: `/preview/v2/deployments/${id}` },
        ...{ call: 'deployments.update', id },
      }}
      fields={(problemOf) => (
        <Fields
          draft={draft}
          onChange={(next) => setDraft({ ...draft, ...next })}
          error={save.error}
          problemOf={problemOf}
          isFixed
        />
      )}
    />
  )
}

function draftOf(deployment: Deployment): DeploymentDraft {
  return {
    kind: deployment.object === 'spot_deployment' ? 'spot' : 'generic',
    name: deployment.name,
    pool: deployment.pool.id,
    sku: deployment.sku.id,
    template: deployment.instance_template.id,
    count: String(deployment.target_instance_count),
    names: deployment.instance_name_template,
    price: priceText(deployment.max_buy_price_dollars_per_node_hour),
  }
}

type FieldsProps = {
  draft: DeploymentDraft
  onChange: (change: Partial<DeploymentDraft>) => void
  error: Error | null
  problemOf: (name: keyof DeploymentDraft) => string | undefined
  /** Kind, pool and SKU of a deployment stay as they are. */
  isFixed?: boolean
}

const kinds = [{ id: 'spot', name: 'Spot: it buys what its instances run on' }]

function Fields({ draft, onChange, error, problemOf, isFixed = false }: FieldsProps) {
  const templates = useTemplates().options
  return (
    <div className="grid">
      {isFixed ? null : <PlaceFields {...{ draft, onChange, error, problemOf }} />}
      <Field
        label="Template"
        name="instance_template"
        error={error}
        wrong={problemOf('template')}
        hint="Image, user data and network of its instances. Another one touches only instances to come."
      >
        <Choice
          value={draft.template}
          onChange={(template) => onChange({ template })}
          options={templates}
          empty="Choose…"
        />
      </Field>
      <TextField
        label="Instances"
        value={draft.count}
        onChange={(count) => onChange({ count })}
        isWhole
        field={{ name: 'target_instance_count', error, wrong: problemOf('count') }}
      />
      {draft.kind === 'spot' ? (
        <TextField
          label="Maximum price"
          value={draft.price}
          onChange={(price) => onChange({ price })}
          field={{
            ...{ name: 'max_buy_price_dollars_per_node_hour', error, wrong: problemOf('price') },
            hint: 'Dollars a node-hour. It never pays more.',
          }}
        />
      ) : null}
      <TextField
        label="Name"
        value={draft.name}
        onChange={(name) => onChange({ name })}
        field={{ name: 'name', error, hint: 'Empty: a generated one.' }}
      />
      <TextField
        label="Names of instances"
        value={draft.names}
        onChange={(names) => onChange({ names })}
        field={{ name: 'instance_name_template', error, hint: 'A pattern such as web-{{adjective}}-{{noun}}.' }}
      />
    </div>
  )
}

function PlaceFields({ draft, onChange, error, problemOf }: FieldsProps) {
  const isSpot = draft.kind === 'spot'
  const pools = usePools(isSpot ? ['market'] : ['market', 'read_only']).options
  const skus = useSkus().options
  return (
    <>
      <Field label="Kind" name="kind" error={error} hint="Neither kind ever sells.">
        <Choice
          value={isSpot ? 'spot' : ''}
          onChange={(kind) => onChange({ kind: kind || 'generic' })}
          options={kinds}
          empty="Generic: it uses what the pool has"
        />
      </Field>
      <Field label="Pool" name="pool" error={error} wrong={problemOf('pool')}>
        <Choice value={draft.pool} onChange={(pool) => onChange({ pool })} options={pools} empty="Choose…" />
      </Field>
      <Field label="SKU" name="sku" error={error} wrong={problemOf('sku')}>
        <Choice value={draft.sku} onChange={(sku) => onChange({ sku })} options={skus} empty="Choose…" />
      </Field>
    </>
  )
}
