/** The limits of the account: what each counts, how much of it is used, and from where it comes. */
import type { Limit } from '@bourse/sdk'
import { limits } from '../generated/rows/access.ts'
import { useAccount } from '../live/clock.ts'
import { columnsOf } from '../live/lists/columns.ts'
import { ListTab } from '../live/lists/list-page.tsx'
import styles from './access.module.css'
import { isNear, limitText, limitTitle, usedShare } from './limits.rules.ts'

/** Milliseconds: what is used changes with every resource, and no event tells how much. */
const pace = 15_000

/** The tab. */
export function LimitsTab() {
  return (
    <ListTab
      name="Limits"
      operation="list_limits"
      every={pace}
      columns={columns}
      keyOf={({ name }) => name}
      above={() => <Origin />}
    />
  )
}

function Origin() {
  const { data: account } = useAccount()
  return (
    <p>
      They follow from the level of trust of the account{account ? <> (“{account.trust_level}”)</> : null}. Only the
      operator of the platform changes them: ask there for more, with the name of the limit.
    </p>
  )
}

const columns = columnsOf(
  limits,
  [
    { of: 'name', title: 'Limit', value: limitTitle, isName: false },
    { of: 'used', cell: ({ used, unit }) => limitText(used ?? 0, unit), none: 'of each' },
    { of: 'value', title: 'At most', cell: ({ value, unit }) => limitText(value ?? 0, unit), none: 'no limit' },
    { id: 'share', title: 'In use', value: usedShare, cell: (limit) => <Share limit={limit} /> },
    {
      of: 'source',
      title: 'From',
      value: ({ source }) => (source === 'override' ? 'set for you' : 'trust'),
    },
  ],
  [{ id: 'key', title: 'Name for the operator', value: ({ name }) => name, as: 'id' }],
)

function Share({ limit }: { limit: Limit }) {
  const share = usedShare(limit)
  if (share === undefined) return '–'
  return (
    <span className={styles.share}>
      <meter
        min={0}
        max={1}
        value={share}
        className={isNear(limit) ? styles.near : undefined}
        aria-label={`Use of ${limitTitle(limit)}`}
      />
      <span className={isNear(limit) ? 'warn' : 'quiet'}>{Math.round(share * 100)} %</span>
    </span>
  )
}
