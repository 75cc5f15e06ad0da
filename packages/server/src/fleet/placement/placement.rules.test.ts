import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { OpenHost } from './host-choice.rules.ts'
import { type PlacementInput, type PlacementInstance, planPlacement } from './placement.rules.ts'

const now = 1_800_000_000
const far = 86_400

function waiting(id: string, fields: Partial<PlacementInstance> = {}): PlacementInstance {
  return {
    id: `inst_${id}`,
    state: 'awaiting_allocation',
    priority_level: 'normal',
    created_at: now - far,
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

function placed(id: string, fields: Partial<PlacementInstance> = {}): PlacementInstance {
  return waiting(id, { slot: { host_id: `host_of_${id}`, slot: 0 }, ...fields })
}

function running(id: string, fields: Partial<PlacementInstance> = {}): PlacementInstance {
  return placed(id, { state: 'running', ...fields })
}

function host(id: string, fields: Partial<OpenHost> = {}): OpenHost {
  const free = { free_slots: [0], image_ids: [], fabric: null, network: 'full' as const, free_public_ipv4s: 0 }
  return { host_id: `host_${id}`, ...free, ...fields }
}

/** `[[0, 2], [600, 1]]`: two nodes from now on, one from ten minutes from now on, for ever. */
function plan(counts: [number, number][], fields: Partial<PlacementInput>) {
  const allocation = counts.map(([start, node_count], index) => {
    const next = counts[index + 1]?.[0]
    return { start_at: now + start, end_at: next === undefined ? null : now + next, node_count }
  })
  return planPlacement({ now: now, allocation, known_until: null, instances: [], hosts: [], ...fields })
}

const ids = (list: readonly { instance_id: string }[]) => list.map(({ instance_id }) => instance_id)

describe('starts', () => {
  test('the highest priority starts first, then the oldest, then the first id', () => {
    const instances = [
      waiting('d'),
      waiting('c'),
      waiting('young_critical', { priority_level: 'critical', created_at: now }),
      waiting('old', { created_at: now - 2 * far }),
      waiting('yielding', { priority_level: 'yield', created_at: 0 }),
    ]
    const { starts } = plan([[0, 4]], { instances, hosts: [host('h', { free_slots: [0, 1, 2, 3, 4] })] })
    assert.deepEqual(ids(starts), ['inst_young_critical', 'inst_old', 'inst_c', 'inst_d'])
  })

  test('running, failed and placed instances use allocation, terminated and returning ones do not', () => {
    const there = [running('a'), running('b', { state: 'failed' }), placed('c')]
    const gone = [placed('d', { is_returning: true }), running('e', { state: 'terminated' })]
    const instances = [...there, ...gone, waiting('w')]
    assert.deepEqual(plan([[0, 3]], { instances, hosts: [host('h')] }).starts, [])
    assert.deepEqual(ids(plan([[0, 4]], { instances, hosts: [host('h')] }).starts), ['inst_w'])
  })

  test('a machine in its grace period still uses its place', () => {
    const notice = { notice_at: now - 10, deadline_at: now + 50 }
    const instances = [running('a', { priority_level: 'yield', notice }), running('b'), waiting('w')]
    const { starts, ends } = plan([[0, 1]], { instances, hosts: [host('h')] })
    assert.deepEqual({ starts, ends }, { starts: [], ends: [] })
  })

  test('a host with the image is preferred to a fuller one, a fuller one to an emptier one, then the first id', () => {
    const hosts = [
      host('roomy', { free_slots: [0, 1, 2] }),
      host('b_full', { free_slots: [7] }),
      host('a_full', { free_slots: [5] }),
      host('has_image', { free_slots: [3, 1, 2, 4], image_ids: ['image_a'] }),
    ]
    const instances = ['1', '2', '3', '4', '5', '6', '7', '8', '9'].map((id) => waiting(id))
    const { starts } = plan([[0, 9]], { instances, hosts })
    assert.deepEqual(
      starts.map(({ host_id, slot }) => `${host_id}:${slot}`),
      [
        'host_has_image:1',
        'host_has_image:2',
        'host_has_image:3',
        'host_has_image:4',
        'host_a_full:5',
        'host_b_full:7',
        'host_roomy:0',
        'host_roomy:1',
        'host_roomy:2',
      ],
    )
  })

  test('a subnet needs a full network, a public address a free one, a partition its fabric', () => {
    const hosts = [
      host('ssh_only', { network: 'ssh_only' }),
      host('public', { free_slots: [0, 1], free_public_ipv4s: 1 }),
      host('fabric', { fabric: 'fab-1' }),
    ]
    const instances = [
      waiting('1_public', { needs_public_ipv4: true }),
      waiting('2_public', { needs_public_ipv4: true }),
      waiting('3_other_fabric', { fabric: 'fab-2' }),
      waiting('4_fabric', { fabric: 'fab-1' }),
      waiting('5_subnet', { needs_full_network: true }),
      waiting('6_subnet', { needs_full_network: true }),
      waiting('7_any'),
    ]
    const { starts } = plan([[0, 9]], { instances, hosts })
    assert.deepEqual(
      starts.map(({ instance_id, host_id }) => [instance_id, host_id]),
      [
        ['inst_1_public', 'host_public'],
        ['inst_4_fabric', 'host_fabric'],
        ['inst_5_subnet', 'host_public'],
        ['inst_7_any', 'host_ssh_only'],
      ],
    )
  })
})

describe('successors of replaced instances', () => {
  const replaces_slot = { host_id: 'host_h', slot: 3, is_usable: true, may_start_elsewhere: false } as const
  const successor = waiting('successor', { created_at: now, priority_level: 'yield', replaces_slot })
  const rival = waiting('rival', { priority_level: 'critical' })

  test('a successor takes the freed slot ahead of all other waiters', () => {
    const hosts = [host('h', { free_slots: [1, 3], image_ids: ['image_a'] })]
    assert.deepEqual(plan([[0, 1]], { instances: [rival, successor], hosts }).starts, [
      { instance_id: 'inst_successor', host_id: 'host_h', slot: 3 },
    ])
    const both = plan([[0, 2]], { instances: [rival, successor], hosts }).starts
    assert.deepEqual(both.slice(1), [{ instance_id: 'inst_rival', host_id: 'host_h', slot: 1 }])
  })

  test('its place stays reserved until the stop of its predecessor is confirmed', () => {
    const hosts = [host('h', { free_slots: [1] })]
    assert.deepEqual(plan([[0, 1]], { instances: [rival, successor], hosts }).starts, [])
    assert.deepEqual(ids(plan([[0, 2]], { instances: [rival, successor], hosts }).starts), ['inst_rival'])
  })

  test('after a failure it starts on any free slot, and waits for its own only if there is none', () => {
    const heir = waiting('heir', { created_at: now, replaces_slot: { ...replaces_slot, may_start_elsewhere: true } })
    const start = (free: readonly number[]) =>
      plan([[0, 1]], { instances: [rival, heir], hosts: [host('h', { free_slots: free })] }).starts
    assert.deepEqual(start([1]), [{ instance_id: 'inst_heir', host_id: 'host_h', slot: 1 }])
    assert.deepEqual(start([1, 3]), [{ instance_id: 'inst_heir', host_id: 'host_h', slot: 3 }])
    const full = waiting('heir', { created_at: now, needs_full_network: true, replaces_slot: heir.replaces_slot })
    const hosts = [host('h', { free_slots: [1], network: 'ssh_only' })]
    assert.deepEqual(plan([[0, 1]], { instances: [rival, full], hosts }).starts, [], 'its allocation stays reserved')
  })

  test('a successor that goes elsewhere leaves a younger one its own slot', () => {
    const older = waiting('older', {
      replaces_slot: { host_id: 'host_h', slot: 2, is_usable: true, may_start_elsewhere: true },
    })
    const younger = waiting('younger', { created_at: now, replaces_slot: { ...replaces_slot, slot: 0 } })
    const instances = [younger, older]
    const start = (room: number, free: readonly number[]) =>
      plan([[0, room]], { instances, hosts: [host('h', { free_slots: free })] }).starts
    const first = { instance_id: 'inst_older', host_id: 'host_h', slot: 1 }
    assert.deepEqual(start(2, [0, 1]), [first, { instance_id: 'inst_younger', host_id: 'host_h', slot: 0 }])
    assert.deepEqual(start(1, [0, 1]), [first])
    assert.deepEqual(start(1, [0]), [], 'the allocation is reserved for the older one, the slot for the younger one')
  })

  test('if that host cannot be used, it starts elsewhere, still ahead of the others', () => {
    const lost = waiting('successor', { created_at: now, replaces_slot: { ...replaces_slot, is_usable: false } })
    const { starts } = plan([[0, 1]], { instances: [rival, lost], hosts: [host('other')] })
    assert.deepEqual(starts, [{ instance_id: 'inst_successor', host_id: 'host_other', slot: 0 }])
  })

  test('the public address moves with the slot, so the host needs no free address', () => {
    const heir = waiting('heir', { needs_public_ipv4: true, needs_full_network: true, replaces_slot })
    const hosts = [host('h', { free_slots: [3], free_public_ipv4s: 0 })]
    assert.deepEqual(ids(plan([[0, 1]], { instances: [heir], hosts }).starts), ['inst_heir'])
  })

  test('if the host has lost its network rights, it starts on another one', () => {
    const heir = waiting('heir', { needs_full_network: true, replaces_slot })
    const hosts = [host('h', { free_slots: [3], network: 'ssh_only' }), host('other')]
    const { starts } = plan([[0, 1]], { instances: [heir], hosts })
    assert.deepEqual(starts, [{ instance_id: 'inst_heir', host_id: 'host_other', slot: 0 }])
  })
})

describe('notices', () => {
  const instances = [
    running('critical', { priority_level: 'critical', created_at: now }),
    running('old', { created_at: now - 2 * far }),
    running('b_new'),
    running('a_new'),
    running('failed', { state: 'failed', priority_level: 'yield', created_at: 0 }),
  ]

  test('as many as needed get notice: the lowest priority first, then the newest, then the first id', () => {
    const { notices } = plan([[0, 2]], { instances })
    assert.deepEqual(ids(notices), ['inst_failed', 'inst_a_new', 'inst_b_new'])
    assert.deepEqual(ids(plan([[0, 4]], { instances }).notices), ['inst_failed'])
    assert.deepEqual(plan([[0, 5]], { instances }).notices, [])
  })

  test('a reduction that is known early gets its notice 600 seconds ahead and not a second before', () => {
    const early = plan(
      [
        [0, 5],
        [601, 4],
      ],
      { instances },
    )
    assert.deepEqual({ notices: early.notices, next_at: early.next_at }, { notices: [], next_at: now + 1 })
    const { notices, next_at } = plan(
      [
        [0, 5],
        [600, 4],
      ],
      { instances },
    )
    assert.deepEqual(notices, [{ instance_id: 'inst_failed', deadline_at: now + 600, cause: 'allocation' }])
    assert.equal(next_at, now + 600)
  })

  test('a reduction that is known late leaves 60 seconds from the notice', () => {
    const deadlines = (counts: [number, number][]) =>
      plan(counts, { instances }).notices.map((n) => n.deadline_at - now)
    assert.deepEqual(deadlines([[0, 4]]), [60])
    assert.deepEqual(
      deadlines([
        [0, 5],
        [30, 4],
      ]),
      [60],
    )
    assert.deepEqual(
      deadlines([
        [0, 5],
        [90, 4],
      ]),
      [90],
    )
    assert.deepEqual(
      deadlines([
        [0, 4],
        [90, 3],
        [300, 1],
      ]),
      [60, 90, 300, 300],
    )
  })

  test('the end of the last step is a reduction to zero', () => {
    const allocation = [{ start_at: now - 60, end_at: now + 120, node_count: 5 }]
    assert.equal(plan([], { instances, allocation }).notices.length, 5)
  })

  test('the unknown part of the schedule gives no notice, but the next check comes in time', () => {
    const allocation = [{ start_at: now - 60, end_at: now + 3_600, node_count: 5 }]
    const { notices, next_at } = plan([], { instances, allocation, known_until: now + 3_600 })
    assert.deepEqual({ notices, next_at }, { notices: [], next_at: now + 3_000 })
  })

  test('a draining host gives notice for its deadline, and its machines do not count twice', () => {
    const draining = running('draining', { priority_level: 'critical', host_ends_at: now + 300 })
    const { notices } = plan(
      [
        [0, 2],
        [400, 1],
      ],
      { instances: [draining, running('safe')] },
    )
    assert.deepEqual(notices, [{ instance_id: 'inst_draining', deadline_at: now + 300, cause: 'host' }])
    const sooner = plan(
      [
        [0, 2],
        [200, 1],
      ],
      { instances: [draining, running('victim')] },
    )
    assert.deepEqual(sooner.notices, [
      { instance_id: 'inst_victim', deadline_at: now + 200, cause: 'allocation' },
      { instance_id: 'inst_draining', deadline_at: now + 300, cause: 'host' },
    ])
  })

  test('a host that drains late is checked 600 seconds before its deadline', () => {
    const draining = running('draining', { host_ends_at: now + 5_000 })
    assert.deepEqual(plan([[0, 1]], { instances: [draining] }).next_at, now + 4_400)
  })
})

describe('existing notices', () => {
  const noticed = (notice_at: number, deadline_at: number) =>
    running('a', { notice: { notice_at: now + notice_at, deadline_at: now + deadline_at } })

  test('a notice is withdrawn when its instance is no longer a victim of a reduction within 600 seconds', () => {
    const instances = [noticed(-100, 500)]
    assert.deepEqual(plan([[0, 1]], { instances }).withdrawals, ['inst_a'])
    assert.deepEqual(
      plan(
        [
          [0, 1],
          [601, 0],
        ],
        { instances },
      ).withdrawals,
      ['inst_a'],
    )
    assert.deepEqual(
      plan(
        [
          [0, 1],
          [600, 0],
        ],
        { instances },
      ).withdrawals,
      [],
    )
  })

  test('a reduction that moves within 600 seconds moves the deadline, both ways, and gives no second notice', () => {
    const moved = (counts: [number, number][]) => {
      const { notices, deadline_moves, withdrawals } = plan(counts, { instances: [noticed(-20, 500)] })
      assert.deepEqual({ notices, withdrawals }, { notices: [], withdrawals: [] })
      return deadline_moves.map((move) => move.deadline_at - now)
    }
    assert.deepEqual(
      moved([
        [0, 1],
        [540, 0],
      ]),
      [540],
    )
    assert.deepEqual(
      moved([
        [0, 1],
        [120, 0],
      ]),
      [120],
    )
    assert.deepEqual(
      moved([
        [0, 1],
        [10, 0],
      ]),
      [40],
    )
    assert.deepEqual(
      moved([
        [0, 1],
        [500, 0],
      ]),
      [],
    )
  })

  test('an instance ends at its deadline or at a later check, never early', () => {
    const ends = (notice_at: number, deadline_at: number) =>
      plan([[0, 0]], { instances: [noticed(notice_at, deadline_at)] })
    assert.deepEqual(ends(-60, 0).ends, [{ instance_id: 'inst_a', cause: 'allocation' }])
    assert.deepEqual(ends(-900, -300).ends, [{ instance_id: 'inst_a', cause: 'allocation' }])
    assert.deepEqual(ends(-59, 1).ends, [])
    assert.equal(ends(-59, 1).next_at, now + 1)
  })

  test('a reduction that moves to the present ends instances at once that had 60 seconds of notice', () => {
    assert.deepEqual(ids(plan([[0, 0]], { instances: [noticed(-100, 500)] }).ends), ['inst_a'])
  })

  test('each plan computes the victims again: an instance with a lower rank takes over the notice', () => {
    const first = running('first', { notice: { notice_at: now - 100, deadline_at: now + 500 } })
    const newer = running('newer', { created_at: now })
    const { notices, withdrawals } = plan(
      [
        [0, 2],
        [500, 1],
      ],
      { instances: [first, newer] },
    )
    assert.deepEqual(withdrawals, ['inst_first'])
    assert.deepEqual(notices, [{ instance_id: 'inst_newer', deadline_at: now + 500, cause: 'allocation' }])
  })

  test('an ended instance frees its place in the same plan if the allocation remains', () => {
    const notice = { notice_at: now - 600, deadline_at: now }
    const instances = [running('a', { host_ends_at: now, notice }), waiting('w')]
    const { starts, ends } = plan([[0, 1]], { instances, hosts: [host('h')] })
    assert.deepEqual([ids(ends), ids(starts)], [['inst_a'], ['inst_w']])
    assert.deepEqual(ends, [{ instance_id: 'inst_a', cause: 'host' }])
  })
})

describe('placed instances that no host has reported', () => {
  test('they return to waiting without notice when the allocation ends, the last started first', () => {
    const instances = [running('r'), placed('old'), placed('young', { created_at: now })]
    assert.deepEqual(plan([[0, 2]], { instances }).returns, ['inst_young'])
    assert.deepEqual(plan([[0, 0]], { instances }).returns, ['inst_young', 'inst_old'])
    const { returns, next_at } = plan(
      [
        [0, 3],
        [60, 2],
      ],
      { instances },
    )
    assert.deepEqual({ returns, next_at }, { returns: [], next_at: now + 60 })
  })

  test('they leave a host whose drain deadline is within 600 seconds', () => {
    assert.deepEqual(plan([[0, 1]], { instances: [placed('a', { host_ends_at: now + 600 })] }).returns, ['inst_a'])
    const { returns, next_at } = plan([[0, 1]], { instances: [placed('a', { host_ends_at: now + 900 })] })
    assert.deepEqual({ returns, next_at }, { returns: [], next_at: now + 300 })
  })
})

describe('the next check', () => {
  const next = (counts: [number, number][], instances: PlacementInstance[]) => plan(counts, { instances }).next_at

  test('an idle pool has no next check, however its allocation changes', () => {
    assert.equal(
      next(
        [
          [0, 5],
          [60, 3],
          [120, 9],
        ],
        [],
      ),
      null,
    )
    assert.equal(
      next(
        [
          [0, 5],
          [60, 3],
          [120, 9],
        ],
        [running('a')],
      ),
      null,
    )
  })

  test('waiters wait for the next change of the allocation', () => {
    assert.equal(
      next(
        [
          [0, 0],
          [60, 0],
          [120, 1],
        ],
        [waiting('a')],
      ),
      now + 120,
    )
  })

  test('an increase of the allocation during a grace period causes a check', () => {
    const notice = { notice_at: now - 10, deadline_at: now + 50 }
    assert.equal(
      next(
        [
          [0, 0],
          [30, 1],
        ],
        [running('a', { notice })],
      ),
      now + 30,
    )
  })
})
