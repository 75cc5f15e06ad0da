import assert from 'node:assert/strict'
import type { Budget, CreateOrderBody, Order, OrderEstimate } from '@bourse/sdk'
import { momentAt, readMoment } from '@bourse/text/grammar/moments.ts'
import { localZone } from '@bourse/text/time/local-zone.ts'
import { test } from 'vitest'
import { budgetsAfter, lackOf, restText, tradedLevels, unavailableText, worstCaseOf } from './estimate.rules.ts'
import { keysOf, launchAsProgram, launchesOf, withKey } from './launch.rules.ts'
import { namedWindows } from './named-windows.rules.ts'
import {
  amendmentBody,
  atRunningMinute,
  emptyTicket,
  estimateBody,
  fillingIn,
  freshDraft,
  lengthOfWindow,
  orderBody,
  orderTime,
  problemsOf,
  refusedFields,
  stripNote,
  type Ticket,
  windowOf,
  withChange,
  withStart,
  withTyped,
} from './ticket.rules.ts'
import { amendmentAsProgram, orderAsProgram } from './ticket-programs.rules.ts'

const now = 1_799_999_999
const whole = { ...emptyTicket, sku: 'sku_1', pool: 'pool_1', start: '1800000000', end: '1800007200' }

test('a ticket without a window is for an hour from the running minute, and moves on with it', () => {
  assert.deepEqual(windowOf(emptyTicket, now), { start: 1_799_999_940, end: 1_800_003_540 })
  assert.deepEqual(windowOf(emptyTicket, now + 60), { start: 1_800_000_000, end: 1_800_003_600 })
  assert.deepEqual(windowOf(whole, now), { start: 1_800_000_000, end: 1_800_007_200 })
  assert.deepEqual(windowOf({ start: '1800000000', end: '+600' }, now), { start: 1_800_000_000, end: 1_800_000_600 })
  assert.deepEqual(windowOf({ start: 'x', end: '+600' }, now), { start: undefined, end: undefined })
  assert.equal(lengthOfWindow({ start: 'now', end: '1800007200' }, now), 7_260)
  assert.equal(lengthOfWindow({ start: '1800007200', end: '1800000000' }, now), undefined)
  assert.equal(estimateBody({ ...emptyTicket, sku: 'sku_1' }, now)?.start_at, 1_799_999_940)
})

test('a window that goes beyond the strip is named beside it', () => {
  const range = { current: 36_000, hours: 2 }
  assert.equal(stripNote(undefined, range), '')
  assert.equal(stripNote({ start: 36_000, end: 43_200 }, range), '')
  assert.equal(stripNote({ start: 36_000, end: 43_260 }, range), 'The window goes on after these days.')
  assert.equal(stripNote({ start: 43_200, end: 43_260 }, range), 'The window begins after these days.')
})

test('orders go by a time a little ahead, so that the minute has not passed where it is used', () => {
  assert.equal(orderTime(now, undefined), now + 2)
  assert.equal(orderTime(now, { frozen: false, rate: 60 }), now + 120)
  assert.equal(orderTime(now, { frozen: true, rate: 60 }), now)
})

test('a window is chosen by its name: some keep the length, a night and a weekend have their own', () => {
  const at = (text: string) => Date.parse(text) / 1_000
  // Friday, 2027-01-15 07:59:59 UTC.
  const named = namedWindows({ ...whole, start: 'now', end: '+1800' }, now)
  const zoned = (wall: string) => momentAt(readMoment(wall), { now, zone: localZone(), text: wall })
  assert.deepEqual(
    named.map(({ name, start, end }) => [name, start, end]),
    [
      ['Now', 'now', '+1800'],
      ['+1 h', String(at('2027-01-15T08:59Z')), String(at('2027-01-15T09:29Z'))],
      ['Tonight', String(zoned('2027-01-15 18:00')), String(zoned('2027-01-16 06:00'))],
      ['Tomorrow 9:00', String(zoned('2027-01-16 09:00')), String(zoned('2027-01-16 09:30'))],
      ['Next weekend', String(zoned('2027-01-16')), String(zoned('2027-01-18'))],
    ],
  )
})

test('a night that has begun is from the running minute on', () => {
  const evening = momentAt(readMoment('2027-01-15 21:10'), { now, zone: localZone(), text: '' })
  const [, , tonight] = namedWindows(emptyTicket, evening + 25)
  assert.equal(tonight?.start, 'now')
  assert.equal(lengthOfWindow({ start: 'now', end: tonight?.end ?? '' }, evening + 25), 8 * 3_600 + 50 * 60)
})

test('another start keeps the length', () => {
  assert.deepEqual(withStart(whole, 'now', now), { start: 'now', end: '+7200' })
  assert.deepEqual(withStart(emptyTicket, '1800000000', now), { start: '1800000000', end: '1800003600' })
  assert.deepEqual(withStart({ ...whole, end: '' }, 'now', now), { start: 'now' })
})

test('of a draft only what is still good comes back', () => {
  const draft = { nodes: '4', start: '1800000000', end: '1800007200', text: '4 nodes' }
  assert.deepEqual(freshDraft(draft, now), draft)
  assert.deepEqual(freshDraft(draft, 1_800_000_060), { nodes: '4' })
  assert.deepEqual(freshDraft({ nodes: '4', end: '+60' }, now), { nodes: '4', end: '+60' })
  assert.deepEqual(freshDraft({ ...draft, amends: 'ordr_1' }, now), {})
})

const order = {
  id: 'ordr_1',
  allow_standing: true,
  allow_partial: false,
  limit_price_dollars_per_node_hour: '2.500000',
  total: { start_at: 1_800_000_000, end_at: 1_800_007_200, node_count: 4 },
} as unknown as Order

test('an amendment sends only what is to change', () => {
  const amending = { ...whole, amends: 'ordr_1', nodes: '4', limit: '2.5', standing: '1' }
  const change = (ticket: Partial<Ticket>, at = now) => {
    const body = orderBody({ ...amending, ...ticket }, undefined, at)
    return body && amendmentBody(order, body, at)
  }
  assert.deepEqual(change({}), {})
  assert.deepEqual(change({ nodes: '3', limit: '2.6' }), { node_count: 3, limit_price_dollars_per_node_hour: '2.6' })
  assert.deepEqual(change({ standing: '', partial: '1' }), { allow_standing: false, allow_partial: true })
  const moved = { start: '1800000060', end: '1800003600' }
  assert.deepEqual(change(moved), { start_at: 1_800_000_060, end_at: 1_800_003_600 })
  // Of a window that has begun the running minute is the start as before.
  assert.deepEqual(change({ start: '1800000060' }, 1_800_000_070), {})
  assert.equal(estimateBody(amending, now)?.amends, 'ordr_1')
  assert.equal(estimateBody(whole, now)?.amends, undefined)
})

test('the ticket of an order that has begun moves on with the minute', () => {
  const amending = { ...whole, amends: 'ordr_1' }
  assert.equal(atRunningMinute(amending, order, 1_800_000_130).start, '1800000120')
  assert.equal(atRunningMinute(amending, order, 1_799_999_000).start, whole.start)
  assert.equal(atRunningMinute({ ...amending, start: '1800003600' }, order, 1_800_000_130).start, '1800003600')
  assert.equal(atRunningMinute(whole, undefined, 1_800_000_130).start, whole.start)
})

test('an amendment as a command names the order and what changes', () => {
  const body = { node_count: 3, end_at: 1_800_007_200, allow_standing: false, allow_partial: true }
  const { CLI, SDK } = amendmentAsProgram('ordr_1', body, { origin: 'http://h', zone: 'UTC' })
  assert.equal(
    CLI,
    'bourse orders amend ordr_1 --node-count 3 --end-at 2027-01-15T10:00Z --no-allow-standing --allow-partial',
  )
  assert.match(SDK ?? '', /^await client\.orders\.amend\("ordr_1", \{/)
})

test('a typed start keeps the length of the window, and a typed length its start', () => {
  const skuOf = (alias: string) => `id of ${alias}`
  const present = { now, skuOf }
  const moved = withTyped(whole, { start: 1_800_010_000 - 40, sku: 'a' }, present)
  assert.deepEqual([moved.start, moved.end, moved.sku], ['1800009960', '1800017160', 'id of a'])
  const longer = withTyped(whole, { length: 600, standing: true, limit: '2' }, present)
  assert.deepEqual([longer.start, longer.end, longer.standing, longer.limit], ['1800000000', '1800000600', '1', '2'])
  assert.deepEqual(withTyped(whole, {}, present), whole)
  const running = withTyped(whole, { start: 'now' }, present)
  assert.deepEqual([running.start, running.end], ['now', '+7200'])
  const until = withTyped(emptyTicket, { end: 1_800_000_000 }, present)
  assert.deepEqual([until.start, until.end], ['now', '1800000000'])
})

test('each field says what is wrong with it', () => {
  assert.deepEqual(problemsOf(whole, now), {})
  assert.deepEqual(Object.keys(problemsOf(emptyTicket, now)), ['sku', 'pool'])
  for (const nodes of ['0', '', '1.5', '10001', '-1', 'many'])
    assert.ok(problemsOf({ ...whole, nodes }, now).nodes, nodes)
  for (const limit of ['2,5', '1.1234567', '-1', '$2', 'x'])
    assert.ok(problemsOf({ ...whole, limit }, now).limit, limit)
  assert.deepEqual(Object.keys(problemsOf({ ...whole, start: '', end: '' }, now)), ['start', 'end'])
  assert.ok(problemsOf({ ...whole, run: '1' }, now).image)
  assert.deepEqual(problemsOf({ ...whole, run: '1', side: 'sell' }, now), {})
  assert.ok(problemsOf({ ...whole, end: whole.start }, now).end)
  assert.ok(problemsOf({ ...whole, start: '1800000001' }, now).start)
  assert.match(problemsOf(whole, 1_800_000_060).start ?? '', /passed/)
  assert.deepEqual(problemsOf(whole, 1_800_000_059), {})
  assert.match(problemsOf({ ...whole, standing: '1' }, now).limit ?? '', /needs a limit/)
})

test('an order has the limit of the ticket, else that of the estimate', () => {
  assert.equal(estimateBody({ ...whole, nodes: '0' }, now), undefined)
  assert.equal(estimateBody({ ...whole, pool: '' }, now)?.pool, undefined)
  const estimate = { post_order_body: { limit_price_dollars_per_node_hour: '3.000000' } } as OrderEstimate
  assert.equal(orderBody(whole, undefined, now), undefined)
  assert.equal(orderBody(whole, estimate, now)?.limit_price_dollars_per_node_hour, '3.000000')
  assert.equal(orderBody({ ...whole, limit: '2.5' }, estimate, now)?.limit_price_dollars_per_node_hour, '2.5')
  assert.equal(orderBody({ ...whole, pool: '' }, estimate, now), undefined)
})

test('the same order as a command names everything', () => {
  const body = orderBody({ ...whole, side: 'sell', limit: '2.5', standing: '1' }, undefined, now)
  assert.ok(body)
  const { CLI, SDK } = orderAsProgram(body, { origin: 'http://h', zone: 'Europe/Berlin' })
  assert.equal(
    CLI,
    'bourse orders create --side sell --sku sku_1 --pool pool_1 --nodes 1 --from 2027-01-15T09:00+01:00' +
      ' --until 2027-01-15T11:00+01:00 --limit-price 2.5 --allow-standing',
  )
  assert.match(SDK ?? '', /^await client\.orders\.create\(\{\n {2}pool: "pool_1"/)
})

test('a refusal is shown at its field, by the field or else by the code', () => {
  const message = 'No.'
  assert.deepEqual(refusedFields([{ code: 'payment_required', message }]), { limit: message })
  assert.deepEqual(refusedFields([{ code: 'in_the_past', message, field: 'allocation_schedule_delta.0.start_at' }]), {
    start: message,
  })
  assert.deepEqual(refusedFields([{ code: 'not_aligned', message, field: 'duration_seconds' }]), { end: message })
  assert.deepEqual(refusedFields([{ code: 'unheard_of', message }]), {})
})

test('what is filled in leaves alone what was typed in the meantime', () => {
  const filled = { ...emptyTicket, sku: 'sku_1', pool: 'pool_1' }
  const typed = { ...emptyTicket, text: '2 nodes h200', nodes: '2', sku: 'sku_2' }
  assert.deepEqual(withChange(typed, fillingIn(emptyTicket, filled)), { ...typed, pool: 'pool_1' })
  assert.deepEqual(withChange(emptyTicket, fillingIn(emptyTicket, filled)), filled)
})

test('budgets of the account and of the workspace are shown as a buy leaves them, the tightest first', () => {
  const budget = { name: null, period: 'day', spent_dollars: '1.000000', held_dollars: '2.000000', hard_stop: true }
  const budgets = [
    { ...budget, workspace: null, amount_dollars: '100.000000' },
    { ...budget, workspace: 'wksp_1', amount_dollars: '10.000000', name: 'lab' },
    { ...budget, workspace: 'wksp_2', amount_dollars: '1.000000' },
  ] as Budget[]
  const estimate = {
    post_order_body: { side: 'buy' },
    available_dollars: '50.000000',
    available_after_dollars: '41.000000',
    worst_case_dollars: '9.500000',
  } as OrderEstimate
  assert.deepEqual(budgetsAfter(budgets, estimate, 'wksp_1'), [
    { name: 'lab', hard_stop: true, left_dollars: '-2.000000', isExceeded: true },
    { name: 'day budget', hard_stop: true, left_dollars: '88.000000', isExceeded: false },
  ])
  const hidden = { ...estimate, available_dollars: null, available_after_dollars: null }
  assert.equal(budgetsAfter(budgets, hidden, undefined)[0]?.left_dollars, '87.500000')
  assert.deepEqual(budgetsAfter(budgets, { ...estimate, post_order_body: { side: 'sell' } } as OrderEstimate, ''), [])
})

test('what does not trade at once rests, or is cancelled', () => {
  const estimate = { node_minutes: 120, traded_node_minutes: 30 } as OrderEstimate
  assert.match(restText({ ...estimate, traded_node_minutes: 120 }), /^Nothing/)
  assert.match(restText(estimate), /^1\.5 node-hours would not be traded/)
  const standing = { allow_standing: true } as OrderEstimate['post_order_body']
  assert.match(restText({ ...estimate, ...(standing ? { post_order_body: standing } : {}) }), /would rest/)
})

test('a buy that the balance does not cover says what is lacking', () => {
  // All of it trades at once for less, and its worst case is held all the same.
  const estimate = {
    post_order_body: { side: 'buy' },
    available_dollars: '100.000000',
    available_after_dollars: '92.000000',
    worst_case_dollars: '118.200000',
  } as OrderEstimate
  assert.equal(lackOf(estimate), '18.200000')
  assert.equal(lackOf(estimate, { held_dollars: '10.000000' }), '8.200000')
  assert.equal(lackOf(estimate, { held_dollars: '18.200000' }), undefined)
  assert.equal(lackOf({ ...estimate, worst_case_dollars: '100.000000' }), undefined)
  assert.equal(lackOf({ ...estimate, available_dollars: null }), undefined)
  assert.equal(lackOf({ ...estimate, post_order_body: { side: 'sell' } } as OrderEstimate), undefined)
})

test('the prices of an order are parts of a bar: in nodes where they are for all of the window', () => {
  const window = { start_at: 0, end_at: 7_200, node_count: 8 }
  const estimate = {
    post_order_body: { side: 'buy', allocation_schedule_delta: [window] },
    offers: [
      {
        price_dollars_per_node_hour: '2',
        node_minutes: 720,
        allocation_schedule_delta: [{ ...window, node_count: 6 }],
      },
      {
        price_dollars_per_node_hour: '3',
        node_minutes: 240,
        allocation_schedule_delta: [{ start_at: 0, end_at: 3_600, node_count: 4 }],
      },
    ],
  } as unknown as OrderEstimate
  assert.deepEqual(tradedLevels(estimate), [
    { price: '2', share: 0.75, text: '6 nodes' },
    { price: '3', share: 0.25, text: '4 node-hours' },
  ])
  assert.deepEqual(tradedLevels({} as OrderEstimate), [])
})

test('what cannot be had is said without times of another zone', () => {
  const estimate = { reason: 'no_availability', message: 'Until 12:00 UTC.', free_node_count: 9 } as OrderEstimate
  const ticket = { side: 'buy', nodes: '50' }
  assert.equal(unavailableText(estimate, ticket), 'Only 9 of 50 nodes are offered for the whole window.')
  const none = { ...estimate, free_node_count: 0 }
  assert.equal(unavailableText(none, { ...ticket, side: 'sell' }), 'No node is wanted for the whole window.')
  // With enough nodes it is the price that is missing, and what the server says has no time.
  const dear = { ...estimate, free_node_count: 50, message: '50 nodes are not offered at 2.00.' }
  assert.equal(unavailableText(dear, ticket), '50 nodes are not offered at 2.00.')
})

test('instances that buy are one request a node, whole and at once, with numbered names', () => {
  const ticket = { ...whole, run: '1', image: 'image_1', name: 'lab', nodes: '2', standing: '1', partial: '1' }
  const estimate = { post_order_body: { limit_price_dollars_per_node_hour: '3.000000' } } as OrderEstimate
  const body = orderBody(ticket, estimate, now)
  assert.ok(body && !body.allow_standing && !body.allow_partial)
  const [first, second, ...others] = launchesOf(ticket, body)
  assert.deepEqual([first?.name, second?.name, others.length], ['lab-1', 'lab-2', 0])
  const buy = { start_at: 1_800_000_000, end_at: 1_800_007_200, limit_price_dollars_per_node_hour: '3.000000' }
  assert.deepEqual(first, { pool: 'pool_1', sku: 'sku_1', image: 'image_1', name: 'lab-1', buy })
  // The server decides in which minute it begins.
  const present = launchesOf(
    { ...ticket, start: 'now', nodes: '1' },
    { ...body, allocation_schedule_delta: [{ start_at: 1_799_999_940, end_at: 1_800_003_540, node_count: 1 }] },
  )
  assert.deepEqual([present[0]?.name, present[0]?.buy?.start_at], ['lab', undefined])
  assert.deepEqual(launchesOf({ ...ticket, keys: 'none', name: '' }, body)[0]?.ssh_keys, [])
  assert.ok(first)
  assert.equal(
    launchAsProgram({ ...first, ssh_keys: ['sshk_1', 'sshk_2'] as never }, { origin: 'http://h', zone: 'UTC' }).CLI,
    'bourse instances create --pool pool_1 --sku sku_1 --image image_1 --name lab-1' +
      ' --from 2027-01-15T08:00Z --until 2027-01-15T10:00Z --limit-price 3.000000' +
      ' --ssh-keys sshk_1 --ssh-keys sshk_2',
  )
})

test('SSH keys are all of one’s own, until some are left out', () => {
  const all = ['a', 'b']
  assert.deepEqual(keysOf('', all), all)
  assert.deepEqual([keysOf('none', all), keysOf('b,gone', all)], [[], ['b']])
  assert.equal(withKey(all, { id: 'a', isOn: false, all }), 'b')
  assert.equal(withKey(['b'], { id: 'b', isOn: false, all }), 'none')
  assert.equal(withKey(['b'], { id: 'a', isOn: true, all }), '')
})

test('without an estimate the worst case is the limit for all nodes and hours, rounded up', () => {
  const window = { start_at: 6_000, end_at: 6_000 + 100 * 60, node_count: 3 }
  const body: CreateOrderBody = {
    side: 'buy',
    sku: 'sku_any',
    pool: 'pool_any',
    limit_price_dollars_per_node_hour: '2.5',
    allocation_schedule_delta: [window],
  }
  assert.equal(worstCaseOf(body), '12.500000')
  assert.equal(worstCaseOf({ ...body, limit_price_dollars_per_node_hour: '0.000001' }), '0.000005')
  assert.equal(worstCaseOf({ ...body, side: 'sell' }), undefined)
})
