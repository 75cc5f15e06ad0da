/** Creates a procurement, and changes one. */
import type { CreateProcurementBody, Procurement, UpdateProcurementBody } from '@bourse/sdk'
import { useState } from 'react'
import { usePools, useSkus } from '../fleet/choices.ts'
import { client } from '../live/client.ts'
import { useDraft } from '../live/drafts/use-draft.ts'
import { Choice } from '../live/forms/choice.tsx'
import { priceText, spanText } from '../live/forms/typed.rules.ts'
import type { Noun } from '../live/nouns.rules.ts'
import { useAction } from '../live/queries.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { say } from '../ui/toasts.tsx'
import { changesOf, emptyProcurement, type ProcurementDraft, procurementRequest } from './automation.rules.ts'
import { FormFrame } from './form-frame.tsx'
import { TextField } from './text-field.tsx'

const nouns: readonly Noun[] = ['procurement', 'order', 'balance', 'pool']

type CreateProps = { isOpen: boolean; onClose: () => void; onCreated: (procurement: Procurement) => void }

/** The dialog that creates one. */
export function CreateProcurementDialog({ isOpen, onClose, onCreated }: CreateProps) {
  return (
    <Dialog title="Create a procurement" isOpen={isOpen} onClose={onClose} isWide>
      <CreateForm onClose={onClose} onCreated={onCreated} />
    </Dialog>
  )
}

function CreateForm({ onClose, onCreated }: Omit<CreateProps, 'isOpen'>) {
  const [draft, setDraft, clear] = useDraft<ProcurementDraft>('create-procurement', emptyProcurement)
  const pools = usePools(['market', 'originating'])
  const buys = pools.rows.find(({ id }) => id === draft.pool)?.kind !== 'originating'
  const create = useAction((body: CreateProcurementBody) => client.procurements.create(body), {
    nouns,
    onDone: (made) => {
      clear()
      say(`Created ${made.name}.`)
      onCreated(made)
    },
  })
  return (
    <FormFrame
      about="new procurement"
      asked={procurementRequest(draft, buys)}
      estimate={(body) => client.procurements.estimate(body as CreateProcurementBody)}
      onSave={(body) => create.run(body as CreateProcurementBody)}
      onClose={onClose}
      isSaving={create.isRunning}
      error={create.error}
      verb="Create procurement"
      program={{
        ...{ command: 'procurements create', method: 'POST', path: '/preview/v2/procurements' },
        call: 'procurements.create',
      }}
      fields={(problemOf) => (
        <Fields
          draft={draft}
          onChange={(next) => setDraft({ ...draft, ...next })}
          error={create.error}
          problemOf={problemOf}
          buys={buys}
        />
      )}
    />
  )
}

type EditProps = { procurement: Procurement; isOpen: boolean; onClose: () => void }

/** The dialog that changes one. */
export function EditProcurementDialog({ procurement, isOpen, onClose }: EditProps) {
  return (
    <Dialog title={`Edit ${procurement.name}`} isOpen={isOpen} onClose={onClose} isWide>
      <EditForm procurement={procurement} onClose={onClose} />
    </Dialog>
  )
}

function EditForm({ procurement, onClose }: Omit<EditProps, 'isOpen'>) {
  const { id } = procurement
  const buys = procurement.max_buy_price_dollars_per_node_hour !== null
  const [draft, setDraft] = useState(() => draftOf(procurement))
  const asked = procurementRequest(draft, buys)
  const save = useAction((body: UpdateProcurementBody) => client.procurements.update(id, body), {
    nouns,
    onDone: ({ name }) => {
      say(`Saved ${name}.`)
      onClose()
    },
  })
  const { pool: _, ...body } = 'body' in asked ? asked.body : {}
  return (
    <FormFrame
      about={id}
      asked={'body' in asked ? { body: changesOf(body, { ...procurement, sku: procurement.sku.id }) } : asked}
      estimate={(change) => client.procurements.createUpdateEstimate(id, change as UpdateProcurementBody)}
      onSave={(change) => save.run(change as UpdateProcurementBody)}
      onClose={onClose}
      isSaving={save.isRunning}
      error={save.error}
      verb="Save"
      program={{
        ...{ command: `procurements update ${id}`, method: 'PATCH', path: `/preview/v2/procurements/${id}` },
        ...{ call: 'procurements.update', id },
      }}
      fields={(problemOf) => (
        <Fields
          draft={draft}
          onChange={(next) => setDraft({ ...draft, ...next })}
          error={save.error}
          problemOf={problemOf}
          buys={buys}
          isFixed
        />
      )}
    />
  )
}

function draftOf(procurement: Procurement): ProcurementDraft {
  const { target } = procurement
  return {
    name: procurement.name,
    pool: procurement.pool.id,
    sku: procurement.sku.id,
    target: target === 'node_count' ? '1' : String(target),
    follows: target === 'node_count',
    buy: priceText(procurement.max_buy_price_dollars_per_node_hour),
    sell: priceText(procurement.min_sell_price_dollars_per_node_hour),
    window: spanText(procurement.managed_window_minutes),
  }
}

type FieldsProps = {
  draft: ProcurementDraft
  onChange: (change: Partial<ProcurementDraft>) => void
  error: Error | null
  problemOf: (name: keyof ProcurementDraft) => string | undefined
  buys: boolean
  /** The pool of a procurement stays as it is. */
  isFixed?: boolean
}

function Fields({ draft, onChange, error, problemOf, buys, isFixed = false }: FieldsProps) {
  const pools = usePools(['market', 'originating']).options
  const skus = useSkus().options
  return (
    <div className="grid">
      {isFixed ? null : (
        <Field label="Pool" name="pool" error={error} wrong={problemOf('pool')}>
          <Choice value={draft.pool} onChange={(pool) => onChange({ pool })} options={pools} empty="Choose…" />
        </Field>
      )}
      <Field label="SKU" name="sku" error={error} wrong={problemOf('sku')}>
        <Choice value={draft.sku} onChange={(sku) => onChange({ sku })} options={skus} empty="Choose…" />
      </Field>
      <Field label="As many as there are instances" hint="It buys a node for each instance and sells the rest.">
        <input
          type="checkbox"
          checked={draft.follows}
          onChange={({ target }) => onChange({ follows: target.checked })}
        />
      </Field>
      {draft.follows ? null : (
        <TextField
          label="Nodes"
          value={draft.target}
          onChange={(target) => onChange({ target })}
          isWhole
          field={{ name: 'target', error, wrong: problemOf('target'), hint: 'To have in each minute of the window.' }}
        />
      )}
      {buys ? (
        <TextField
          label="Buys at most at"
          value={draft.buy}
          onChange={(buy) => onChange({ buy })}
          field={{
            ...{ name: 'max_buy_price_dollars_per_node_hour', error, wrong: problemOf('buy') },
            hint: 'Dollars a node-hour, for what is missing.',
          }}
        />
      ) : null}
      <TextField
        label="Sells at least at"
        value={draft.sell}
        onChange={(sell) => onChange({ sell })}
        field={{
          ...{ name: 'min_sell_price_dollars_per_node_hour', error, wrong: problemOf('sell') },
          hint: 'Dollars a node-hour, for what is left over.',
        }}
      />
      <TextField
        label="Looks ahead"
        value={draft.window}
        onChange={(window) => onChange({ window })}
        field={{
          ...{ name: 'managed_window_minutes', error, wrong: problemOf('window') },
          hint: 'Such as 90m, 24h or 7d, up to 90d.',
        }}
      />
      <TextField
        label="Name"
        value={draft.name}
        onChange={(name) => onChange({ name })}
        field={{ name: 'name', error, wrong: problemOf('name'), hint: 'Empty: a generated one.' }}
      />
    </div>
  )
}
