import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import {
  type BookFixture,
  cancel,
  changesOf,
  fillsOf,
  openBookFixture,
  pass,
  place,
  placeAll,
  restingOf,
} from '../../../test/market/book-fixtures.ts'
import { catchUp, haltMatching, loadBook, nextLapse, placeOrder, resumeMatching, rowsOf } from './book.rules.ts'
import type { Order } from './resting-order.rules.ts'

/** The resting orders before, the incoming order, its fills, and the resting orders after. */
type MatchingCase = { name: string; before: string[]; incoming: string; fills: string[]; after: string[] }

function check({ name, before, incoming, fills, after }: MatchingCase): void {
  test(name, () => {
    const fixture = openBookFixture()
    placeAll(fixture, before)
    place(fixture, incoming)
    assert.deepEqual(fillsOf(fixture), fills)
    assert.deepEqual(restingOf(fixture), after)
  })
}

describe('priority', () => {
  const cases: MatchingCase[] = [
    {
      name: 'a buy takes the cheapest sell first',
      before: ['s1 ann sell 1x[0,10) @9', 's2 ann sell 1x[0,10) @7', 's3 ann sell 1x[0,10) @8'],
      incoming: 'b1 bob buy 2x[0,10) @9',
      fills: ['b1-s2 1x[0,10) @7', 'b1-s3 1x[0,10) @8'],
      after: ['s1 1x[0,10)'],
    },
    {
      name: 'a sell takes the dearest buy first',
      before: ['b1 bob buy 1x[0,10) @7', 'b2 bob buy 1x[0,10) @9'],
      incoming: 's1 ann sell 1x[0,10) @7',
      fills: ['b2-s1 1x[0,10) @9'],
      after: ['b1 1x[0,10)'],
    },
    {
      name: 'at one price the earlier order comes first',
      before: ['s1 ann sell 2x[0,10) @7', 's2 cat sell 2x[0,10) @7'],
      incoming: 'b1 bob buy 3x[0,10) @8',
      fills: ['b1-s1 2x[0,10) @7', 'b1-s2 1x[0,10) @7'],
      after: ['s2 1x[0,10)'],
    },
    {
      name: 'priority holds minute by minute: a worse price serves where the better one does not reach',
      before: ['s1 ann sell 1x[0,5) @7', 's2 ann sell 1x[0,10) @8'],
      incoming: 'b1 bob buy 1x[0,10) @9',
      fills: ['b1-s1 1x[0,5) @7', 'b1-s2 1x[5,10) @8'],
      after: ['s2 1x[0,5)'],
    },
  ]
  for (const each of cases) check(each)
})

describe('the price of a fill is the limit of the older order', () => {
  const cases: MatchingCase[] = [
    {
      name: 'a buy above the ask pays the ask',
      before: ['s1 ann sell 1x[0,10) @7'],
      incoming: 'b1 bob buy 1x[0,10) @12',
      fills: ['b1-s1 1x[0,10) @7'],
      after: [],
    },
    {
      name: 'a sell below the bid gets the bid',
      before: ['b1 bob buy 1x[0,10) @12'],
      incoming: 's1 ann sell 1x[0,10) @7',
      fills: ['b1-s1 1x[0,10) @12'],
      after: [],
    },
    {
      name: 'equal limits meet',
      before: ['b1 bob buy 1x[0,10) @7'],
      incoming: 's1 ann sell 1x[0,10) @7',
      fills: ['b1-s1 1x[0,10) @7'],
      after: [],
    },
    {
      name: 'a gap of one step does not',
      before: ['b1 bob buy 1x[0,10) @7'],
      incoming: 's1 ann sell 1x[0,10) @8',
      fills: [],
      after: ['b1 1x[0,10)', 's1 1x[0,10)'],
    },
    {
      name: 'a sell may ask nothing',
      before: ['s1 ann sell 1x[0,10) @0'],
      incoming: 'b1 bob buy 1x[0,10) @1',
      fills: ['b1-s1 1x[0,10) @0'],
      after: [],
    },
  ]
  for (const each of cases) check(each)
})

describe('combination over nodes and minutes', () => {
  const cases: MatchingCase[] = [
    {
      name: 'many orders serve one',
      before: ['s1 ann sell 1x[0,4) @7', 's2 cat sell 2x[2,8) @7', 's3 dan sell 1x[6,10) @8'],
      incoming: 'b1 bob buy 2x[0,10) @9',
      fills: ['b1-s1 1x[0,4) @7', 'b1-s2 1x[2,4) 2x[4,8) @7', 'b1-s3 1x[8,10) @8'],
      after: ['s2 1x[2,4)', 's3 1x[6,8)', 'b1 1x[0,2) 1x[8,10)'],
    },
    {
      name: 'one order serves many, and what nobody wanted stays',
      before: ['b1 bob buy 1x[0,3) @9', 'b2 cat buy 1x[5,7) @9'],
      incoming: 's1 ann sell 1x[0,10) @9',
      fills: ['b1-s1 1x[0,3) @9', 'b2-s1 1x[5,7) @9'],
      after: ['s1 1x[3,5) 1x[7,10)'],
    },
    {
      name: 'windows that only touch do not meet',
      before: ['s1 ann sell 1x[0,5) @7'],
      incoming: 'b1 bob buy 1x[5,10) @9',
      fills: [],
      after: ['s1 1x[0,5)', 'b1 1x[5,10)'],
    },
    {
      name: 'one common minute is enough',
      before: ['s1 ann sell 1x[0,6) @7'],
      incoming: 'b1 bob buy 1x[5,10) @9',
      fills: ['b1-s1 1x[5,6) @7'],
      after: ['s1 1x[0,5)', 'b1 1x[6,10)'],
    },
    {
      name: 'windows of any length meet across the cells of the index',
      before: ['s1 ann sell 1x[0,600000) @7', 's2 cat sell 1x[63,64) @6', 's3 dan sell 1x[40,9000) @5'],
      incoming: 'b1 bob buy 1x[63,600000) @9',
      fills: ['b1-s3 1x[63,9000) @5', 'b1-s1 1x[9000,600000) @7'],
      after: ['s1 1x[0,9000)', 's2 1x[63,64)', 's3 1x[40,63)'],
    },
  ]
  for (const each of cases) check(each)
})

describe('an order without allow_standing', () => {
  test('takes the available nodes and is cancelled for the rest', () => {
    const fixture = openBookFixture()
    placeAll(fixture, ['s1 ann sell 1x[0,5) @7', 'b1 bob buy 2x[0,10) @9 now'])
    assert.deepEqual(fillsOf(fixture), ['b1-s1 1x[0,5) @7'])
    assert.deepEqual(changesOf(fixture), ['b1 unfilled', 's1 filled'])
    assert.deepEqual(fixture.last.changes[0]?.lost, [0, 1, 5, 2, 10, 0])
  })

  test('is filled like any other when there is enough', () => {
    const fixture = openBookFixture()
    placeAll(fixture, ['s1 ann sell 2x[0,10) @7', 'b1 bob buy 2x[0,10) @9 now'])
    assert.deepEqual(changesOf(fixture), ['b1 filled', 's1 filled'])
  })
})

describe('orders of one account never meet', () => {
  const cases: MatchingCase[] = [
    {
      name: 'they are skipped, even where that leaves them crossed',
      before: ['s1 ann sell 1x[0,10) @5'],
      incoming: 'b1 ann buy 1x[0,10) @9',
      fills: [],
      after: ['s1 1x[0,10)', 'b1 1x[0,10)'],
    },
    {
      name: 'others behind them are served',
      before: ['s1 ann sell 1x[0,10) @5', 's2 bob sell 1x[0,10) @6'],
      incoming: 'b1 ann buy 1x[0,10) @9',
      fills: ['b1-s2 1x[0,10) @6'],
      after: ['s1 1x[0,10)'],
    },
    {
      name: 'and they do not count for an all-or-nothing order',
      before: ['s1 ann sell 1x[0,10) @5', 's2 bob sell 1x[0,10) @6'],
      incoming: 'b1 ann buy 2x[0,10) @9 whole now',
      fills: [],
      after: ['s1 1x[0,10)', 's2 1x[0,10)'],
    },
  ]
  for (const each of cases) check(each)
})

describe('all or nothing', () => {
  const cases: MatchingCase[] = [
    {
      name: 'an incoming one takes its whole shape, from many',
      before: ['s1 ann sell 1x[0,5) @7', 's2 cat sell 1x[0,10) @8', 's3 cat sell 1x[5,10) @9'],
      incoming: 'b1 bob buy 2x[0,10) @9 whole',
      fills: ['b1-s1 1x[0,5) @7', 'b1-s2 1x[0,10) @8', 'b1-s3 1x[5,10) @9'],
      after: [],
    },
    {
      name: 'or nothing, if one minute of one node is missing',
      before: ['s1 ann sell 2x[0,9) @7', 's2 ann sell 1x[9,10) @7'],
      incoming: 'b1 bob buy 2x[0,10) @9 whole',
      fills: [],
      after: ['s1 2x[0,9)', 's2 1x[9,10)', 'b1 2x[0,10)'],
    },
    {
      name: 'a resting one is passed over by an order that wants less',
      before: ['s1 ann sell 3x[0,10) @5 whole', 's2 cat sell 3x[0,10) @7'],
      incoming: 'b1 bob buy 2x[0,10) @9',
      fills: ['b1-s2 2x[0,10) @7'],
      after: ['s1 3x[0,10)', 's2 1x[0,10)'],
    },
    {
      name: 'a resting one takes part when all of it is wanted',
      before: ['s1 ann sell 3x[2,8) @5 whole', 's2 cat sell 3x[0,10) @7'],
      incoming: 'b1 bob buy 3x[0,10) @9',
      fills: ['b1-s1 3x[2,8) @5', 'b1-s2 3x[0,2) 3x[8,10) @7'],
      after: ['s2 3x[2,8)'],
    },
    {
      name: 'a resting one is passed over once too little is still wanted',
      before: ['s1 ann sell 1x[0,10) @4', 's2 cat sell 2x[0,10) @5 whole'],
      incoming: 'b1 bob buy 2x[0,10) @9',
      fills: ['b1-s1 1x[0,10) @4'],
      after: ['s2 2x[0,10)', 'b1 1x[0,10)'],
    },
  ]
  for (const each of cases) check(each)
})

describe('resting all-or-nothing orders are tried again', () => {
  test('when a new order completes their shape, at the limits of the older orders', () => {
    const fixture = openBookFixture()
    placeAll(fixture, ['b1 bob buy 2x[0,10) @9 whole', 's1 ann sell 1x[0,10) @6'])
    assert.deepEqual(fillsOf(fixture), [])
    place(fixture, 's2 cat sell 1x[0,10) @7')
    assert.deepEqual(fillsOf(fixture), ['b1-s1 1x[0,10) @9', 'b1-s2 1x[0,10) @9'])
    assert.deepEqual(changesOf(fixture), ['s2 filled', 'b1 filled', 's1 filled'])
  })

  test('oldest first, whatever their price', () => {
    const fixture = openBookFixture()
    placeAll(fixture, ['b1 bob buy 2x[0,10) @7 whole', 'b2 dan buy 2x[0,10) @9 whole', 's1 ann sell 1x[0,10) @5'])
    place(fixture, 's2 ann sell 1x[0,10) @5')
    assert.deepEqual(fillsOf(fixture), ['b1-s1 1x[0,10) @7', 'b1-s2 1x[0,10) @7'])
    assert.deepEqual(restingOf(fixture), ['b2 2x[0,10)'])
  })

  // b1 takes the one cheap node of s1 first, and then s2, which offers only two at once, no longer fits.
  const blocked = [
    's1 ann sell 1x[1,10) @5 whole',
    's2 cat sell 2x[1,10) @6 whole',
    's3 dan sell 3x[10,20) @6',
    'b1 bob buy 2x[1,20) @9 whole',
  ]

  test('after the cancellation of a blocking order', () => {
    const fixture = openBookFixture()
    placeAll(fixture, blocked)
    assert.deepEqual(fillsOf(fixture), [])
    cancel(fixture, 's1')
    assert.deepEqual(fillsOf(fixture), ['b1-s2 2x[1,10) @6', 'b1-s3 2x[10,20) @6'])
    assert.deepEqual(changesOf(fixture), ['s1 user', 'b1 filled', 's2 filled', 's3 resting 1x[10,20)'])
  })

  test('until no more fills happen: one fill may enable the next', () => {
    const fixture = openBookFixture()
    placeAll(fixture, [...blocked, 'b2 eve buy 1x[1,30) @9 whole'])
    assert.deepEqual(fillsOf(fixture), [])
    place(fixture, 's4 fay sell 1x[20,30) @7')
    assert.deepEqual(fillsOf(fixture), [
      'b2-s1 1x[1,10) @5',
      'b2-s3 1x[10,20) @6',
      'b2-s4 1x[20,30) @9',
      'b1-s2 2x[1,10) @6',
      'b1-s3 2x[10,20) @6',
    ])
    assert.deepEqual(restingOf(fixture), [])
  })

  test('also if the filled order and the next share only one minute', () => {
    const fixture = openBookFixture()
    placeAll(fixture, ['s1 ann sell 1x[29,30) @5 whole', 's2 cat sell 2x[29,40) @6 whole', 's3 dan sell 2x[40,45) @6'])
    placeAll(fixture, ['b1 bob buy 2x[29,45) @9 whole', 'b2 eve buy 1x[20,30) @9 whole', 's4 fay sell 1x[20,29) @7'])
    assert.deepEqual(fillsOf(fixture), [
      'b2-s1 1x[29,30) @5',
      'b2-s4 1x[20,29) @9',
      'b1-s2 2x[29,40) @6',
      'b1-s3 2x[40,45) @6',
    ])
  })

  test('also when the new order can only be taken whole itself', () => {
    const fixture = openBookFixture()
    placeAll(fixture, ['s1 ann sell 3x[0,4) @5 whole', 'b1 bob buy 2x[0,4) @6', 'b2 dan buy 1x[0,4) @8 whole'])
    assert.deepEqual(fillsOf(fixture), ['b2-s1 1x[0,4) @5', 'b1-s1 2x[0,4) @5'])
  })
})

describe('time', () => {
  test('takes past minutes out of orders that may be filled in part', () => {
    const fixture = openBookFixture()
    placeAll(fixture, ['b1 bob buy 2x[0,10) @9', 'b2 bob buy 1x[5,10) @9'])
    assert.equal(nextLapse(fixture.book), 1)
    pass(fixture, 4)
    assert.deepEqual(changesOf(fixture), ['b1 resting 2x[4,10)'])
    assert.deepEqual(fixture.last.changes[0]?.lost, [0, 2, 4, 0])
    assert.equal(nextLapse(fixture.book), 5)
    place(fixture, 's1 ann sell 3x[4,10) @9')
    assert.deepEqual(fillsOf(fixture), ['b1-s1 2x[4,10) @9', 'b2-s1 1x[5,10) @9'])
  })

  test('ends an order that lost minutes as expired, also when a fill took the rest', () => {
    const fixture = openBookFixture()
    placeAll(fixture, ['b1 bob buy 1x[0,10) @9', 'b2 cat buy 1x[0,10) @8'])
    pass(fixture, 9)
    place(fixture, 's1 ann sell 1x[9,10) @9')
    assert.deepEqual(changesOf(fixture), ['s1 filled', 'b1 expired'])
    pass(fixture, 10)
    assert.deepEqual(changesOf(fixture), ['b2 expired'])
    assert.equal(nextLapse(fixture.book), undefined)
  })

  test('keeps an order resting if the minutes that pass were filled', () => {
    const fixture = openBookFixture()
    placeAll(fixture, ['b1 bob buy 1x[0,10) @9', 's1 ann sell 1x[0,5) @9'])
    pass(fixture, 5)
    assert.deepEqual(changesOf(fixture), [])
    place(fixture, 's2 ann sell 1x[5,10) @9')
    assert.deepEqual(changesOf(fixture), ['s2 filled', 'b1 filled'])
  })

  test('ends an all-or-nothing order once its first minute has passed', () => {
    const fixture = openBookFixture()
    placeAll(fixture, ['b1 bob buy 1x[3,10) @9 whole'])
    pass(fixture, 3)
    assert.deepEqual(changesOf(fixture), [])
    pass(fixture, 4)
    assert.deepEqual(changesOf(fixture), ['b1 expired'])
    assert.deepEqual(fixture.last.changes[0]?.lost, [3, 1, 10, 0])
  })

  test('does not run backwards', () => {
    const fixture = openBookFixture(5)
    place(fixture, 'b1 bob buy 1x[5,10) @9')
    pass(fixture, 3)
    assert.deepEqual(restingOf(fixture), ['b1 1x[5,10)'])
    assert.equal(fixture.book.minute, 5)
  })
})

describe('cancelling', () => {
  test('releases the rest, and keeps the fills', () => {
    const fixture = openBookFixture()
    placeAll(fixture, ['b1 bob buy 2x[0,10) @9', 's1 ann sell 1x[0,10) @9'])
    cancel(fixture, 'b1')
    assert.deepEqual(changesOf(fixture), ['b1 user'])
    assert.deepEqual(fixture.last.changes[0]?.lost, [0, 1, 10, 0])
    place(fixture, 's2 ann sell 1x[0,10) @9')
    assert.deepEqual(fillsOf(fixture), [])
  })

  test('is invalid for an order in a final state', () => {
    const fixture = openBookFixture()
    placeAll(fixture, ['b1 bob buy 1x[0,10) @9', 's1 ann sell 1x[0,10) @9'])
    assert.throws(() => cancel(fixture, 'b1'), /does not rest/)
  })
})

describe('a halted book', () => {
  function haltedFixture(): BookFixture {
    const fixture = openBookFixture()
    placeAll(fixture, [
      's1 ann sell 1x[1,10) @5 whole',
      's2 cat sell 2x[1,10) @6 whole',
      's3 dan sell 3x[10,20) @6',
      'b1 bob buy 2x[1,20) @9 whole',
    ])
    haltMatching(fixture.book)
    return fixture
  }

  test('does not match when orders are cancelled, until matching resumes', () => {
    const fixture = haltedFixture()
    cancel(fixture, 's1')
    assert.deepEqual(fillsOf(fixture), [])
    fixture.last = resumeMatching(fixture.book)
    assert.deepEqual(fillsOf(fixture), ['b1-s2 2x[1,10) @6', 'b1-s3 2x[10,20) @6'])
  })

  test('still lets orders expire', () => {
    const fixture = haltedFixture()
    pass(fixture, 2)
    assert.deepEqual(changesOf(fixture), ['s1 expired', 's2 expired', 'b1 expired'])
    assert.deepEqual(restingOf(fixture), ['s3 3x[10,20)'])
  })

  test('accepts no orders', () => {
    const fixture = haltedFixture()
    assert.throws(() => place(fixture, 's3 cat sell 2x[1,9) @6'), /halted/)
  })
})

describe('an invalid call is a bug, not a refusal', () => {
  const fine: Order = {
    id: 'o1',
    account_id: 'ann',
    side: 'buy',
    price_micros: 1n,
    seq: 5,
    start_minute: 10,
    end_minute: 20,
    node_count: 1,
    allow_standing: true,
    allow_partial: true,
  }
  const mistakes: [string, Partial<Order>, RegExp][] = [
    ['a seq that does not rise', { seq: 4 }, /does not follow/],
    ['a start in the past', { start_minute: 9 }, /before the running minute/],
    ['an empty window', { end_minute: 10 }, /spans 0 minutes/],
    ['a window beyond the index', { end_minute: 11 + 2 ** 21 }, /spans 2097153 minutes/],
    ['no nodes', { node_count: 0 }, /asks for 0 nodes/],
  ]
  for (const [name, mistake, message] of mistakes) {
    test(name, () => {
      const book = loadBook<Order>([], { minute: 10, last_seq: 4 })
      assert.throws(() => placeOrder(book, { ...fine, ...mistake }), message)
    })
  }
})

test('a loaded book behaves like the saved one', () => {
  const fixture = openBookFixture()
  placeAll(fixture, ['b1 bob buy 2x[0,10) @9', 'b2 cat buy 2x[0,10) @9', 'b3 dan buy 1x[2,10) @9 whole'])
  place(fixture, 's1 ann sell 1x[3,5) @9')
  pass(fixture, 1)
  const loaded = loadBook(rowsOf(fixture.book).toReversed(), { minute: 1, last_seq: fixture.seq })
  assert.deepEqual(rowsOf(loaded), rowsOf(fixture.book))
  const duplicate: BookFixture = { book: loaded, seq: fixture.seq, last: fixture.last }
  for (const each of [fixture, duplicate]) place(each, 's2 ann sell 5x[1,10) @8')
  assert.deepEqual(duplicate.last, fixture.last)
})

test('two all-or-nothing orders that one change completes are both filled, whatever lies between them', () => {
  const fixture = openBookFixture()
  placeAll(fixture, ['b1 ann buy 2x[0,2) @1 whole', 'b2 bob buy 2x[4,6) @1 whole', 's1 cat sell 1x[0,6) @1'])
  place(fixture, 's2 dan sell 1x[0,6) @1')
  assert.deepEqual(fillsOf(fixture), ['b1-s1 1x[0,2) @1', 'b1-s2 1x[0,2) @1', 'b2-s1 1x[4,6) @1', 'b2-s2 1x[4,6) @1'])
  assert.deepEqual(restingOf(fixture), ['s1 1x[2,4)', 's2 1x[2,4)'])
})

test('a book that catches up with changes of other processes is the book in which they were made', () => {
  const fixture = openBookFixture()
  placeAll(fixture, ['s1 ann sell 4x[0,9) @5', 's2 ann sell 2x[0,9) @6', 'b1 bob buy 1x[0,9) @2'])
  const behind = loadBook(rowsOf(fixture.book), { minute: 0, last_seq: fixture.seq })
  assert.equal(behind.halted, false)
  placeAll(fixture, ['b2 cat buy 1x[0,9) @3', 'b3 cat buy 1x[0,9) @5', 'b4 dan buy 1x[0,9) @3'])
  const changed = rowsOf(fixture.book).filter(({ order }) => ['s1', 'b2', 'b4'].includes(order.id))
  const ended = rowsOf(fixture.book).find(({ order }) => order.id === 'b1')
  assert.ok(ended)
  cancel(fixture, 'b1')
  // An order that came and went in between is not known here.
  const unknown = { ...ended, order: { ...ended.order, id: 'b9', seq: 5 }, remaining: [] }
  const rows = [unknown, { ...ended, remaining: [] }, ...changed.toReversed()]
  catchUp(behind, rows, { last_seq: fixture.seq, halted: true })
  assert.deepEqual(rowsOf(behind), rowsOf(fixture.book))
  assert.deepEqual([behind.last_seq, behind.halted], [fixture.seq, true])
  const ids = (book: BookFixture['book']) => rowsOf(book).map(({ order }) => order.id)
  assert.deepEqual(ids(behind), ['s1', 's2', 'b2', 'b4'])
  catchUp(behind, [], { last_seq: 1, halted: false })
  assert.deepEqual([behind.last_seq, behind.halted], [fixture.seq, false])
  // Both serve the older of two equal orders first.
  for (const book of [behind, fixture.book]) {
    const copy: BookFixture = { book, seq: fixture.seq, last: fixture.last }
    place(copy, 's3 eve sell 1x[0,9) @3')
    assert.deepEqual(fillsOf(copy), ['b2-s3 1x[0,9) @3'])
  }
})
