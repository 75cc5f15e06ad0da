/** Series over time as a chart, with the same as a table and as CSV. The library is loaded with the first chart. */
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Button } from './button.tsx'
import { Loading } from './page.tsx'
import { Table } from './table.tsx'
import styles from './time-chart.module.css'
import { shownValue, type TimeChartProps } from './time-series.ts'
import { Moment } from './values.tsx'

const Drawing = lazy(() => import('./time-drawing.tsx').then(({ TimeDrawing: drawing }) => ({ default: drawing })))

/** A chart, or the table of its values. */
export function TimeChart(props: TimeChartProps) {
  const [isTable, setTable] = useState(false)
  const [pointed, setPointed] = useState<number>()
  return (
    <figure className={styles.figure} aria-label={props.name}>
      <figcaption className={styles.caption}>
        <b>{props.name}</b>
        <Button kind="plain" onClick={() => setTable(!isTable)}>
          {isTable ? 'As a chart' : 'As a table'}
        </Button>
      </figcaption>
      {isTable ? (
        <ValuesTable {...props} />
      ) : (
        <Suspense fallback={<Loading />}>
          <Drawing {...props} onPoint={setPointed} />
          <Legend {...props} pointed={pointed} />
        </Suspense>
      )}
    </figure>
  )
}

/** Each series with its last value, or with that of the time that is pointed at. */
function Legend({ times, series, format = String, pointed }: TimeChartProps & { pointed: number | undefined }) {
  const at = pointed === undefined ? undefined : times[pointed]
  return (
    <p className={styles.legend}>
      {series.map((one) => {
        const value = shownValue(one, pointed)
        return (
          <span key={one.name}>
            <i className={styles.mark} data-color={one.color ?? 'accent'} data-kind={one.kind ?? 'line'} />
            {` ${one.name} `}
            <b>{value === null ? '–' : format(value)}</b>
          </span>
        )
      })}
      <span className="quiet">{at === undefined ? 'last' : <Moment at={at} />}</span>
    </p>
  )
}

type ChartRow = { readonly at: number; readonly index: number }

function ValuesTable({ name, times, series, format = String }: TimeChartProps): ReactNode {
  const shown = (value: number | null | undefined) => (value === null || value === undefined ? '–' : format(value))
  const columns = [
    { id: 'time', title: 'Time', value: ({ at }: ChartRow) => at, cell: ({ at }: ChartRow) => <Moment at={at} /> },
    ...series.map(({ name: title, values }) => ({
      id: title,
      title,
      isNumber: true,
      value: ({ index }: ChartRow) => values[index],
      cell: ({ index }: ChartRow) => shown(values[index]),
    })),
  ]
  return (
    <Table name={name} columns={columns} rows={times.map((at, index) => ({ at, index }))} keyOf={({ at }) => `${at}`} />
  )
}
