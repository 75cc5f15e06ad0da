/** The statement of a month, which prints on paper. */
import type { Statement } from '@bourse/sdk'
import { useSkuNames, useWorkspaceNames } from '../live/choices.ts'
import { client } from '../live/client.ts'
import { useAccount, useNow } from '../live/clock.ts'
import { monthsSince, monthText } from '../live/months.rules.ts'
import { useRead } from '../live/queries.ts'
import { useAddress } from '../ui/address.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { Loading } from '../ui/page.tsx'
import { Select } from '../ui/select.tsx'
import { Moment, Money } from '../ui/values.tsx'
import styles from './money.module.css'
import { statementNumber } from './sums.rules.ts'

/** The tab. */
export function StatementTab() {
  const now = useNow()
  const { data: account } = useAccount()
  const months = monthsSince(account?.created_at ?? 0, now)
  const [{ month }, setAddress] = useAddress({ month: months[0] as string })
  const { data, error } = useRead(['statement', month], () => client.statement.get(month), { every: 60_000 })
  return (
    <div className="stack">
      <div className="row no-print">
        <Select
          label="Month"
          value={month}
          onChange={(next) => setAddress({ month: next })}
          options={Object.fromEntries(months.map((one) => [one, monthText(one)]))}
        />
        <Button kind="primary" disabled={!data} onClick={() => print()}>
          Print
        </Button>
      </div>
      <ErrorText error={error} />
      {data ? <StatementSheet statement={data} /> : error ? null : <Loading />}
    </div>
  )
}

function StatementSheet({ statement }: { statement: Statement }) {
  const { data: account } = useAccount()
  const { month, state, period_start, period_end } = statement
  return (
    <article className={styles.sheet} data-prints aria-label={`Statement of ${monthText(month)}`}>
      <header className={styles.invoice}>
        <h2>Statement of {monthText(month)}</h2>
        <Badge word={state} tone={state === 'closed' ? 'good' : 'none'} />
        <dl>
          <dt>Number</dt>
          <dd className="mono">{statementNumber(account?.id ?? '', month)}</dd>
          <dt>Period</dt>
          <dd>
            <Moment at={period_start} /> – <Moment at={period_end} />, a month of UTC
          </dd>
          <dt>State</dt>
          <dd>
            {state === 'open' ? 'It may still change until 48 hours after its end.' : 'It does not change any more.'}
          </dd>
        </dl>
        <dl>
          <dt>Issued by</dt>
          <dd>Bourse at {location.host}</dd>
          <dt>For</dt>
          <dd>
            <b>
              <bdi>{account?.name}</bdi>
            </b>{' '}
            <span className="mono quiet">{account?.id}</span>
          </dd>
          <dt>Amounts</dt>
          <dd>US dollars, without taxes</dd>
        </dl>
      </header>
      <Sums statement={statement} />
      <Lines statement={statement} />
    </article>
  )
}

function Sums({ statement }: { statement: Statement }) {
  const rows = [
    ['Balance at the beginning', statement.opening_balance_dollars],
    ['Purchases', `-${statement.purchases_dollars}`],
    ['Sales', statement.sales_dollars],
    ['Fees of sales', `-${statement.fees_dollars}`],
    ['Payments and credits', statement.credits_dollars],
    ['Balance at the end', statement.closing_balance_dollars],
  ] as const
  return (
    <table className={styles.sums} aria-label="Sums">
      <tbody>
        {rows.map(([name, dollars]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>
              <Money dollars={dollars.replace(/^--/, '').replace(/^-(0\.0+)$/, '$1')} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Lines({ statement: { lines } }: { statement: Statement }) {
  const skus = useSkuNames()
  const workspaces = useWorkspaceNames()
  if (lines.length === 0) return <p className="quiet">Nothing was bought, sold or posted in this month.</p>
  return (
    <table className={styles.lines} aria-label="Lines">
      <thead>
        <tr>
          <th scope="col">SKU</th>
          <th scope="col">Workspace</th>
          <th scope="col">Purchases</th>
          <th scope="col">Sales</th>
          <th scope="col">Fees</th>
          <th scope="col">Credits</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={`${line.sku} ${line.workspace}`}>
            <td>{line.sku === null ? 'Posted by the operator' : skus(line.sku)}</td>
            <td>{workspaces(line.workspace)}</td>
            <td>
              <Money dollars={line.purchases_dollars} />
            </td>
            <td>
              <Money dollars={line.sales_dollars} />
            </td>
            <td>
              <Money dollars={line.fees_dollars} />
            </td>
            <td>
              <Money dollars={line.credits_dollars} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
