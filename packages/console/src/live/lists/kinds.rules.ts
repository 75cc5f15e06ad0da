/** What values are sorted and exported by, by their kind. Pure. */
import type { CellValue } from '../../ui/table.rules.ts'
import { tagsText } from '../tags.rules.ts'
import { type NamedMember, wordOf } from './words.rules.ts'

/** One kind. Its values have the type that the rows of the contract have there. */
type KindOf<V> = {
  readonly value: (given: unknown) => CellValue
  readonly isNumber: boolean
  readonly of?: V
}

function kind<V>(value: (value: V) => CellValue, isNumber = false): KindOf<V> {
  return { value: (given) => value(given as V), isNumber }
}

const text = kind<string>(String)
const number = kind<number>((value) => value, true)
const time = kind<number>((value) => value)

/** All kinds. Those of the contract are given by the generated rows. */
export const kinds = {
  age: time,
  boolean: kind<boolean>((is) => is),
  bps: number,
  bytes: number,
  code: text,
  count: number,
  displayed: kind<{ readonly value: string | number | boolean; readonly display_value?: string }>(({ value }) => value),
  id: text,
  list: kind<readonly unknown[]>(({ length }) => length, true),
  milliseconds: number,
  minutes: number,
  moment: time,
  money: kind<string>(String, true),
  name: text,
  named: kind<NamedMember>(wordOf),
  node_minutes: number,
  percent: number,
  seconds: number,
  state: text,
  tags: kind<Readonly<Record<string, string>>>(tagsText),
  text: kind<string | number>(String),
  texts: kind<readonly (string | number)[]>((texts) => texts.join(', ')),
  word: text,
} as const

export type ColumnKind = keyof typeof kinds

/** The type of the values of a kind. */
export type ShownValue<K extends ColumnKind> = (typeof kinds)[K] extends KindOf<infer V> ? V : never
