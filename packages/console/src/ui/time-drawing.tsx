/** The drawing of a time chart, by uPlot. It follows the width of its place and the theme. */
import { useEffect, useMemo, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import {
  isFromZero,
  isSparse,
  isWhole,
  labelSpace,
  rangeOfBars,
  type Series,
  stacked,
  type TimeChartProps,
  wholeSteps,
} from './time-series.ts'
import { tickText } from './values.rules.ts'

type TimeDrawingProps = TimeChartProps & {
  /** Called with the place of the time that is pointed at; undefined when the pointer leaves. */
  onPoint: (index: number | undefined) => void
}

/** Draws the series. */
export function TimeDrawing({ times, series: given, format = String, height = 220, onPoint }: TimeDrawingProps) {
  const series = useMemo(() => stacked(given), [given])
  const place = useRef<HTMLDivElement>(null)
  const point = useRef(onPoint)
  point.current = onPoint
  useEffect(() => {
    const element = place.current
    if (!element) return
    const draw = () => {
      element.replaceChildren()
      const options = optionsOf(element, { times, series, format, height }, (index) => point.current(index))
      return new uPlot(options, dataOf(times, series), element)
    }
    let plot = draw()
    const redraw = () => {
      plot.destroy()
      plot = draw()
    }
    const sizes = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    sizes.observe(element)
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    scheme.addEventListener('change', redraw)
    return () => {
      sizes.disconnect()
      scheme.removeEventListener('change', redraw)
      plot.destroy()
    }
  }, [times, series, format, height])
  return <div ref={place} />
}

type DrawingOptions = Required<Pick<TimeChartProps, 'times' | 'series' | 'format' | 'height'>>

function optionsOf(
  element: HTMLElement,
  { times, series, format, height }: DrawingOptions,
  onPoint: (index: number | undefined) => void,
): uPlot.Options {
  const color = (name: string) => resolved(element, `var(--${name})`)
  const bars = rangeOfBars(times, series)
  const text = `11px ${getComputedStyle(element).fontFamily}`
  const axis = { stroke: color('quiet'), grid: { stroke: color('line'), width: 1 }, ticks: { stroke: color('line') } }
  return {
    width: element.clientWidth,
    height,
    cursor: { points: { size: 6 } },
    // The page's own legend has the last values, also for those who do not point.
    legend: { show: false },
    hooks: { setCursor: [({ cursor: { idx } }) => onPoint(idx ?? undefined)] },
    // A bar stands on both sides of its time.
    scales: { x: bars ? { range: [...bars] } : {}, y: isFromZero(series) ? { range: fromZero } : {} },
    axes: [
      { ...axis, font: text, size: 30, values: (_, splits) => splits.map(tickText) },
      {
        ...axis,
        font: text,
        size: (_, values) => widthOf(values),
        space: labelSpace(height),
        values: (_, splits) => splits.map((value) => format(value)),
        ...(isWhole(series) ? { incrs: wholeSteps } : {}),
      },
    ],
    series: [{}, ...series.map((one) => seriesOf(one, color))],
  }
}

/** A range from zero on, with some room above the greatest value. */
const fromZero: uPlot.Range.Config = { min: { pad: 0, soft: 0, mode: 1 }, max: { pad: 0.12, soft: 0, mode: 3 } }

/** The room for labels of so many letters of 11 pixels, with the mark beside them. */
function widthOf(labels: readonly string[] | null): number {
  return 20 + 7.2 * Math.max(4, ...(labels ?? []).map(({ length }) => length))
}

function seriesOf({ kind = 'line', color: wanted = 'accent', values }: Series, color: (name: string) => string) {
  const stroke = color(wanted)
  const paths = {
    line: uPlot.paths.linear?.(),
    steps: uPlot.paths.stepped?.({ align: 1 }),
    bars: uPlot.paths.bars?.({ size: [0.8, 60] }),
  }[kind]
  return {
    stroke,
    width: kind === 'bars' ? 0 : 1.5,
    ...(kind === 'bars' ? { fill: stroke } : {}),
    ...(paths ? { paths } : {}),
    // Steps are states: where there is none, there is none. Prices of trades are moments, which a line joins.
    spanGaps: kind === 'line',
    points: { show: kind === 'line' && isSparse(values), size: 5, fill: stroke },
  }
}

function dataOf(times: readonly number[], series: readonly Series[]): uPlot.AlignedData {
  return [[...times], ...series.map(({ values }) => [...values])]
}

/** The colour that a variable has here: a canvas knows no variables. */
function resolved(element: HTMLElement, value: string): string {
  const probe = document.createElement('span')
  probe.style.color = value
  element.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
