/** InfiniBand partitions: isolated groups of machines on one fabric. */

import { WorkspaceFilter } from '../access/filters.tsx'
import { infinibandPartitions } from '../generated/rows/network.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { ListTab } from '../live/lists/list-page.tsx'
import { CreatePartition, EditPartition } from './dialogs.tsx'

const about = `Machines of one partition reach each other over InfiniBand, and machines of others do not.
It lies on the fabric of a SKU.`

const columns = columnsOf(
  infinibandPartitions,
  ['name', 'workspace', 'infiniband_fabric', 'tags', 'created_at'],
  ['id'],
)

/** The tab. */
export function PartitionsTab() {
  return (
    <ListTab
      name="InfiniBand partitions"
      operation="list_infiniband_partitions"
      every={15_000}
      columns={columns}
      filters={{ workspace: WorkspaceFilter }}
      create={{ label: 'Create a partition', dialog: (close) => <CreatePartition onClose={close} /> }}
      empty={{
        title: 'No partition',
        command: 'bourse infiniband-partitions create --name sweeps --infiniband-fabric west-ib',
        text: about,
      }}
      opened={(partition, close) => <EditPartition partition={partition} onClose={close} />}
    />
  )
}
