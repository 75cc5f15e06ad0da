/** Moves nodes that are free in one pool to another pool of the account. */
import { createPoolTransfer } from '../../generated/forms/fleet.ts'
import { useNow } from '../../live/clock.ts'
import { OperationDialog } from '../../live/forms/form-dialog.tsx'
import { useAddress } from '../../ui/address.ts'
import { usePools } from '../choices.ts'
import { readTransfer } from './pools.rules.ts'

/** The dialog. The pool that gives may stand in the address. */
export function MoveNodes({ onClose }: { onClose: () => void }) {
  const [{ from }] = useAddress({ from: '' })
  // A whole minute, so that the lines to copy do not change each second.
  const now = useNow(60)
  const { options: givers } = usePools(['market', 'originating'])
  const { options: takers } = usePools(['market'])
  return (
    <OperationDialog
      form={createPoolTransfer}
      title="Move nodes"
      action="Move"
      initial={{ from_pool: from }}
      extras={{ nodes: '1', window: 'now for 24h' }}
      fields={[
        { name: 'from_pool', label: 'From', choices: givers },
        { name: 'to_pool', label: 'To', choices: takers },
        'sku',
        { name: 'nodes', label: 'Nodes', hint: 'Nodes that open orders offer stay where they are.' },
        {
          name: 'window',
          member: 'allocation_schedule_delta',
          label: 'When',
          hint: 'In words: now for 24h, tomorrow 9am +6h, now until never.',
        },
      ]}
      check={(typed) => {
        const read = readTransfer(typed, now)
        return 'wrong' in read ? read.wrong : {}
      }}
      finish={(body, typed) => {
        const read = readTransfer(typed, now)
        return 'delta' in read ? { ...body, allocation_schedule_delta: read.delta } : body
      }}
      nouns={['pool_transfer', 'pool', 'instance']}
      said={({ sku }) => `Moved ${sku.alias}.`}
      onClose={onClose}
    >
      <p className="quiet small">
        It costs nothing and holds at once, for the whole window or not at all. Instances that no longer fit get notice.
      </p>
    </OperationDialog>
  )
}
