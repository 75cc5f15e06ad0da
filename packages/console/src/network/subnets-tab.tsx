/** Subnets: private networks of the instances of one workspace in one region. */

import { WorkspaceFilter } from '../access/filters.tsx'
import { subnets } from '../generated/rows/network.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { ListTab } from '../live/lists/list-page.tsx'
import { CreateSubnet, EditSubnet } from './dialogs.tsx'

const about = `Without one, each instance is alone in a private network of its own.
With one, instances reach each other by private addresses.`

const columns = columnsOf(
  subnets,
  ['name', 'workspace', 'region', 'cidr', 'available_addresses', 'tags', 'created_at'],
  ['id'],
)

/** The tab. */
export function SubnetsTab() {
  return (
    <ListTab
      name="Subnets"
      operation="list_subnets"
      every={15_000}
      columns={columns}
      filters={{ workspace: WorkspaceFilter }}
      create={{ label: 'Create a subnet', dialog: (close) => <CreateSubnet onClose={close} /> }}
      empty={{ title: 'No subnet', command: 'bourse subnets create --name storage --region us-west', text: about }}
      opened={(subnet, close) => <EditSubnet subnet={subnet} onClose={close} />}
    />
  )
}
