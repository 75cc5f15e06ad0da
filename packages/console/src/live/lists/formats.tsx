/** How values are shown by their kind: what their cell holds, and what they are sorted and exported by. */

import { countText, durationText } from '@bourse/text/formats/short.ts'
import type { ReactNode } from 'react'
import { Badge } from '../../ui/badge.tsx'
import type { CellValue } from '../../ui/table.rules.ts'
import { Age, Copyable, Moment, Money, Size } from '../../ui/values.tsx'
import { useNow } from '../clock.ts'
import { tagsText } from '../tags.rules.ts'
import { type Named, percentText, wordOf } from './words.rules.ts'

/** How one kind is shown. Its values have the type that the rows of the contract have there. */
export type Format<V = unknown> = {
  readonly cell: (value: unknown) => ReactNode
  readonly value: (value: unknown) => CellValue
  readonly isNumber: boolean
  readonly of?: V
}

type Options<V> = { readonly value?: (value: V) => CellValue; readonly isNumber?: boolean }

function format<V>(cell: (value: V) => ReactNode, { value = String, isNumber = false }: Options<V> = {}): Format<V> {
  return { cell: (given) => cell(given as V), value: (given) => value(given as V), isNumber }
}

const itself = (value: number) => value
const number = (cell: (value: number) => ReactNode) => format<number>(cell, { value: itself, isNumber: true })
const hours = (minutes: number) => minutes / 60

/** All kinds. Those of the contract are given by the generated rows. */
export const formats = {
  age: format<number>((at) => <LiveAge at={at} />, { value: itself }),
  boolean: format<boolean>((is) => (is ? 'yes' : 'no')),
  bps: number((bps) => percentText(bps / 100)),
  bytes: number((bytes) => <Size bytes={bytes} />),
  code: format<string>((text) => <span className="mono">{text}</span>),
  count: number(countText),
  displayed: format<{ readonly value: string | number | boolean; readonly display_value?: string }>(
    ({ value, display_value }) => display_value ?? String(value),
    { value: ({ value }) => value },
  ),
  id: format<string>((id) => <Copyable text={id} />),
  list: format<readonly unknown[]>(({ length }) => countText(length), {
    value: ({ length }) => length,
    isNumber: true,
  }),
  milliseconds: number((milliseconds) => `${countText(milliseconds)} ms`),
  minutes: number((minutes) => durationText(minutes * 60)),
  moment: format<number>((at) => <Moment at={at} />, { value: itself }),
  money: format<string>((dollars) => <Money dollars={dollars} />, { isNumber: true }),
  name: format<string>((name) => <bdi>{name}</bdi>),
  named: format<Named>(wordOf, { value: wordOf }),
  node_minutes: format<number>(
    (minutes) => <span title={`${countText(minutes)} node-minutes`}>{countText(Math.round(hours(minutes)))}</span>,
    { value: itself, isNumber: true },
  ),
  percent: number(percentText),
  seconds: number(durationText),
  state: format<string>((word) => <Badge word={word} />),
  tags: format<Readonly<Record<string, string>>>((tags) => tagsText(tags) || '–', { value: tagsText }),
  text: format<string>((text) => text),
  texts: format<readonly string[]>((texts) => texts.join(', ') || '–', { value: (texts) => texts.join(', ') }),
  word: format<string>((word) => word.replaceAll('_', ' ')),
} as const

export type Kind = keyof typeof formats

/** The type of the values of a kind. */
export type Shown<K extends Kind> = (typeof formats)[K] extends Format<infer V> ? V : never

/** How far a moment is from now. It follows the clock by itself, so that the table is not drawn every second. */
export function LiveAge({ at }: { at: number }) {
  return <Age at={at} now={useNow()} />
}
