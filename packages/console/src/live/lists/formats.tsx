/** What the cell of a value holds, by its kind. */
import { countText, durationText } from '@bourse/text/formats/short.ts'
import type { ReactNode } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Age, Copyable, Moment, Money, Size } from '../../ui/values.tsx'
import { useNow } from '../clock.ts'
import { tagsText } from '../tags.rules.ts'
import type { ColumnKind, ShownValue } from './kinds.rules.ts'
import { percentText, wordOf } from './words.rules.ts'

/** All kinds. */
export const formats: { readonly [K in ColumnKind]: (value: ShownValue<K>) => ReactNode } = {
  age: (at) => <LiveAge at={at} />,
  boolean: (is) => (is ? 'yes' : 'no'),
  bps: (bps) => percentText(bps / 100),
  bytes: (bytes) => <Size bytes={bytes} />,
  code: (text) => <span className="mono">{text}</span>,
  count: countText,
  displayed: ({ value, display_value }) => display_value ?? String(value),
  id: (id) => <Copyable text={id} />,
  list: ({ length }) => countText(length),
  milliseconds: (milliseconds) => `${countText(milliseconds)} ms`,
  minutes: (minutes) => durationText(minutes * 60),
  moment: (at) => <Moment at={at} />,
  money: (dollars) => <Money dollars={dollars} />,
  name: (name) => <bdi>{name}</bdi>,
  named: wordOf,
  node_minutes: (minutes) => (
    <span title={`${countText(minutes)} node-minutes`}>{countText(Math.round(minutes / 6) / 10)}</span>
  ),
  percent: percentText,
  seconds: durationText,
  state: (word) => <Badge word={word} />,
  tags: (tags) => tagsText(tags) || '–',
  text: String,
  texts: (texts) => texts.join(', ') || '–',
  word: (word) => word.replaceAll('_', ' '),
}

/**
 * How far a moment is from now, in the largest unit. It follows the clock by itself, so that the table is not drawn
 * every second.
 */
export function LiveAge({ at }: { at: number }) {
  return <Age at={at} now={useNow()} isRough />
}
