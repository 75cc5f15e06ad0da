import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HostBenchmark } from '@bourse/api/fleet/benchmarks.ts'
import { afterAll, test } from 'vitest'
import { nowSeconds } from '../clock.ts'
import { readFigures } from './figures.rules.ts'
import { runScript } from './script.ts'
import { openBenchmark } from './upkeep.ts'

const directory = await mkdtemp(join(tmpdir(), 'bourse-benchmark-'))
afterAll(() => rm(directory, { recursive: true }))
const never = new AbortController().signal
let made = 0

async function script(text: string, mode = 0o700): Promise<string> {
  const path = join(directory, `script-${++made}`)
  await writeFile(path, `#!/bin/sh\n${text}\n`, { mode })
  return path
}

const good = `printf '{"memory_bandwidth": {"value": 312.5, "unit": "GB/s"}}'`
const figures = [{ name: 'memory_bandwidth', value: '312.5', unit: 'GB/s' }]

test('figures are names with a value and a unit, and everything else is refused with a sentence', () => {
  assert.deepEqual(readFigures('{"a": {"value": 0, "unit": "ms"}, "b_2": {"value": 1e14, "unit": "TFLOP/s"}}'), [
    { name: 'a', value: '0', unit: 'ms' },
    { name: 'b_2', value: '100000000000000', unit: 'TFLOP/s' },
  ])
  assert.deepEqual(readFigures('{"a": {"value": 0.1234567, "unit": "x y"}}'), [
    { name: 'a', value: '0.123457', unit: 'x y' },
  ])
  const many = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`f${index}`, { value: 1, unit: 'x' }]))
  for (const [output, message] of [
    ['', /no JSON object/],
    ['[1]', /no JSON object/],
    ['{}', /no figures/],
    ['['.repeat(8000), /no JSON object/],
    [JSON.stringify(many), /17 figures; at most 16/],
    ['{"A": {"value": 1, "unit": "x"}}', /A name of a figure/],
    [`{"${'a'.repeat(49)}": {"value": 1, "unit": "x"}}`, /A name of a figure/],
    ['{"a": 1}', /a has no value and unit/],
    ['{"a": {"value": 1, "unit": "x", "more": {"deep": 1}}}', /more than a value and a unit/],
    ['{"a": {"value": "1", "unit": "x"}}', /value of a is no number/],
    ['{"a": {"value": -1, "unit": "x"}}', /value of a is no number/],
    ['{"a": {"value": 1e15, "unit": "x"}}', /value of a is no number/],
    ['{"a": {"value": 1}}', /unit of a is no text/],
    ['{"a": {"value": 1, "unit": "\\u001b[31m"}}', /unit of a is no text/],
  ] as const) {
    assert.match(String(readFigures(output)), message, output.slice(0, 60))
  }
})

test('a script is run without the environment of the agent, and its figures are read', async () => {
  process.env.BOURSE_SECRET_OF_TEST = 'x'
  const path = await script(`test -z "$BOURSE_SECRET_OF_TEST" && ${good}`)
  assert.deepEqual(await runScript(path, never), figures)
})

test('a script that prints too much, takes too long, fails or is none ends with a sentence', async () => {
  const bounds = { milliseconds: 10_000, bytes: 1000 }
  const endless = await script('while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done')
  await assert.rejects(runScript(endless, never, bounds), /printed more than 1000 bytes/)
  // The program that the script starts has its output open: this ends only if that program ends, too.
  const slow = await script('sleep 1000 & wait')
  await assert.rejects(runScript(slow, never, { ...bounds, milliseconds: 200 }), /took longer than 0.2 s/)
  await assert.rejects(runScript(await script('exit 3'), never), /failed with the exit code 3/)
  await assert.rejects(runScript(await script('echo 1'), never), /is wrong\. The output is no JSON object/)
  await assert.rejects(runScript(join(directory, 'nothing'), never), /cannot be run: ENOENT/)
  await assert.rejects(runScript(await script(good, 0o600), never), /cannot be run: EACCES/)
  const stop = new AbortController()
  const stopped = runScript(await script('sleep 1000'), stop.signal)
  stop.abort()
  await assert.rejects(stopped, { name: 'AbortError' })
})

/** An upkeep whose script is replaced by `run`. */
function opened(path: string, run?: typeof runScript) {
  const reports: HostBenchmark[] = []
  const said: string[] = []
  const upkeep = openBenchmark({
    directory,
    script: path,
    ...(run ? { run } : {}),
    report: async (benchmark) => void reports.push(benchmark),
    log: (message) => said.push(message),
  })
  return { step: (isIdle = () => true) => upkeep.step(isIdle, never), reports, said }
}

test('an idle host is measured once, and the figures are reported again by the next agent', async () => {
  const path = await script(good)
  const first = opened(path)
  await first.step(() => false)
  assert.deepEqual([first.reports, first.said], [[], []])
  const agent = opened(path)
  await agent.step()
  assert.deepEqual(
    agent.reports.map((one) => one.figures),
    [figures],
  )
  assert.ok(Math.abs((agent.reports[0]?.measured_at ?? 0) - nowSeconds()) < 60)
  const next = opened(path, () => assert.fail('It was measured again.'))
  await next.step()
  assert.deepEqual(next.reports, agent.reports)
  await writeFile(path, `#!/bin/sh\n${good.replace('312.5', '7')}\n`)
  const changed = opened(path)
  await changed.step()
  assert.equal(changed.reports[0]?.figures[0]?.value, '7')
  const kept = join(directory, 'benchmark.json')
  const old = { ...JSON.parse(await readFile(kept, 'utf8')), measured_at: nowSeconds() - 8 * 86_400 }
  await writeFile(kept, JSON.stringify(old))
  const later = opened(path)
  await later.step()
  assert.notEqual(later.reports[0]?.measured_at, old.measured_at)
})

test('a machine that comes ends the measurement, and a script that fails is logged', async () => {
  let busy = false
  const interrupted = opened(await script(good), (_path, signal) => {
    busy = true
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  await interrupted.step(() => !busy)
  assert.deepEqual([interrupted.reports, interrupted.said], [[], []])
  const failing = opened(await script('exit 1'))
  await failing.step()
  assert.deepEqual([failing.reports, failing.said], [[], ['The benchmark of this host failed.']])
})
