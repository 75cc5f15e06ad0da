/** Breaks one rule of a valid request, and gives the expected refusal. */
import { codeOfKeyword } from '@bourse/api/kit/errors.ts'
import type { RandomChoices } from '../../sim/choices.ts'
import type { FuzzedSchema } from './document.ts'
import { malformedTexts } from './malformed-texts.ts'
import type { Flaw, FuzzRequest } from './requests.ts'

type Path = readonly (string | number)[]

/** A part of a body, with its schema. */
type MutationSite = { readonly schema: FuzzedSchema; readonly value: unknown; readonly path: Path }

/** Another value at a place of the body that breaks one rule. `remove` deletes the member. */
type Break = {
  readonly rule: string
  readonly path: Path
  readonly value?: unknown
  readonly remove?: true
  readonly code: string | undefined
}

const bodyBytesMax = 120_000

/** The request with one broken rule; undefined if the draw finds no rule to break. */
export function mutate(request: FuzzRequest, choices: RandomChoices): FuzzRequest | undefined {
  const { operation, body } = request
  const kinds = [
    ...(operation.body ? (['body', 'body', 'body', 'text'] as const) : []),
    ...(Object.keys(operation.query).length > 0 ? (['query', 'query'] as const) : (['unknown query'] as const)),
    ...(Object.keys(operation.params).length > 0 ? (['path'] as const) : []),
    ...(operation.takesKey ? (['key'] as const) : []),
  ]
  switch (choices.pick(kinds)) {
    case 'body':
      return mutateBody(request, choices)
    case 'text':
      return { ...request, ...choices.pick(malformedTexts)(body as object, operation.bodyBytesMax) }
    case 'query':
      return mutateQuery(request, choices)
    case 'unknown query':
      return withPair(request, 'surprise', '1', flawOf('a parameter that is unknown', 'unknown_field', 'surprise'))
    case 'path':
      return mutatePath(request, choices)
    case 'key':
      return mutateKey(request, choices)
  }
}

function flawOf(rule: string, code: string | undefined, field: string | null): Flaw {
  return { rule, status: 400, field, ...(code === undefined ? {} : { code }) }
}

function mutateBody(request: FuzzRequest, choices: RandomChoices): FuzzRequest | undefined {
  const { operation, body } = request
  const site = choices.pick(sitesOf({ schema: operation.body as FuzzedSchema, value: body, path: [] }))
  const breaks = breaksOf(site, choices)
  if (breaks.length === 0) return undefined
  const { rule, code, ...place } = choices.pick(breaks)
  const broken = changed(body, place)
  if (operation.fitsBody(broken) || JSON.stringify(broken).length > bodyBytesMax) return undefined
  const field = place.path.join('.')
  return { ...request, body: broken, flaw: flawOf(`${rule} of ${field || 'the body'}`, code, field || null) }
}

function sitesOf(site: MutationSite): MutationSite[] {
  const { schema, value, path } = site
  if (Array.isArray(value) && schema.items) {
    const { items } = schema
    return [site, ...value.flatMap((entry, index) => sitesOf({ schema: items, value: entry, path: [...path, index] }))]
  }
  if (value === null || typeof value !== 'object') return [site]
  const { properties = {} } = schema
  const inner = Object.entries(value).flatMap(([name, own]) => {
    const member = Object.hasOwn(properties, name) ? properties[name] : undefined
    return member ? sitesOf({ schema: member, value: own, path: [...path, name] }) : []
  })
  return [site, ...inner]
}

function breaksOf(site: MutationSite, choices: RandomChoices): Break[] {
  const { value } = site
  const own = [wrongType(site, choices), ...wrongChoices(site)]
  if (typeof value === 'string') own.push(...wrongTexts(site))
  if (typeof value === 'number') own.push(...wrongNumbers(site))
  if (Array.isArray(value)) own.push(...wrongLists(site))
  else if (value !== null && typeof value === 'object') own.push(...wrongObjects(site))
  return own
}

function wrongType({ schema, path }: MutationSite, choices: RandomChoices): Break {
  const types = [schema.type ?? 'object'].flat()
  const values = { null: null, boolean: true, integer: 7, string: 'text', array: [], object: {} }
  const wrong = Object.entries(values).filter(([type]) => !types.includes(type))
  const value = choices.pick([...wrong.map(([, other]) => other), ...(types.includes('string') ? [] : ['7'])])
  return { rule: 'type', path, value, code: codeOfKeyword.type }
}

function wrongChoices({ schema, path }: MutationSite): Break[] {
  if (!schema.enum) return []
  const value = [schema.type].flat().includes('string') ? 'no-such-word' : 987_654_321
  return [{ rule: 'enum', path, value, code: codeOfKeyword.enum }]
}

function wrongTexts({ schema, path, value }: MutationSite): Break[] {
  const { pattern, minLength = 0, maxLength } = schema
  const text = value as string
  const breaks: Break[] = []
  if (maxLength !== undefined) {
    const longer = (text || 'x').repeat(Math.ceil((maxLength + 1) / (text.length || 1))).slice(0, maxLength + 1)
    breaks.push({ rule: 'maxLength', path, value: longer, code: codeOfKeyword.maxLength })
  }
  if (minLength > 0) breaks.push({ rule: 'minLength', path, value: '', code: codeOfKeyword.minLength })
  if (pattern !== undefined) {
    for (const other of [`${text}\n`, ` ${text}`, `${text}\u{1f600},=`, `-_.${text}/`]) {
      const fits = new RegExp(pattern, 'u').test(other)
      // A pattern may have its own code, which the document does not contain.
      if (!fits) breaks.push({ rule: 'pattern', path, value: other, code: undefined })
    }
  }
  return breaks
}

function wrongNumbers({ schema, path }: MutationSite): Break[] {
  const { minimum, maximum, multipleOf } = schema
  const breaks: Break[] = []
  const push = (rule: string, value: number) => breaks.push({ rule, path, value, code: codeOfKeyword[rule] })
  if (minimum !== undefined) push('minimum', minimum - (multipleOf ?? 1))
  if (maximum !== undefined) push('maximum', maximum + (multipleOf ?? 1))
  if (multipleOf !== undefined) push('multipleOf', (minimum ?? 0) + multipleOf + 1)
  return breaks
}

function wrongLists({ schema, path, value }: MutationSite): Break[] {
  const { minItems = 0, maxItems } = schema
  const list = value as unknown[]
  const breaks: Break[] = []
  if (minItems > 0) breaks.push({ rule: 'minItems', path, value: [], code: codeOfKeyword.minItems })
  if (maxItems !== undefined && list.length > 0) {
    const longer = Array.from({ length: maxItems + 1 }, (_, index) => list[index % list.length])
    breaks.push({ rule: 'maxItems', path, value: longer, code: codeOfKeyword.maxItems })
  }
  return breaks
}

function wrongObjects({ schema, path, value }: MutationSite): Break[] {
  const { required = [], additionalProperties, maxProperties, propertyNames, minProperties } = schema
  const at = (name: string) => [...path, name]
  const breaks: Break[] = required
    .filter((name) => Object.hasOwn(value as object, name))
    .map((name) => ({ rule: 'required', path: at(name), remove: true, code: codeOfKeyword.required }))
  if (additionalProperties === false) {
    for (const name of ['surprise', 'constructor', 'Name', '']) {
      const field = name === '' ? undefined : codeOfKeyword.additionalProperties
      breaks.push({ rule: 'additionalProperties', path: at(name), value: null, code: field })
    }
  }
  if (typeof additionalProperties === 'object')
    breaks.push({ rule: 'values', path: at('k'), value: 7, code: codeOfKeyword.type })
  if (propertyNames)
    breaks.push({ rule: 'propertyNames', path: at('_own'), value: 'x', code: codeOfKeyword.propertyNames })
  if (minProperties) breaks.push({ rule: 'minProperties', path, value: {}, code: codeOfKeyword.minProperties })
  if (maxProperties !== undefined) {
    const many = Object.fromEntries(Array.from({ length: maxProperties + 1 }, (_, index) => [`k${index}`, 'x']))
    breaks.push({ rule: 'maxProperties', path, value: many, code: codeOfKeyword.maxProperties })
  }
  return breaks
}

/** A copy with another value at one place. */
function changed(whole: unknown, { path, value, remove }: Pick<Break, 'path' | 'value' | 'remove'>): unknown {
  const [first, ...rest] = path
  if (first === undefined) return value
  if (Array.isArray(whole)) {
    return whole.map((entry, index) => (index === first ? changed(entry, { path: rest, value }) : entry))
  }
  const object = whole as Record<string, unknown>
  const others = Object.entries(object).filter(([name]) => name !== first)
  if (rest.length === 0 && remove) return Object.fromEntries(others)
  const inner = changed(object[first as string], { path: rest, value, ...(remove ? { remove } : {}) })
  return Object.fromEntries([...others, [first, inner]])
}

function withPair(request: FuzzRequest, name: string, value: string, flaw: Flaw): FuzzRequest {
  const others = request.query.filter((pair) => pair.name !== name)
  return { ...request, query: [...others, { name, value }], flaw }
}

function mutateQuery(request: FuzzRequest, choices: RandomChoices): FuzzRequest {
  const { operation } = request
  if (choices.chance(15)) {
    const value = choices.pick(['limit=%', 'limit=%zz', '%ff%fe=1', 'limit=%00', 'a=%c0%ae', 'x=%ed%a0%80'])
    const flaw = flawOf(`the escapes of ${value}`, 'invalid_url', null)
    return { ...request, query: [...request.query, { name: '', value, isRaw: true }], flaw }
  }
  const [name, schema] = choices.pick(Object.entries(operation.query))
  const [rule, value, code] = choices.pick(wrongParameters(schema))
  if (rule === 'repeated') {
    const others = request.query.filter((pair) => pair.name !== name)
    const twice = { name, value }
    return { ...request, query: [...others, twice, twice], flaw: flawOf(`once ${name}`, code, name) }
  }
  if (rule === 'maxItems') {
    const many = Array.from({ length: (schema.maxItems ?? 100) + 1 }, () => ({ name, value }))
    return { ...request, query: many, flaw: flawOf(`${rule} of ${name}`, code, name) }
  }
  return withPair(
    request,
    name,
    value,
    flawOf(`${rule} of ${name}`, code, schema.items && rule !== 'empty' ? `${name}.0` : name),
  )
}

type WrongParameter = [rule: string, value: string, code: string | undefined]

function wrongParameters(schema: FuzzedSchema): WrongParameter[] {
  const one = schema.items ?? schema
  const wrong: WrongParameter[] = [['empty', '', 'invalid_format']]
  if (schema.items) wrong.push(['maxItems', one.enum ? String(one.enum[0]) : 'x', codeOfKeyword.maxItems])
  else
    wrong.push(['repeated', one.type === 'integer' ? '1' : one.type === 'boolean' ? 'true' : 'x', 'repeated_parameter'])
  if (one.enum) wrong.push(['enum', 'no-such-word', codeOfKeyword.enum])
  const unfit = ['\u{1f600}=,', 'svc:'].find((text) => one.pattern && !new RegExp(one.pattern, 'u').test(text))
  if (unfit !== undefined) wrong.push(['pattern', unfit, undefined])
  if (one.maxLength !== undefined) wrong.push(['maxLength', 'x'.repeat(one.maxLength + 1), undefined])
  if (one.type === 'boolean')
    wrong.push(...['1', 'TRUE', 'yes'].map((text): WrongParameter => ['type', text, 'invalid_type']))
  if (one.type === 'integer') {
    const words = ['x', '1.0', '1e3', '+5', '0x10', ' 5', '٣', '--1']
    wrong.push(...words.map((text): WrongParameter => ['type', text, 'invalid_type']))
    wrong.push(['size', '99999999999999999999999', 'out_of_range'])
  }
  if (one.minimum !== undefined) wrong.push(['minimum', String(one.minimum - 1), codeOfKeyword.minimum])
  if (one.maximum !== undefined) wrong.push(['maximum', String(one.maximum + 1), codeOfKeyword.maximum])
  return wrong
}

function mutatePath(request: FuzzRequest, choices: RandomChoices): FuzzRequest | undefined {
  const [name, schema] = choices.pick(Object.entries(request.operation.params))
  const wrong = (value: string, flaw: Flaw) => ({ ...request, params: { ...request.params, [name]: value }, flaw })
  if (choices.chance(20)) {
    const value = choices.pick(['%', '%zz', '%ff', '%c0%ae%c0%ae'])
    return wrong(value, { ...flawOf(`the escapes of ${value}`, 'invalid_url', null), isUnrouted: true })
  }
  const texts = [
    'x y',
    '..',
    '.',
    'a/b',
    '../../etc',
    '\0',
    'frwl_',
    `inst_${'x'.repeat(22)}`,
    'svc:',
    '<script>',
    "'",
    '%25',
  ]
  const { pattern, minLength = 0, maxLength = 1024 } = schema
  const broken = texts.filter((text) => pattern !== undefined && !new RegExp(pattern, 'u').test(text))
  const all = [...broken, 'x'.repeat(Math.min(maxLength, 1000) + 1)].filter((text) => text.length > minLength)
  const value = choices.pick(maxLength < 1000 ? all : broken)
  return value === undefined ? undefined : wrong(value, flawOf(`pattern of ${name}`, undefined, name))
}

function mutateKey(request: FuzzRequest, choices: RandomChoices): FuzzRequest {
  const value = choices.pick(['a b', 'k'.repeat(256), '\u00fc', '"', 'a\tb'])
  const flaw = flawOf('the form of Idempotency-Key', 'invalid_idempotency_key', 'Idempotency-Key')
  return { ...request, headers: { ...request.headers, 'idempotency-key': value === '"' ? '""x y"' : value }, flaw }
}
