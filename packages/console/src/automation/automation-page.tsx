/** The page of one automation: what all of them share around their content. */
import type { Answer } from '@bourse/sdk'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type ItemPage, useOpening } from '../live/lists/list-view.tsx'
import { useItem } from '../live/queries.ts'
import { useAddress } from '../ui/address.ts'
import { Button } from '../ui/button.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Loading, Page } from '../ui/page.tsx'
import { type Column, Table } from '../ui/table.tsx'

type AutomationRead = 'get_deployment' | 'get_procurement'

type AutomationPageProps<N extends AutomationRead> = {
  operation: N
  help: ReactNode
  guide: string
  content: (automation: Answer<N>) => ReactNode
  /** Its dialogs; which one is open is part of the address. */
  dialogs: (automation: Answer<N>, dialog: string, onClose: () => void) => ReactNode
}

/** The page. It is read again at its own pace: what an automation has changes without an event of its own. */
export function AutomationPage<N extends AutomationRead>(props: AutomationPageProps<N>) {
  const { operation, help, guide, content, dialogs } = props
  const { id } = useParams({ strict: false }) as { id: string }
  const [{ dialog }, setAddress] = useAddress({ dialog: '' })
  const { data, error } = useItem(operation, id, { every: 10_000 })
  const choose = (next: string) => setAddress({ dialog: next })
  return (
    <Page
      title={data?.name ?? id}
      help={help}
      guide={guide}
      actions={data ? <Actions enabled={data.enabled} onChoose={choose} /> : null}
    >
      <ErrorText error={error} />
      {data ? (
        <>
          {content(data)}
          {dialogs(data, dialog, () => choose(''))}
        </>
      ) : error ? null : (
        <Loading />
      )}
    </Page>
  )
}

function Actions({ enabled, onChoose }: { enabled: boolean; onChoose: (dialog: string) => void }) {
  return (
    <>
      <Button onClick={() => onChoose('edit')}>Edit</Button>
      <Button onClick={() => onChoose('toggle')}>{enabled ? 'Pause' : 'Resume'}</Button>
      <Button kind="danger" onClick={() => onChoose('delete')}>
        Delete
      </Button>
    </>
  )
}

type BelongingsProps<T> = {
  title: string
  /** The name of the table. */
  name: string
  rows: { readonly data: readonly T[] | undefined; readonly error: Error | null }
  columns: readonly Column<T>[]
  page: ItemPage
  /** What is said where there is none. */
  none: string
}

/** What belongs to an automation: its instances, its orders. */
export function Belongings<T extends { id: string }>({ title, name, rows, columns, page, none }: BelongingsProps<T>) {
  const [{ sort }, setAddress] = useAddress({ sort: '' })
  const opening = useOpening<T>(page)
  return (
    <section>
      <h2>{title}</h2>
      <ErrorText error={rows.error} />
      {rows.data?.length === 0 ? <p className="quiet">{none}</p> : null}
      {rows.data && rows.data.length > 0 ? (
        <Table
          {...opening}
          name={name}
          columns={columns}
          rows={rows.data}
          keyOf={({ id }) => id}
          sort={sort}
          onSort={(next) => setAddress({ sort: next })}
        />
      ) : null}
    </section>
  )
}
