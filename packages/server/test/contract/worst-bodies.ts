/**
 * The most expensive bodies of an operation, built from its schema: at each place of the body, a value of the wrong
 * size or kind that fills the body up to its limit.
 */
import type { Endpoint } from '@bourse/api/kit/endpoint.ts'
import { sampleOf } from '@bourse/api/kit/sample.ts'
import type { TSchema } from '@bourse/api/kit/schema.ts'
import { createSeededRandom, type Random } from '../../src/core/base/random.ts'

/** A body, and what fills it. */
export type WorstBody = { readonly label: string; readonly bytes: Buffer }

type WorstBodySchema = {
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly WorstBodySchema[]
  readonly items?: WorstBodySchema
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, WorstBodySchema>>
  readonly additionalProperties?: boolean | WorstBodySchema
  readonly maxLength?: number
  readonly pattern?: string
}

/** A place of a body: its schema, and the body with some JSON text in this place. */
type BodyPlace = { readonly path: string; readonly schema: WorstBodySchema; readonly put: (text: string) => string }

/** Builds the most expensive bodies of an operation. */
export function* worstBodiesOf({ name, body, body_bytes_max }: Endpoint): Iterable<WorstBody> {
  const random = createSeededRandom(`worst bodies of ${name}`)
  const root: BodyPlace = { path: 'body', schema: body as WorstBodySchema, put: (text) => text }
  for (const place of placesOf(root, random)) {
    const bytes = body_bytes_max - Buffer.byteLength(place.put(''))
    const fillings =
      place === root
        ? [...generalFillings(bytes), ...fillingsOf(place, bytes, random)]
        : fillingsOf(place, bytes, random)
    for (const [label, text] of fillings) yield { label: `${place.path} ${label}`, bytes: Buffer.from(place.put(text)) }
  }
}

function* placesOf(place: BodyPlace, random: Random): Iterable<BodyPlace> {
  yield place
  const { path, schema, put } = place
  for (const variant of schema.anyOf ?? []) yield* placesOf({ path, schema: variant, put }, random)
  if (schema.items)
    yield* placesOf({ path: `${path}[]`, schema: schema.items, put: (text) => put(`[${text}]`) }, random)
  const members = Object.entries(schema.properties ?? {})
  const sample = Object.fromEntries(members.map(([name, own]) => [name, sampleOf(own as TSchema, random)]))
  for (const [name, own] of members) {
    const { [name]: _, ...others } = sample
    const rest = JSON.stringify(others).slice(1)
    const inMember = (text: string) => put(`{${JSON.stringify(name)}:${text}${rest === '}' ? '' : ','}${rest}`)
    yield* placesOf({ path: `${path}.${name}`, schema: own, put: inMember }, random)
  }
  const { additionalProperties: values } = schema
  if (typeof values === 'object')
    yield* placesOf({ path: `${path}.*`, schema: values, put: (text) => put(`{"a":${text}}`) }, random)
}

type Filling = readonly [label: string, text: string]

function* fillingsOf({ schema }: BodyPlace, bytes: number, random: Random): Iterable<Filling> {
  const types = [schema.type ?? []].flat()
  if (types.includes('array')) yield* listFillings(schema, bytes, random)
  if (types.includes('object')) yield* objectFillings(schema, bytes, random)
  if (types.includes('string')) yield* textFillings(bytes)
}

/** Lists of equal entries: some of the wrong kind, and valid ones. */
function* listFillings(
  { items = {}, maxItems = 1 }: WorstBodySchema,
  bytes: number,
  random: Random,
): Iterable<Filling> {
  const valid = JSON.stringify(sampleOf(items as TSchema, random))
  for (const entry of ['0', '{}', '""', valid]) yield [`many ${short(entry)}`, list(entry, bytes)]
  const longest = Array(Math.min(maxItems - 1, Math.floor(bytes / (valid.length + 1)) - 2)).fill(valid)
  yield [`as many valid entries as allowed, the last one wrong`, `[${[...longest, '[]'].join(',')}]`]
}

function* objectFillings(
  { additionalProperties, properties }: WorstBodySchema,
  bytes: number,
  random: Random,
): Iterable<Filling> {
  yield ['many members', members('0', bytes)]
  yield ['many members that hold lists', members('[]', bytes)]
  if (typeof additionalProperties !== 'object') return
  const valid = JSON.stringify(sampleOf(additionalProperties as TSchema, random))
  if (!properties) yield ['many valid members', members(valid, bytes)]
}

function* textFillings(bytes: number): Iterable<Filling> {
  const units = ['A', '-', '\u00e9', '\ud83d\ude00', '\\u00e9', '\\ud83d\\ude00', '\\n', '{{noun}}']
  for (const unit of units)
    yield [`a text of ${unit}`, `"${unit.repeat(Math.floor((bytes - 2) / Buffer.byteLength(unit)))}"`]
}

/** Bodies that do not depend on the schema. */
function* generalFillings(bytes: number): Iterable<Filling> {
  yield ['spaces', `${' '.repeat(bytes - 2)}{}`]
  yield ['a long number', '1'.repeat(bytes)]
  yield ['deep lists', '['.repeat(bytes)]
  yield ['many lists', list('[]', bytes)]
  yield ['many numbers', list('0', bytes)]
  yield ['many large numbers', list('9007199254740993', bytes)]
  yield ['many objects of one member', list('{"a":0}', bytes)]
  yield ['deep objects', list(`${'{"a":'.repeat(30)}0${'}'.repeat(30)}`, bytes)]
  yield [
    'many equal members',
    `{${Array(Math.floor(bytes / 6) - 1)
      .fill('"a":0')
      .join(',')}}`,
  ]
}

function list(entry: string, bytes: number): string {
  const count = Math.max(0, Math.floor((bytes - 2) / (Buffer.byteLength(entry) + 1)))
  return `[${Array(count).fill(entry).join(',')}]`
}

function members(value: string, bytes: number): string {
  const texts: string[] = []
  let left = bytes - 2
  for (let at = 0; ; at++) {
    const text = `"${at.toString(36)}":${value}`
    left -= text.length + 1
    if (left < 0) return `{${texts.join(',')}}`
    texts.push(text)
  }
}

function short(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
