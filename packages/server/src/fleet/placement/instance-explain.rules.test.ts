import assert from 'node:assert/strict'
import { test } from 'vitest'
import type { OpenHost } from './host-choice.rules.ts'
import { explainBoot, explainWaiting, forecastReduction, type WaitingInput } from './instance-explain.rules.ts'
import type { PlacementInput, PlacementInstance } from './placement.rules.ts'

const now = 1_800_000_000

function waiting(id: string, fields: Partial<PlacementInstance> = {}): PlacementInstance {
  return {
    id: `inst_${id}`,
    state: 'awaiting_allocation',
    priority_level: 'normal',
    created_at: now - 100,
    image_id: 'image_a',
    slot: null,
    is_returning: false,
    host_ends_at: null,
    notice: null,
    fabric: null,
    needs_public_ipv4: false,
    needs_full_network: false,
    replaces_slot: null,
    ...fields,
  }
}

const running = (id: string, fields: Partial<PlacementInstance> = {}) =>
  waiting(id, { state: 'running', slot: { host_id: `host_of_${id}`, slot: 0 }, ...fields })

function host(id: string, fields: Partial<OpenHost> = {}): OpenHost {
  const free = { free_slots: [0], image_ids: [], fabric: null, network: 'full' as const, free_public_ipv4s: 0 }
  return { host_id: `host_${id}`, ...free, ...fields }
}

/** Each count applies from that many seconds after now. */
function inputOf(
  counts: [number, number][],
  instances: readonly PlacementInstance[],
  hosts: OpenHost[] = [],
): PlacementInput {
  const allocation = counts.map(([start, node_count], index) => {
    const next = counts[index + 1]?.[0]
    return { start_at: now + start, end_at: next === undefined ? null : now + next, node_count }
  })
  return { now: now, known_until: null, allocation, instances, hosts }
}

function explain(input: PlacementInput, { id = 'inst_w', ...around }: Partial<WaitingInput> & { id?: string } = {}) {
  const instance = input.instances.find((one) => one.id === id) as PlacementInstance
  return explainWaiting({ input, instance, unreachable_hosts: [], does_host_answer: true, ...around })
}

test('without allocation an instance waits for the first time at which the allocation covers it', () => {
  const others = [running('a'), waiting('b', { priority_level: 'critical' })]
  const input = inputOf(
    [
      [600, 2],
      [1200, 3],
    ],
    [...others, waiting('w')],
    [host('h')],
  )
  assert.deepEqual(explain(input), {
    reasons: ['no_allocation'],
    next_allocation_at: now + 1200,
    rank: 2,
    allocation_now: 0,
    in_use: 1,
  })
  assert.deepEqual(explain(inputOf([[0, 0]], [waiting('w')])).reasons, ['no_allocation', 'no_free_host'])
})

test('an instance is outranked by running instances, and by earlier ones that can start', () => {
  assert.deepEqual(explain(inputOf([[0, 1]], [running('a'), waiting('w')], [host('h')])).reasons, ['outranked'])
  const rival = waiting('rival', { created_at: 0 })
  const hosts = [host('h', { free_slots: [0, 1] })]
  assert.deepEqual(explain(inputOf([[0, 1]], [rival, waiting('w')], hosts)).reasons, ['outranked'])
  // An instance without a suitable host uses no allocation, and a later one does not outrank this one.
  const lost = waiting('lost', { created_at: 0, needs_public_ipv4: true })
  assert.deepEqual(explain(inputOf([[0, 1]], [lost, waiting('w')], hosts)).reasons, [])
  const oldest = waiting('w', { created_at: -1 })
  assert.deepEqual(explain(inputOf([[0, 1]], [oldest, rival], hosts)).reasons, [])
})

test('with free allocation, a suitable host is missing', () => {
  const wanting = waiting('w', { needs_public_ipv4: true })
  assert.deepEqual(explain(inputOf([[0, 1]], [wanting], [host('h')])).reasons, ['no_public_ipv4'])
  const hidden = { unreachable_hosts: [host('hidden', { free_public_ipv4s: 1 })] }
  assert.deepEqual(explain(inputOf([[0, 1]], [wanting]), hidden).reasons, ['host_unreachable'])
  assert.deepEqual(explain(inputOf([[0, 1]], [waiting('w')])).reasons, ['no_free_host'])
  const first = waiting('first', { created_at: 0 })
  assert.deepEqual(explain(inputOf([[0, 2]], [first, waiting('w')], [host('h')])).reasons, ['no_free_host'])
})

test('a successor waits for the slot of its predecessor, ahead of all others', () => {
  const successor = waiting('s', {
    replaces_slot: { host_id: 'host_h', slot: 1, is_usable: true, may_start_elsewhere: false },
  })
  const input = inputOf([[0, 1]], [waiting('w', { priority_level: 'critical' }), successor], [host('h')])
  const { reasons, rank } = explain(input, { id: 'inst_s' })
  assert.deepEqual([reasons, rank], [['predecessor_stopping'], 1])
  assert.deepEqual([explain(input).reasons, explain(input).rank], [['outranked'], 2])
  const without = inputOf([[0, 0]], [successor], [host('h')])
  assert.deepEqual(explain(without, { id: 'inst_s' }).reasons, ['no_allocation', 'predecessor_stopping'])
  const lost = waiting('s', {
    replaces_slot: { host_id: 'host_h', slot: 1, is_usable: false, may_start_elsewhere: false },
  })
  assert.deepEqual(explain(inputOf([[0, 1]], [lost]), { id: 'inst_s' }).reasons, ['no_free_host'])
})

test('a placed instance waits for its host only if the host does not respond', () => {
  const placed = waiting('w', { slot: { host_id: 'host_h', slot: 0 } })
  const input = inputOf([[0, 1]], [placed])
  assert.deepEqual(explain(input).reasons, [])
  assert.deepEqual(explain(input, { does_host_answer: false }).reasons, ['host_unreachable'])
  const returning = inputOf([[0, 1]], [{ ...placed, is_returning: true }])
  assert.deepEqual(explain(returning, { does_host_answer: false }).reasons, ['host_unreachable'])
})

test('a machine is booting until its host reports it as running', () => {
  assert.deepEqual(explainBoot({ state: 'fetching', start_failures: 0 }), ['fetching_image'])
  assert.deepEqual(explainBoot({ state: 'starting', start_failures: 1 }), ['starting', 'start_retry'])
  assert.deepEqual(explainBoot({ state: 'start_failed', start_failures: 1 }), ['start_retry'])
  assert.equal(explainBoot({ state: 'running', start_failures: 2 }), undefined)
})

test('the end of a machine is predicted at any distance, by the order of victims', () => {
  const instances = [running('a', { priority_level: 'yield' }), running('b'), running('c', { host_ends_at: now + 50 })]
  const input = inputOf(
    [
      [0, 3],
      [86_400, 1],
    ],
    instances,
  )
  assert.deepEqual(forecastReduction(input, 'inst_a'), { at: now + 86_400, cause: 'allocation' })
  assert.equal(forecastReduction(input, 'inst_b'), undefined)
  assert.deepEqual(forecastReduction(input, 'inst_c'), { at: now + 50, cause: 'host' })
})
