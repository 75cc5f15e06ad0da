/** The SKUs with their fees: what is listed, what is retired. */
import type { AdministeredSku, Sku, SkuId } from '@bourse/sdk'
import { type FormEvent, useState } from 'react'
import { client } from '../live/client.ts'
import { ListView } from '../live/list-view.tsx'
import { useAction, useList } from '../live/queries.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog, Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Field } from '../ui/field.tsx'
import { Empty } from '../ui/page.tsx'
import type { Column } from '../ui/table.tsx'
import { say } from '../ui/toasts.tsx'
import { Money } from '../ui/values.tsx'

/** The list. */
export function Skus() {
  const list = useList('sku', client.skus.list, {}, { every: 60_000 })
  const [opened, setOpened] = useState<Sku>()
  const [isNew, setNew] = useState(false)
  return (
    <div className="stack">
      <div className="row">
        <Button onClick={() => setNew(true)}>Create a SKU</Button>
      </div>
      <ListView
        name="SKUs"
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        onOpen={setOpened}
        empty={
          <Empty title="No SKU" command="bourse skus create --alias h100-west --accelerator h100">
            A SKU is a kind of node that can be bought.
          </Empty>
        }
      />
      {opened ? <SkuDialog sku={opened} onClose={() => setOpened(undefined)} /> : null}
      {isNew ? <SkuForm onClose={() => setNew(false)} /> : null}
    </div>
  )
}

const columns: readonly Column<Sku>[] = [
  { id: 'alias', title: 'SKU', value: ({ alias }) => alias, cell: ({ alias }) => alias },
  {
    id: 'accelerator',
    title: 'Accelerators',
    value: ({ accelerator }) => accelerator?.value,
    cell: ({ accelerator, num_accelerators }) =>
      accelerator ? `${num_accelerators?.display_value ?? 1} × ${accelerator.display_value}` : '–',
  },
  {
    id: 'memory',
    title: 'Memory',
    value: ({ memory_bytes }) => memory_bytes?.value,
    cell: ({ memory_bytes }) => memory_bytes?.display_value ?? '–',
    isNumber: true,
  },
  {
    id: 'region',
    title: 'Region',
    value: ({ region }) => region?.value,
    cell: ({ region }) => region?.display_value ?? '–',
  },
  {
    id: 'step',
    title: 'Price step',
    value: ({ price_step_dollars_per_node_hour }) => price_step_dollars_per_node_hour,
    cell: ({ price_step_dollars_per_node_hour }) => <Money dollars={price_step_dollars_per_node_hour} />,
    isNumber: true,
  },
]

/** One SKU: its fees, whether it is listed, and its end. */
function SkuDialog({ sku, onClose }: { sku: Sku; onClose: () => void }) {
  const [isEnding, setEnding] = useState(false)
  const [fields, setFields] = useState({ fee_bps: '', flat: '' })
  const change = useAction((body: Parameters<typeof client.skus.update>[1]) => client.skus.update(sku.id, body), {
    nouns: ['sku'],
    onDone: (changed: AdministeredSku) => say(`${changed.alias}: ${feesOf(changed)}.`),
  })
  const retire = useAction((id: SkuId) => client.skus.retire(id), { nouns: ['sku'], onDone: onClose })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.run({
      ...(fields.fee_bps ? { fee_bps: Number(fields.fee_bps) } : {}),
      ...(fields.flat ? { flat_fee_dollars_per_node_hour: fields.flat } : {}),
    })
  }
  return (
    <Dialog title={sku.alias ?? sku.id} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>Fees are taken from what sellers get. Orders that rest keep their limits.</p>
        <Field label="Fee in basis points" name="fee_bps" error={change.error} hint="100 are 1 % of the price">
          <input
            inputMode="numeric"
            value={fields.fee_bps}
            onChange={({ target }) => setFields({ ...fields, fee_bps: target.value })}
          />
        </Field>
        <Field label="Flat fee, dollars a node-hour" name="flat_fee_dollars_per_node_hour" error={change.error}>
          <input
            inputMode="decimal"
            value={fields.flat}
            onChange={({ target }) => setFields({ ...fields, flat: target.value })}
          />
        </Field>
        <ErrorText error={change.error} />
        <DialogActions>
          <Button onClick={() => change.run({ listed: false })}>Unlist</Button>
          <Button onClick={() => change.run({ listed: true })}>List</Button>
          <Button kind="danger" onClick={() => setEnding(true)}>
            Retire
          </Button>
          <Button kind="primary" type="submit" isBusy={change.isRunning}>
            Set the fees
          </Button>
        </DialogActions>
      </form>
      <ConfirmDialog
        title={`Retire ${sku.alias ?? sku.id}?`}
        action="Retire"
        isOpen={isEnding}
        onClose={() => setEnding(false)}
        onConfirm={() => retire.run(sku.id)}
        isBusy={retire.isRunning}
        error={retire.error}
      >
        <p>Its open orders are cancelled, and no new ones are taken. What was sold stays sold.</p>
      </ConfirmDialog>
    </Dialog>
  )
}

function feesOf({ listed, fee_bps, flat_fee_dollars_per_node_hour }: AdministeredSku): string {
  const fee = `fee ${fee_bps / 100} % and $${flat_fee_dollars_per_node_hour} a node-hour`
  return `${listed ? 'listed' : 'not listed'}, ${fee}`
}

function SkuForm({ onClose }: { onClose: () => void }) {
  const [alias, setAlias] = useState('')
  const create = useAction(() => client.skus.create({ alias }), {
    nouns: ['sku'],
    onDone: () => {
      say(`Created ${alias}. Set its properties by the command line: bourse skus update.`)
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.run(undefined)
  }
  return (
    <Dialog title="Create a SKU" isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label="Alias" name="alias" error={create.error}>
          <input required maxLength={64} value={alias} onChange={({ target }) => setAlias(target.value)} />
        </Field>
        <ErrorText error={create.error} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={create.isRunning}>
            Create
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
