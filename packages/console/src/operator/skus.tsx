/** The SKUs with their properties and fees: what is listed, what is simulated, what is retired. */
import type { AdministeredSku, SkuId } from '@bourse/sdk'
import { useState } from 'react'
import { client } from '../live/client.ts'
import { ListView } from '../live/lists/list-view.tsx'
import { useAction, useList } from '../live/queries.ts'
import { useAddress } from '../ui/address.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { Empty } from '../ui/page.tsx'
import { Select } from '../ui/select.tsx'
import type { Column } from '../ui/table.tsx'
import { say } from '../ui/toasts.tsx'
import { Money } from '../ui/values.tsx'
import { Catalog } from './catalog.tsx'
import { SkuForm } from './sku-form.tsx'

const shown = { '': 'On sale', listed: 'Listed', unlisted: 'Not listed', all: 'Also retired' }

/** The list. Which SKU is open is part of the address. */
export function Skus() {
  const [address, setAddress] = useAddress({ show: '', open: '' })
  const { show, open } = address
  const listed = { listed: true, unlisted: false }[show]
  const query = { listed, include_deleted: show === 'all' ? true : undefined }
  const list = useList('list_platform_skus', query, { every: 60_000 })
  const opened = list.rows.find(({ id }) => id === open)
  const close = () => setAddress({ open: '' })
  return (
    <div className="stack">
      <div className="row">
        <Button onClick={() => setAddress({ open: 'new' })}>Create a SKU</Button>
        <Button onClick={() => setAddress({ open: 'values' })}>Values of properties</Button>
        <Select label="Show" value={show} onChange={(next) => setAddress({ show: next })} options={shown} />
      </div>
      <ListView
        name="SKUs"
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        onOpen={({ id }) => setAddress({ open: id })}
        empty={
          <Empty title="No SKU" command="bourse skus create --alias h100-west --accelerator h100">
            A SKU is a kind of node that can be bought. Hosts are enrolled for one, and orders name one.
          </Empty>
        }
      />
      {open === 'new' ? <SkuForm key="new" onClose={close} /> : null}
      {open === 'values' ? <Catalog onClose={close} /> : null}
      {opened ? (
        <SkuForm key={opened.id} sku={opened} onClose={close} end={<End sku={opened} onDone={close} />} />
      ) : null}
    </div>
  )
}

const columns: readonly Column<AdministeredSku>[] = [
  { id: 'alias', title: 'SKU', value: ({ alias }) => alias, cell: ({ alias }) => <bdi>{alias}</bdi> },
  {
    id: 'state',
    title: 'State',
    value: (sku) => stateOf(sku),
    cell: (sku) => (
      <>
        <Badge word={stateOf(sku)} tone={stateOf(sku) === 'listed' ? 'good' : 'none'} />{' '}
        {sku.simulated ? <Badge word="simulated" tone="warn" /> : null}
      </>
    ),
  },
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
    id: 'fee',
    title: 'Fee',
    value: ({ fee_bps }) => fee_bps,
    cell: ({ fee_bps }) => `${fee_bps / 100} %`,
    isNumber: true,
  },
  {
    id: 'flat',
    title: 'Flat fee',
    value: (sku) => sku.flat_fee_dollars_per_node_hour,
    cell: (sku) => <Money dollars={sku.flat_fee_dollars_per_node_hour} />,
    isNumber: true,
  },
  {
    id: 'step',
    title: 'Price step',
    value: (sku) => sku.price_step_dollars_per_node_hour,
    cell: (sku) => <Money dollars={sku.price_step_dollars_per_node_hour} />,
    isNumber: true,
    isExtra: true,
  },
]

function stateOf({ deleted_at, listed }: AdministeredSku): string {
  if (deleted_at !== undefined) return 'retired'
  return listed ? 'listed' : 'not listed'
}

/** Retires a SKU, or restores it. */
function End({ sku, onDone }: { sku: AdministeredSku; onDone: () => void }) {
  const [isAsking, setAsking] = useState(false)
  const isRetired = sku.deleted_at !== undefined
  const name = sku.alias || sku.id
  const end = useAction(
    async (id: SkuId) => {
      if (isRetired) await client.skus.restore(id)
      else await client.skus.retire(id)
    },
    {
      nouns: ['sku'],
      onDone: () => {
        say(isRetired ? `${name} can be sold again.` : `${name} is retired.`)
        onDone()
      },
    },
  )
  return (
    <>
      <Button kind={isRetired ? 'usual' : 'danger'} onClick={() => setAsking(true)}>
        {isRetired ? 'Restore' : 'Retire'}
      </Button>
      <ConfirmDialog
        title={`${isRetired ? 'Restore' : 'Retire'} ${name}?`}
        action={isRetired ? 'Restore' : 'Retire'}
        isDangerous={!isRetired}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => end.run(sku.id)}
        isBusy={end.isRunning}
        error={end.error}
      >
        <p>
          {isRetired
            ? 'New orders are taken again. Its alias has to be free.'
            : 'Nothing new starts on it and no order is taken. What was sold stays sold, and instances run on.'}
        </p>
      </ConfirmDialog>
    </>
  )
}
