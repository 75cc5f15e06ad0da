/** The nodes of the next days as a step line. */

import { momentText } from '../ui/values.rules.ts'
import styles from './overview.module.css'
import type { NodeStep } from './overview.rules.ts'

const width = 1000
const height = 100

/** Draws the steps; the same as texts for who cannot see them. */
export function StepDrawing({ steps, from, until }: { steps: readonly NodeStep[]; from: number; until: number }) {
  const most = Math.max(0, ...steps.map(({ nodes }) => nodes))
  const x = (at: number) => Math.round(((at - from) / (until - from)) * width)
  const y = (nodes: number) => Math.round(height - (nodes / Math.max(1, most)) * (height - 8))
  const points = steps.map(({ at, nodes }, index) => `${index === 0 ? '' : `H${x(at)}`}V${y(nodes)}`)
  const days = Array.from({ length: 8 }, (_, index) => from + ((until - from) / 7) * index)
  return (
    <>
      <svg className={styles.drawing} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img">
        <title>{`Nodes of the next seven days: ${steps.map((step) => textOf(step)).join('; ')}`}</title>
        {days.map((at) => (
          <line key={at} x1={x(at)} x2={x(at)} y1={0} y2={height} />
        ))}
        <path d={`M0,${height}${points.join('')}H${width}V${height}Z`} />
      </svg>
      <div className={styles.days} aria-hidden="true">
        <span>now, {most} at the most</span>
        <span>{momentText(until)}</span>
      </div>
    </>
  )
}

function textOf({ at, nodes }: NodeStep): string {
  return `${nodes} from ${momentText(at)}`
}
