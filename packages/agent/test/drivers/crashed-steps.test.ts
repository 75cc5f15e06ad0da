import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DesiredInstance } from '@bourse/api/fleet/agent.ts'
import { afterAll, test } from 'vitest'
import { simulatedDriver } from '../../src/drivers/simulated/simulated.ts'
import { openImages } from '../../src/images.ts'
import { openJournal } from '../../src/journal.ts'
import { type AgentContext, adopt, isIdle, keepMachine, setDesired } from '../../src/supervisor.ts'
import { noNetwork as network } from '../support/new-spec.ts'

type Moment = 'before' | 'after'
/** An agent that crashes at an action, before its start or before its result arrives. */
type AgentLife = {
  readonly dies: (() => void) | undefined
  readonly at: number
  readonly moment: Moment
  actions: string[]
}
type DesiredMachine = DesiredInstance | undefined

const id = 'inst_a'
const root = mkdtempSync(join(tmpdir(), 'bourse-crashes-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let directories = 0

const run: DesiredInstance = {
  id,
  generation: 1,
  action: 'run',
  slot: 0,
  hostname: 'a',
  image: null,
  user_data_ticket: null,
  network,
  machine: { cpu_count: 1, memory_bytes: 1, storage_bytes: 1 },
  terminate_at: null,
  terminate_reason: null,
}
/** The life of a machine, with the expected state after each desired state. */
const stages: readonly (readonly [name: string, wanted: DesiredMachine, phase: string | undefined, runs: boolean])[] = [
  ['provide', run, 'running', true],
  ['tell', { ...run, generation: 2, terminate_at: 60, terminate_reason: 'sold' }, 'running', true],
  ['stop', { ...run, generation: 3, action: 'stop' }, 'stopped', false],
  ['clear away', undefined, undefined, false],
]

for (const [index, [name]] of stages.entries()) {
  test(`${name}: after a crash at any action the next agent continues, and nothing remains at the end`, async ({
    annotate,
  }) => {
    const seen = new Set<string>()
    for (const moment of ['before', 'after'] as const) {
      for (let at = 1, isDone = false; !isDone; at++) {
        const directory = join(root, String(directories++))
        for (const stage of stages.slice(0, index)) await reach(directory, stage)
        const died = await live(directory, stages[index]?.[1], { at, moment })
        isDone = died === undefined
        if (died) seen.add(`${moment} ${died}`)
        for (const stage of stages.slice(index)) await reach(directory, stage)
        assert.deepEqual(readdirSync(join(directory, 'machines')), [], `${moment} action ${at}`)
      }
    }
    await annotate([...seen].join(', '))
    assert.ok(seen.size >= 4, `it crashed at ${seen.size} kinds of actions`)
  })
}

/** An agent without a crash reaches the desired state, and applies it once more without a change. */
async function reach(directory: string, [name, wanted, phase, runs]: (typeof stages)[number]): Promise<void> {
  for (const _ of ['once', 'twice']) {
    assert.equal(await live(directory, wanted), undefined)
    const [record] = await openJournal(directory).read()
    assert.equal(record?.phase, phase, name)
    const spec = { id, directory: join(directory, 'machines', id) } as Parameters<AgentContext['driver']['adopt']>[0]
    assert.equal((await simulatedDriver().adopt(spec)) === undefined, runs, name)
  }
}

/** Runs one agent until it is idle or crashes. Returns the action at which it crashed. */
async function live(
  directory: string,
  wanted: DesiredMachine,
  { at = 0, moment = 'before' }: { at?: number; moment?: Moment } = {},
): Promise<string | undefined> {
  let dies = () => {}
  const death = new Promise<void>((resolve) => {
    dies = resolve
  })
  const life: AgentLife = { dies, at, moment, actions: [] }
  const records = await openJournal(directory).read()
  const context = contextOf(directory, life)
  const [record] = records
  const managed = keepMachine(context, id, record)
  const rest = async () => {
    if (record) await adopt(managed)
    setDesired(managed, wanted)
    while (!isIdle(managed)) await managed.work
  }
  await Promise.race([rest(), death])
  return isDead(life) ? life.actions.at(-1) : undefined
}

function isDead({ at, actions }: AgentLife): boolean {
  return at > 0 && actions.length >= at
}

function contextOf(directory: string, life: AgentLife): AgentContext {
  const unasked = () => assert.fail('The agent sent a request to the server.')
  return {
    driver: mortal(simulatedDriver(), life),
    journal: mortal(openJournal(directory), life),
    images: openImages(directory),
    calls: {
      desired: unasked,
      report: unasked,
      declareTunnel: unasked,
      reportStatements: unasked,
      reportBenchmark: unasked,
      reportVersion: unasked,
      checkUpdate: unasked,
      reportHardware: unasked,
      userData: unasked,
      appendLogs: unasked,
    },
    notify: () => {},
    whenReported: async () => {},
    log: (message, fields) => assert.fail(`${message} ${JSON.stringify(fields)}`),
  }
}

/** Wraps an object for an agent that may crash: after the crash no call of it returns. */
function mortal<T extends object>(whole: T, life: AgentLife): T {
  const never = new Promise<never>(() => {})
  const wrapped = Object.entries(whole).map(([name, value]) => {
    if (typeof value !== 'function' || name === 'onEnd') return [name, value]
    const act = async (...input: unknown[]) => {
      if (isDead(life)) return never
      life.actions.push(name)
      if (isDead(life) && life.moment === 'before') return end()
      const output = await value(...input)
      return isDead(life) ? end() : output
    }
    return [name, act]
  })
  return Object.fromEntries(wrapped)

  function end(): Promise<never> {
    life.dies?.()
    return never
  }
}
