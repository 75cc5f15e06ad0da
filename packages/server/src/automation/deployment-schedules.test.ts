// The invariant life.fleet under random schedules: views of any age, crashes after any action, lost wake-ups and two
// concurrent planners. Tests the planner together with the conditions of the statements that its header describes.

import assert from 'node:assert/strict'
import { priorityLevels } from '@bourse/api/fleet/priority-levels.ts'
import type { Id } from '@bourse/api/kit/ids.ts'
import { test } from 'vitest'
import { sized } from '../../test/support/size.ts'
import { createSeededRandom, type Random } from '../core/base/random.ts'
import { nextRetryState } from './automation-status.rules.ts'
import { type DeploymentMember, type DeploymentView, planDeployment } from './deployments.rules.ts'

const schedules = sized(200_000)
const roundsMax = 200

type Action =
  | { readonly do: 'end'; readonly id: Id<'instance'> }
  | { readonly do: 'move'; readonly id: Id<'instance'>; readonly slot: number }
  | { readonly do: 'create'; readonly slot: number }

/** The current view and all earlier ones. Members are the living ones. Views are immutable. */
type ScheduleWorld = { current: DeploymentView; past: DeploymentView[]; born: number; random: Random }

function worldOf(seed: number): ScheduleWorld {
  const random = createSeededRandom(seed)
  const target_instance_count = random.integer(6)
  const plain = { now: 0, is_enabled: true, is_sku_retired: false, members: [], retry: null }
  return { current: { ...plain, target_instance_count }, past: [], born: 0, random }
}

function change(world: ScheduleWorld, fields: Partial<DeploymentView>): void {
  world.past.push(world.current)
  world.current = { ...world.current, ...fields }
}

function memberAt(world: ScheduleWorld, deployment_slot: number): DeploymentMember {
  const priority_level = priorityLevels[world.random.integer(4)] as 'normal'
  const id: Id<'instance'> = `inst_${world.born++}`
  return { id, deployment_slot, state: 'awaiting_allocation', priority_level, created_at: world.current.now }
}

function actionsOf(view: DeploymentView): Action[] {
  const { ends, moves, creates } = planDeployment(view)
  assert.ok(view.is_enabled || ends.length + moves.length + creates.length === 0, 'a disabled deployment acts')
  return [
    ...ends.map((id): Action => ({ do: 'end', id })),
    ...moves.map(({ instance_id: id, deployment_slot: slot }): Action => ({ do: 'move', id, slot })),
    ...creates.map((slot): Action => ({ do: 'create', slot })),
  ]
}

/** Carries out an action like its statement. Returns false if a condition of the statement does not hold. */
function carryOut(world: ScheduleWorld, action: Action): boolean {
  const { members, target_instance_count: target, is_enabled } = world.current
  const isFree = (slot: number) => members.every(({ deployment_slot }) => deployment_slot !== slot)
  if (!is_enabled) return false
  if (action.do === 'create') {
    const { slot } = action
    if (slot >= target || !isFree(slot) || members.some(({ deployment_slot }) => deployment_slot >= target))
      return false
    change(world, { members: [...members, memberAt(world, slot)] })
    return true
  }
  if (members.every(({ id }) => id !== action.id)) return false
  if (action.do === 'end') {
    if (members.length <= target) return false
    change(world, { members: members.filter(({ id }) => id !== action.id) })
    return true
  }
  if (!isFree(action.slot)) return false
  const moved = members.map((member) =>
    member.id === action.id ? { ...member, deployment_slot: action.slot } : member,
  )
  change(world, { members: moved })
  return true
}

function assertFleet(before: DeploymentView, { current }: ScheduleWorld): void {
  const most = Math.max(current.target_instance_count, before.members.length)
  assert.ok(current.members.length <= most, `${current.members.length} live, at most ${most} are allowed`)
  const places = new Set(current.members.map(({ deployment_slot }) => deployment_slot))
  assert.equal(places.size, current.members.length, 'two members in one slot')
}

/** A change by users, hosts or time. */
function externalChange(world: ScheduleWorld): Partial<DeploymentView> {
  const { random, current } = world
  const { members } = current
  const chosen = members.length === 0 ? undefined : members[random.integer(members.length)]
  const swap = (next: DeploymentMember) => ({ members: members.map((member) => (member === chosen ? next : member)) })
  switch (random.integer(6)) {
    case 0:
      return { target_instance_count: random.integer(7) }
    case 1:
      return { is_enabled: random.integer(4) > 0 }
    case 2:
      return { now: current.now + random.integer(100) }
    case 3:
      return { members: members.filter((member) => member !== chosen) }
    case 4:
      return chosen ? swap({ ...chosen, state: chosen.state === 'running' ? 'failed' : 'running' }) : {}
    default:
      return chosen ? swap(memberAt(world, chosen.deployment_slot)) : {}
  }
}

function runSchedule(world: ScheduleWorld): void {
  const { random } = world
  const pending: Action[][] = [[], []]
  const steps = 6 + random.integer(18)
  for (let step = 0; step < steps; step++) {
    const planner = random.integer(2)
    const mine = pending[planner] as Action[]
    switch (random.integer(8)) {
      case 0:
      case 1:
        change(world, externalChange(world))
        break
      case 2: {
        const age = random.integer(4) * random.integer(4)
        pending[planner] = actionsOf(world.past.at(-age - 1) ?? world.current)
        break
      }
      case 3:
        pending[planner] = actionsOf(world.current)
        break
      case 4:
        pending[planner] = []
        break
      default: {
        const action = mine.shift()
        if (!action) break
        const before = world.current
        if (action.do === 'create' && random.integer(8) === 0) {
          const refusal = { code: 'limit_exceeded', message: 'Full.' } as const
          change(world, { retry: nextRetryState(before.retry, refusal, before.now) })
          pending[planner] = []
        } else carryOut(world, action)
        assertFleet(before, world)
      }
    }
  }
}

/** Runs complete steps without other changes until there is nothing to do. Returns their number. */
function settle(world: ScheduleWorld): number {
  change(world, { is_enabled: true })
  for (let round = 0; round < roundsMax; round++) {
    const { next_at } = planDeployment(world.current)
    const actions = actionsOf(world.current)
    if (actions.length === 0 && next_at === null) return round
    for (const action of actions) {
      const before = world.current
      assert.ok(
        carryOut(world, action),
        `a plan from the current view has an invalid action: ${JSON.stringify(action)}`,
      )
      assertFleet(before, world)
    }
    if (next_at !== null) change(world, { now: Math.max(world.current.now, next_at) })
  }
  throw new Error(`not settled after ${roundsMax} rounds`)
}

function assertAtTarget({ current }: ScheduleWorld): void {
  const places = current.members.map(({ deployment_slot }) => deployment_slot).sort((a, b) => a - b)
  const wanted = Array.from({ length: current.target_instance_count }, (_, slot) => slot)
  assert.deepEqual(places, wanted, 'the slots 0 … target − 1 are not exactly filled')
}

test(`a fleet never grows past its target and settles at it, in ${schedules} random schedules`, () => {
  let slowest = 0
  for (let seed = 0; seed < schedules; seed++) {
    const world = worldOf(seed)
    try {
      runSchedule(world)
      slowest = Math.max(slowest, settle(world))
      assertAtTarget(world)
    } catch (failure) {
      throw new Error(`seed ${seed}: ${(failure as Error).message}`, { cause: failure })
    }
  }
  assert.ok(slowest <= 5, `the slowest schedule settled after ${slowest} rounds`)
})
