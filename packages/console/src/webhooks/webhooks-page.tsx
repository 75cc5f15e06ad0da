/** The webhooks of the account. */
import type { Webhook } from '@bourse/sdk'
import { Link, useNavigate } from '@tanstack/react-router'
import { ListView } from '../live/lists/list-view.tsx'
import { useList } from '../live/queries.ts'
import { useAddress } from '../ui/address.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Empty, Page } from '../ui/page.tsx'
import type { Column } from '../ui/table.tsx'
import { Moment } from '../ui/values.tsx'
import { CreateWebhook } from './create-webhook.tsx'
import { filterText } from './webhooks.rules.ts'

/** The page. The filters of a new webhook may come with the address. */
export function WebhooksPage() {
  const [address, setAddress] = useAddress({ create: '', action: '', target: '', target_type: '', sort: '' })
  const navigate = useNavigate()
  const list = useList('list_webhooks', {})
  const create = <Button onClick={() => setAddress({ create: '1' })}>Create a webhook</Button>
  return (
    <Page
      title="Webhooks"
      help={
        <>
          A webhook sends each event that its filters match to your URL, signed, at least once. What fails is tried
          again for 28 hours, and can be sent again later.
        </>
      }
      guide="/docs/guides/events"
      actions={create}
    >
      <ListView
        name="Webhooks"
        list={list}
        columns={columns}
        keyOf={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: '/webhooks/$id', params: { id } })}
        empty={
          <Empty title="No webhook" action={create} command="bourse webhooks create --url https://example.com/hook">
            Let the server call your program when something happens. Each message is signed, and sent again until it is
            accepted.
          </Empty>
        }
      />
      <CreateWebhook
        isOpen={address.create === '1'}
        filters={address}
        onClose={() => setAddress({ create: '', action: '', target: '', target_type: '' })}
      />
    </Page>
  )
}

const columns: readonly Column<Webhook>[] = [
  {
    id: 'url',
    title: 'URL',
    value: ({ url }) => url,
    cell: ({ id, url }) => (
      <Link to="/webhooks/$id" params={{ id }}>
        {url}
      </Link>
    ),
  },
  { id: 'state', title: 'State', value: ({ state }) => state, cell: ({ state }) => <Badge word={state} /> },
  { id: 'filters', title: 'Sends', value: filterText, cell: filterText },
  {
    id: 'last_success_at',
    title: 'Last success',
    value: ({ last_success_at }) => last_success_at,
    cell: ({ last_success_at }) => <Moment at={last_success_at} />,
  },
  {
    id: 'last_failure_at',
    title: 'Last failure',
    value: ({ last_failure_at }) => last_failure_at,
    cell: ({ last_failure_at }) => <Moment at={last_failure_at} />,
  },
  {
    id: 'description',
    title: 'Description',
    value: ({ description }) => description,
    cell: ({ description }) => description,
    isExtra: true,
  },
]
