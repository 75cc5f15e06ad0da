import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { hostEndOf } from '../hosts/hosts.rules.ts'
import { slotsForMachines, unfitSince } from './host-fit.rules.ts'

const hosts = fc.integer({ min: 1, max: 64 }).chain((slots) =>
  fc.record({
    slots: fc.constant(slots),
    used_slots: fc.nat(slots),
    fitting_slots: fc.option(fc.nat(slots)),
    now: fc.nat(slots),
  }),
)

test('without a loss of hardware the machines that run keep theirs, and no others get any', () => {
  fc.assert(
    fc.property(hosts, ({ now, ...host }) => {
      const had = host.fitting_slots ?? host.slots
      const kept = slotsForMachines({ fitting_slots: now }, host, false)
      assert.equal(kept >= host.used_slots, had >= host.used_slots || now >= host.used_slots)
      assert.ok(kept >= now && kept <= Math.max(now, Math.min(had, host.used_slots)))
    }),
  )
})

test('a change of the SKU alone gives the machines of a host no end', () => {
  fc.assert(
    fc.property(hosts, ({ now, ...host }) => {
      const stage = { state: 'active', drain_deadline_at: null, unfit_at: 1, used_slots: host.used_slots } as const
      const before = hostEndOf({ ...stage, fitting_slots: host.fitting_slots })
      const after = { ...stage, fitting_slots: slotsForMachines({ fitting_slots: now }, host, false) }
      if (before === null) assert.equal(hostEndOf(after), null)
    }),
  )
})

test('with lost hardware the comparison alone counts', () => {
  fc.assert(
    fc.property(hosts, ({ now, ...host }) => {
      assert.equal(slotsForMachines({ fitting_slots: now }, host, true), now)
    }),
  )
})

test('the time for a repair begins with the loss that ends machines, and not anew with a further one', () => {
  const unfit = { unfit_at: 100, fitting_slots: 2, used_slots: 2 }
  assert.equal(unfitSince({ ...unfit, unfit_at: null }, 1, 900), 900)
  assert.equal(unfitSince(unfit, 2, 900), 100)
  assert.equal(unfitSince(unfit, 1, 900), 900)
  assert.equal(unfitSince({ ...unfit, fitting_slots: null }, 1, 900), 900, 'it was never compared')
  assert.equal(unfitSince({ ...unfit, fitting_slots: 1 }, 0, 900), 100)
})
