/** Figures of the server since the console was opened: the server keeps the newest ones only. */
import { type MetricFigures, withFigures } from './metrics.rules.ts'

let history: readonly MetricFigures[] = []

/** Adds figures that were just read, and returns all that are kept. */
export function keepFigures(figures: MetricFigures): readonly MetricFigures[] {
  history = withFigures(history, figures)
  return history
}
