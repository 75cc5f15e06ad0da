/** The page of one resource: its name, what can be done with it, and what it shows once it is read. */
import type { Answer } from '@bourse/sdk'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Loaded } from '../../ui/loaded.tsx'
import { Page, type PageParent } from '../../ui/page.tsx'
import type { ItemName } from '../operations.ts'
import { useItem } from '../queries.ts'

type ItemPageProps<N extends ItemName> = {
  operation: N
  help: string
  guide: string
  /** Milliseconds after which it is read again, where no event tells that it has changed. */
  every?: number
  /** The list that it is of. */
  parent?: PageParent
  titleOf: (item: Answer<N>) => string
  /** What stands behind its name: its state. */
  beside?: (item: Answer<N>) => ReactNode
  actions?: (item: Answer<N>) => ReactNode
  children: (item: Answer<N>) => ReactNode
}

/** The page of the resource whose id is in the address. */
export function ItemPage<N extends ItemName>(props: ItemPageProps<N>) {
  const { operation, help, guide, every, parent, titleOf, beside, actions, children } = props
  const { id } = useParams({ strict: false }) as { id: string }
  const item = useItem(operation, id, every === undefined ? {} : { every })
  const { data } = item
  return (
    <Page
      title={data ? titleOf(data) : id}
      help={help}
      guide={guide}
      parent={parent}
      beside={data && beside?.(data)}
      actions={data && actions?.(data)}
    >
      <Loaded of={item}>{children}</Loaded>
    </Page>
  )
}
