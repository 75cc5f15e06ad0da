/**
 * A strict parser of Prometheus' text format 0.0.4. It refuses everything that a scraper would refuse, and what the
 * conventions for names forbid.
 */
import assert from 'node:assert/strict'

/** A family of a page: its samples by their series, as in `name{label="value"}`. */
export type ParsedFamily = { readonly type: string; readonly help: string; readonly samples: Map<string, number> }

const name = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const label = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\[\\\\"n])*"'
const helpLine = new RegExp(`^# HELP (${name}) ((?:[^\\\\]|\\\\[\\\\n])+)$`)
const typeLine = new RegExp(`^# TYPE (${name}) (counter|gauge|histogram|summary)$`)
const sampleLine = new RegExp(`^(${name})(?:\\{(${label}(?:,${label})*)\\})? (\\S+)$`)
const number = /^(?:[+-]?(?:\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|Inf)|NaN)$/
/** Units that are not the base units of the conventions. */
const otherUnits =
  /_(?:ms|milliseconds|microseconds|nanoseconds|minutes|hours|days|kilobytes|megabytes|percent|micros)(?:_|$)/

/** Parses a page; throws an assertion error for the first line that is wrong. */
export function parseExposition(page: string): Map<string, ParsedFamily> {
  assert.ok(page.endsWith('\n'), 'the last line has no end')
  const families = new Map<string, ParsedFamily>()
  let current: { name: string; help: string; family: ParsedFamily | undefined } | undefined
  for (const line of page.split('\n')) {
    if (line === '') continue
    const help = helpLine.exec(line)
    const type = typeLine.exec(line)
    if (help) current = { name: help[1] as string, help: help[2] as string, family: undefined }
    else if (type) {
      assert.ok(current && current.name === type[1] && !current.family, `no help before: ${line}`)
      assert.ok(!families.has(current.name), `a second family of this name: ${line}`)
      current.family = { type: type[2] as string, help: current.help, samples: new Map() }
      families.set(current.name, current.family)
      checkName(current.name, current.family.type)
    } else addSample(line, current)
  }
  for (const [of, family] of families) if (family.type === 'histogram') checkHistogram(of, family)
  return families
}

function addSample(line: string, current: { name: string; family: ParsedFamily | undefined } | undefined): void {
  const [, own = '', labels = '', text = ''] = sampleLine.exec(line) ?? assert.fail(`no sample: ${line}`)
  const family = current?.family ?? assert.fail(`no type before: ${line}`)
  const endings = family.type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']
  assert.ok(
    endings.some((ending) => own === current?.name + ending),
    `among the samples of another family: ${line}`,
  )
  assert.match(text, number, line)
  const names = [...labels.matchAll(new RegExp(label, 'g'))].map(([pair]) => pair.split('=')[0])
  assert.equal(new Set(names).size, names.length, `a label twice: ${line}`)
  const series = labels === '' ? own : `${own}{${labels}}`
  assert.ok(!family.samples.has(series), `a series twice: ${line}`)
  family.samples.set(series, Number(text.replace('Inf', 'Infinity')))
}

function checkName(name: string, type: string): void {
  assert.equal(name.endsWith('_total'), type === 'counter', `${name} is a ${type}`)
  assert.doesNotMatch(name, otherUnits, `${name} is in no base unit`)
  assert.doesNotMatch(name, /_(?:count|sum|bucket)$/, `${name} ends like a part of a histogram`)
}

function checkHistogram(of: string, { samples }: ParsedFamily): void {
  const buckets = [...samples].flatMap(([series, value]) => {
    const [, le, rest] = new RegExp(`^${of}_bucket\\{le="([^"]+)",?(.*)\\}$`).exec(series) ?? []
    return le === undefined ? [] : [{ le: Number(le.replace('Inf', 'Infinity')), rest: rest as string, value }]
  })
  for (const [rest, own] of Map.groupBy(buckets, (bucket) => bucket.rest)) {
    for (const [n, { le, value }] of own.entries()) {
      const before = own[n - 1]
      assert.ok(!before || (before.le < le && before.value <= value), `${of}{${rest}}: buckets do not rise at ${le}`)
    }
    assert.equal(own.at(-1)?.le, Infinity, `${of}{${rest}} has no last bucket`)
    assert.equal(own.at(-1)?.value, samples.get(`${of}_count{${rest}}`), `${of}{${rest}}: count`)
    assert.ok(samples.has(`${of}_sum{${rest}}`), `${of}{${rest}} has no sum`)
  }
}
