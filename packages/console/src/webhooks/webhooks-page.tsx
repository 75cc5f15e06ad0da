/** The webhooks of the account. */

import { webhooks } from '../generated/rows/webhooks.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { ListPage } from '../live/lists/list-page.tsx'
import { useAddress } from '../ui/address.ts'
import { CreateWebhook } from './create-webhook.tsx'
import { Filters } from './filters.tsx'
import { filterText } from './webhooks.rules.ts'

const noFilters = { create: '', action: '', target: '', target_type: '' }

/** The page. The filters of a new webhook may come with the address. */
export function WebhooksPage() {
  const [filters, setAddress] = useAddress(noFilters)
  return (
    <ListPage
      title="Webhooks"
      help="A webhook sends each event that its filters match to your URL, signed, at least once. What fails is tried
        again for 28 hours, and can be sent again later."
      guide="/docs/guides/events"
      name="Webhooks"
      operation="list_webhooks"
      columns={columns}
      page="/webhooks/$id"
      create={{
        label: 'Create a webhook',
        dialog: () => <CreateWebhook filters={filters} onClose={() => setAddress(noFilters)} />,
      }}
      empty={{
        title: 'No webhook',
        command: 'bourse webhooks create --url https://example.com/hook',
        text: `Let the server call your program when something happens. Each message is signed, and sent again until
          it is accepted.`,
      }}
    />
  )
}

const columns = columnsOf(
  webhooks,
  [
    { of: 'url', isName: true },
    'state',
    { id: 'filters', title: 'Sends', value: (row) => filterText(row), cell: (row) => <Filters webhook={row} /> },
    { of: 'last_success_at', as: 'moment' },
    { of: 'last_failure_at', as: 'moment' },
  ],
  ['description'],
)
