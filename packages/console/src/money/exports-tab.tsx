/** Files of costs, usage and the ledger. The links are plain downloads with the session of this browser. */

import { daySeconds } from '@bourse/text/time/units.ts'
import { useNow } from '../live/clock.ts'
import { Dates } from '../live/dates.tsx'
import { dateText, dayStart, monthAfter, monthOf, monthStart } from '../live/months.rules.ts'
import { useAddress } from '../ui/address.ts'
import { buttonClass } from '../ui/button.tsx'
import { CodeLines } from '../ui/code-lines.tsx'
import { asCurl } from '../ui/requests.rules.ts'
import { Select } from '../ui/select.tsx'
import { exportKinds, exportProblem, exportQuery } from './exports.rules.ts'

/** The tab. */
export function ExportsTab() {
  const now = useNow()
  const month = monthAfter(monthOf(now), -1)
  const [address, setAddress] = useAddress({
    from: dateText(monthStart(month)),
    to: dateText(monthStart(monthAfter(month, 1)) - daySeconds),
    kind: 'focus',
    encoding: 'csv',
  })
  const kind = exportKinds[address.kind] ?? (exportKinds.focus as (typeof exportKinds)[string])
  const encoding = kind.encodings.includes(address.encoding) ? address.encoding : (kind.encodings[0] as string)
  const problem = exportProblem(address, dayStart(now))
  const path = `/preview/v2/billing/export?${exportQuery({ ...address, encoding })}`
  return (
    <div className="stack">
      <div className="row">
        <Select
          label="What"
          value={address.kind}
          onChange={(next) => setAddress({ kind: next })}
          options={Object.fromEntries(Object.entries(exportKinds).map(([id, { title }]) => [id, title]))}
        />
        <Select
          label="As"
          value={encoding}
          onChange={(next) => setAddress({ encoding: next })}
          options={Object.fromEntries(kind.encodings.map((one) => [one, one.toUpperCase()]))}
        />
        <Dates from={address.from} to={address.to} onChange={setAddress} />
      </div>
      <p className="quiet">{kind.about}</p>
      {problem ? (
        <p className="bad" role="alert">
          {problem}
        </p>
      ) : (
        <p>
          <a className={buttonClass('primary')} href={path} download>
            Download
          </a>
        </p>
      )}
      {problem ? null : <CodeLines ways={{ curl: asCurl({ method: 'GET', path }, location.origin) }} />}
    </div>
  )
}
