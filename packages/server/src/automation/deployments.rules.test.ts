import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { nextRetryState, type RetryState } from './automation-status.rules.ts'
import {
  type DeploymentMember,
  type DeploymentView,
  permissionsOfChange,
  planDeployment,
  statusOfRetry,
  stepActionsMax,
} from './deployments.rules.ts'

const now = 1_800_000_000

function member(deployment_slot: number, fields: Partial<DeploymentMember> = {}): DeploymentMember {
  const plain = { state: 'running', priority_level: 'normal', created_at: now - 3_600 } as const
  return { id: `inst_${deployment_slot}`, deployment_slot, ...plain, ...fields }
}

function plan(target: number, members: DeploymentMember[], fields: Partial<DeploymentView> = {}) {
  const view = {
    now: now,
    is_enabled: true,
    target_instance_count: target,
    is_sku_retired: false,
    retry: null,
    members,
  }
  return planDeployment({ ...view, ...fields })
}

const refusal = { code: 'limit_exceeded', message: 'The limit instances is reached.' } as const

describe('a fleet below its target', () => {
  test('gets an instance in each free slot, lowest first', () => {
    assert.deepEqual(plan(3, []).creates, [0, 1, 2])
    assert.deepEqual(plan(4, [member(1), member(3)]).creates, [0, 2])
    assert.deepEqual(plan(2, [member(0), member(1)]).creates, [])
  })

  test('replaces terminated members, but not failed ones', () => {
    const members = [member(0, { state: 'terminated' }), member(1, { state: 'failed' })]
    assert.deepEqual(plan(2, members).creates, [0])
  })

  test('gets no instances on a retired SKU, and shows this in its status', () => {
    const { creates, status } = plan(3, [member(0)], { is_sku_retired: true })
    assert.deepEqual(creates, [])
    assert.deepEqual([status.state, status.code], ['error', 'sku_not_available'])
    assert.equal(plan(1, [member(0)], { is_sku_retired: true }).status.code, 'ok')
  })
})

describe('a fleet above its target', () => {
  test('ends the lowest priority first, then the newest, then the lowest id', () => {
    const members = [
      member(0, { priority_level: 'critical', created_at: now }),
      member(1, { created_at: now - 9_999 }),
      member(2, { priority_level: 'yield', created_at: 0 }),
      member(3),
      member(4),
    ]
    assert.deepEqual(plan(2, members).ends, ['inst_2', 'inst_3', 'inst_4'])
    assert.deepEqual(plan(4, members).ends, ['inst_2'])
    assert.deepEqual(plan(0, members).ends.length, 5)
  })

  test('moves remaining members into the slots below the target', () => {
    const members = [member(0), member(1, { created_at: now }), member(2, { created_at: now }), member(3), member(4)]
    const { ends, moves, creates } = plan(3, members)
    assert.deepEqual(ends, ['inst_1', 'inst_2'])
    assert.deepEqual(moves, [
      { instance_id: 'inst_3', deployment_slot: 1 },
      { instance_id: 'inst_4', deployment_slot: 2 },
    ])
    assert.deepEqual(creates, [])
  })

  test('fills only the slots that are free after the moves', () => {
    const { ends, moves, creates } = plan(3, [member(7)])
    assert.deepEqual(
      { ends, moves, creates },
      {
        ends: [],
        moves: [{ instance_id: 'inst_7', deployment_slot: 0 }],
        creates: [1, 2],
      },
    )
  })
})

test('a disabled deployment, or one of a frozen account, does nothing', () => {
  for (const members of [[], [member(0), member(5)]]) {
    const { ends, moves, creates, status, next_at } = plan(1, members, { is_enabled: false })
    assert.deepEqual({ ends, moves, creates, next_at }, { ends: [], moves: [], creates: [], next_at: null })
    assert.deepEqual([status.state, status.code], ['info', 'ok'])
  }
})

describe('a refused creation', () => {
  test('is tried again after 30 seconds, then after twice as long each time, at most 10 minutes', () => {
    let retry: RetryState | null = null
    const waits = Array.from({ length: 8 }, () => {
      retry = nextRetryState(retry, refusal, now)
      return retry.retry_at - now
    })
    assert.deepEqual(waits, [30, 60, 120, 240, 480, 600, 600, 600])
    assert.equal(nextRetryState({ ...refusal, tries: 5_000, retry_at: 0 }, refusal, now).retry_at, now + 600)
  })

  test('delays creations until the next try, with the refusal as status', () => {
    const retry = nextRetryState(null, refusal, now)
    const taken = plan(2, [member(0)], { retry, now: now + 29 })
    assert.deepEqual([taken.creates, taken.next_at, taken.retry], [[], now + 30, retry])
    assert.deepEqual(taken.status, { state: 'error', ...refusal })
    const tried = plan(2, [member(0)], { retry, now: now + 30 })
    assert.deepEqual([tried.creates, tried.next_at, tried.retry], [[1], null, null])
  })

  test('delays neither ends nor moves, and is cleared if nothing is to be created', () => {
    const retry = nextRetryState(null, refusal, now)
    const above = plan(1, [member(0), member(1, { created_at: now })], { retry })
    assert.deepEqual([above.ends, above.retry, above.next_at], [['inst_1'], null, null])
    assert.deepEqual(plan(2, [member(5)], { retry }).moves, [{ instance_id: 'inst_5', deployment_slot: 0 }])
  })

  test('with a code that is not in the contract is an error too', () => {
    const status = statusOfRetry(nextRetryState(null, { code: 'subnet_full', message: 'Full.' }, now))
    assert.deepEqual(status, { state: 'error', code: 'subnet_full', message: 'Full.' })
  })
})

describe('the status', () => {
  const output = (target: number, members: DeploymentMember[]) => plan(target, members).status

  test('counts the waiting instances, including those that are being created', () => {
    const expected = { state: 'info', code: 'waiting_for_allocation', message: '2 of 3 instances wait for allocation.' }
    assert.deepEqual(output(3, [member(0), member(1, { state: 'awaiting_allocation' })]), expected)
  })

  test('is ok when all have a machine, and counts the failed ones', () => {
    assert.deepEqual(output(1, [member(0)]), { state: 'info', code: 'ok', message: '1 of 1 instances have a machine.' })
    assert.match(output(2, [member(0), member(1, { state: 'failed' })]).message, /1 failed/)
    assert.equal(output(0, []).code, 'ok')
  })
})

describe('a step', () => {
  const many = (count: number, from = 0) => Array.from({ length: count }, (_, index) => member(from + index))

  test('creates up to the maximum, and continues at once', () => {
    const first = plan(10_000, [])
    assert.deepEqual([first.creates.length, first.next_at], [stepActionsMax, now])
    assert.equal(plan(stepActionsMax, []).next_at, null)
  })

  test('ends up to the maximum, and creates or moves nothing until the surplus has ended', () => {
    const { ends, moves, creates, next_at } = plan(10, many(stepActionsMax + 11))
    assert.deepEqual([ends.length, moves, creates, next_at], [stepActionsMax, [], [], now])
  })

  test('moves up to the maximum, and creates nothing until all have moved', () => {
    const { moves, creates, next_at } = plan(2_000, many(stepActionsMax + 1, 2_000))
    assert.deepEqual([moves.length, creates, next_at], [stepActionsMax, [], now])
  })
})

test('a change needs the permissions for what it makes more of, and none for less', () => {
  const generic = {
    kind: 'generic',
    enabled: true,
    target_instance_count: 4,
    instance_template_id: 'itmpl_one',
    max_buy_hourly_micros: null,
  } as const
  const spot = { ...generic, kind: 'spot', max_buy_hourly_micros: 5n } as const
  const off = { enabled: false }
  const launch = ['instance:create']
  const both = ['instance:create', 'order:create']
  for (const [before, change, wanted] of [
    [generic, {}, []],
    [generic, { target_instance_count: 5 }, launch],
    [generic, { target_instance_count: 3 }, []],
    [generic, off, []],
    [{ ...generic, ...off }, { enabled: true }, launch],
    [{ ...generic, ...off }, { target_instance_count: 5 }, launch],
    [generic, { instance_template_id: 'itmpl_two' }, launch],
    [spot, {}, []],
    [spot, { target_instance_count: 5 }, both],
    [spot, { target_instance_count: 3 }, []],
    [{ ...spot, ...off }, { enabled: true }, both],
    [spot, { max_buy_hourly_micros: 6n }, ['order:create']],
    [spot, { max_buy_hourly_micros: 4n }, []],
    [spot, { instance_template_id: 'itmpl_two' }, launch],
  ] as const) {
    assert.deepEqual(
      permissionsOfChange(before, { ...before, ...change }),
      wanted,
      `${before.kind} ${Object.keys(change)}`,
    )
  }
})
