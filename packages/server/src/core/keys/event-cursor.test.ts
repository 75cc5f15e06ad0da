import assert from 'node:assert/strict'
import { createCipheriv } from 'node:crypto'
import fc from 'fast-check'
import { test } from 'vitest'
import { sized } from '../../../test/support/size.ts'
import { createSeededRandom } from '../base/random.ts'
import {
  claimedPosition,
  type EventFilters,
  type EventListScope,
  eventCursorKey,
  eventCursorLength,
  isCursorAt,
  openEventCursor,
  sealEventCursors,
  writeEventCursors,
} from './event-cursor.ts'
import { makeKeys } from './key-files.ts'
import { type CursorKey, createCursorKeys, loadKeys } from './keys.ts'

const roots = loadKeys(makeKeys('operator', createSeededRandom('cursor'))).cursor_roots
const otherRoots = loadKeys(makeKeys('operator', createSeededRandom('other'))).cursor_roots
const rows = [
  { key_id: 1, ended: false, history: 1 },
  { key_id: 2, ended: false, history: 1 },
]
const keys = createCursorKeys(roots, rows)
const plain: EventListScope = { account_id: 'acme', filters: {} }

const mark = fc.record({
  position: fc.oneof(fc.nat(), fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })),
  recorded_at: fc.oneof(fc.integer({ min: 0, max: 2 ** 31 }), fc.integer({ min: 0, max: 2 ** 40 - 1 })),
})
const value = fc.option(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', '1', '-', '1:')), {
  nil: undefined,
})
const filters = fc.record({ action: value, target: value, target_type: value, since: value, until: value })
const scope = fc.record({ account_id: fc.stringMatching(/^[a-z0-9][a-z0-9-]{2,39}$/), filters })

function seal(list: EventListScope, marks: { position: number; recorded_at: number }[], from = keys): string[] {
  return sealEventCursors(eventCursorKey(from.current, list), marks)
}

test('a cursor has the documented length and alphabet, and decodes to its contents', () => {
  fc.assert(
    fc.property(scope, fc.array(mark, { maxLength: 60 }), (list, marks) => {
      const cursors = seal(list, marks)
      assert.equal(cursors.length, marks.length)
      for (const [i, cursor] of cursors.entries()) {
        assert.match(cursor, /^evtc_[A-Za-z0-9_-]{43}$/)
        assert.equal(cursor.length, eventCursorLength)
        assert.deepEqual(openEventCursor(keys, list, cursor), { ...marks[i], ended: false, history: 1 })
      }
    }),
  )
})

test('the position of a cursor is readable before verification, and a cursor equals only its own text', () => {
  fc.assert(
    fc.property(
      mark,
      fc.nat(),
      fc.nat({ max: eventCursorLength - 1 }),
      fc.string({ minLength: 1 }),
      (one, n, at, text) => {
        const [cursor] = seal(plain, [one]) as [string]
        assert.equal(claimedPosition(cursor), one.position)
        const place = n % 7
        const bytes = Buffer.from(' '.repeat(place) + cursor)
        assert.equal(isCursorAt(cursor, bytes, place), true)
        const other = cursor.slice(0, at) + text + cursor.slice(at + text.length)
        assert.equal(isCursorAt(other, bytes, place), other === cursor)
        assert.equal(isCursorAt(cursor + text, bytes, place), false)
        assert.equal(isCursorAt(cursor.slice(0, at), bytes, place), false)
      },
    ),
  )
})

test('the layout is version, key id, position, second and the encryption of these under the key of the list', () => {
  const [cursor] = seal(plain, [{ position: 2 ** 40 + 7, recorded_at: 1_790_000_000 }])
  const bytes = Buffer.from((cursor as string).slice(5), 'base64url')
  assert.equal(bytes.toString('hex', 0, 16), '01' + '0002' + '0000010000000007' + '006ab13b80')
  const again = eventCursorKey(keys.current, plain).cipher.update(bytes.subarray(0, 16))
  assert.deepEqual(bytes.subarray(16), again)
  const guess = createCipheriv('aes-256-ecb', keys.current.secret.reveal(), null).update(bytes.subarray(0, 16))
  assert.notDeepEqual(bytes.subarray(16), guess)
})

test('cursors are written into a Buffer at their places and change no other byte', () => {
  fc.assert(
    fc.property(fc.array(mark, { maxLength: 40 }), fc.integer({ min: 0, max: 30 }), (marks, gap) => {
      const step = eventCursorLength + gap
      const target = Buffer.alloc(marks.length * step + gap, '#')
      const places = marks.map((_, i) => gap + i * step)
      writeEventCursors(eventCursorKey(keys.current, plain), marks, target, places)
      const expected = seal(plain, marks).map((cursor) => '#'.repeat(gap) + cursor)
      assert.equal(target.toString('latin1'), expected.join('') + '#'.repeat(gap))
    }),
  )
})

test('a place outside of the Buffer is refused', () => {
  const key = eventCursorKey(keys.current, plain)
  const marks = [{ position: 1, recorded_at: 1 }]
  for (const place of [-1, 1, 48, Number.NaN, undefined]) {
    assert.throws(() => writeEventCursors(key, marks, Buffer.alloc(48), [place as number]), RangeError)
  }
})

test('contents outside of the layout are refused', () => {
  for (const position of [-1, 1.5, 2 ** 53, Number.NaN]) {
    assert.throws(() => seal(plain, [{ position, recorded_at: 0 }]), RangeError)
  }
  for (const recorded_at of [-1, 1.5, 2 ** 40, Number.NaN]) {
    assert.throws(() => seal(plain, [{ position: 0, recorded_at }]), RangeError)
  }
})

test('cursors of an ended key are recognised and marked, and an ended key creates none', () => {
  const [cursor] = seal(plain, [{ position: 5, recorded_at: 9 }])
  const after = createCursorKeys(roots, [
    ...rows.map(({ key_id }) => ({ key_id, ended: true, history: 1 })),
    { key_id: 3, ended: false, history: 1 },
  ])
  assert.deepEqual(openEventCursor(after, plain, cursor as string), {
    position: 5,
    recorded_at: 9,
    ended: true,
    history: 1,
  })
  assert.equal(openEventCursor(after, { ...plain, account_id: 'other' }, cursor as string), undefined)
  const ended = after.find(2)
  assert.throws(() => sealEventCursors(eventCursorKey(ended as CursorKey, plain), [{ position: 1, recorded_at: 1 }]))
})

test('cursors stay valid after a rotation of keys', () => {
  const [cursor] = seal(plain, [{ position: 5, recorded_at: 9 }])
  const rotated = createCursorKeys(roots, [...rows, { key_id: 77, ended: false, history: 1 }])
  assert.deepEqual(openEventCursor(rotated, plain, cursor as string), {
    position: 5,
    recorded_at: 9,
    ended: false,
    history: 1,
  })
})

test('different filter sets have different keys', () => {
  fc.assert(
    fc.property(scope, scope, (a, b) => {
      const same = JSON.stringify(canonical(a)) === JSON.stringify(canonical(b))
      const [cursor] = seal(a, [{ position: 1, recorded_at: 2 }])
      assert.equal(openEventCursor(keys, b, cursor as string) !== undefined, same)
    }),
    { numRuns: sized(300) },
  )
})

function canonical({ account_id, filters: { action, target, target_type, since, until } }: EventListScope): unknown {
  return [account_id, ...[action, target, target_type, since, until].map((text) => text ?? null)]
}

test('a filter that is absent, empty, under another name or spelt differently gives another list', () => {
  const sets: EventFilters[] = [
    {},
    { action: '' },
    { target: '' },
    { action: '-' },
    { action: 'a' },
    { target: 'a' },
    { target_type: 'a' },
    { action: 'a', target: 'a' },
    { action: 'a1:a' },
    { since: '1' },
    { since: '01' },
    { until: '1' },
    { since: '1', until: '1' },
    { action: '\ud800' },
    { action: '\udbff' },
  ]
  for (const [i, made] of sets.entries()) {
    const [cursor] = seal({ account_id: 'acme', filters: made }, [{ position: 1, recorded_at: 2 }])
    for (const [k, read] of sets.entries()) {
      const opened = openEventCursor(keys, { account_id: 'acme', filters: read }, cursor as string)
      assert.equal(opened !== undefined, i === k, JSON.stringify([made, read]))
    }
  }
})

test('none of 200,000 changed or misused cursors is accepted', () => {
  const random = createSeededRandom('G12')
  const scopes: EventListScope[] = []
  for (let i = 0; i < 60; i++) {
    const account_id = `account-${i % 12}`
    scopes.push({ account_id, filters: i < 12 ? {} : { action: `instance.${i % 7}`, since: String(i) } })
  }
  const older = { ...keys, current: keys.find(1) as CursorKey }
  const foreign = createCursorKeys(otherRoots, rows)
  let attempts = 0
  const refuse = (list: EventListScope, cursor: string, from = keys) => {
    attempts++
    assert.equal(openEventCursor(from, list, cursor), undefined, cursor)
  }
  for (let round = 0; round < 600; round++) {
    const list = scopes[round % scopes.length] as EventListScope
    const position = random.integer(2 ** 32)
    const [cursor] = seal(list, [{ position, recorded_at: 1_790_000_000 + round }], round % 2 ? keys : older) as [
      string,
    ]
    const bytes = Buffer.from(cursor.slice(5), 'base64url')
    for (let bit = 0; bit < 256; bit++) refuse(list, encode(flip(bytes, bit)))
    for (const other of scopes) if (other !== list) refuse(other, cursor)
    refuse(list, cursor, foreign)
    refuse(list, encode(Buffer.concat([Buffer.from([1, 0, round % 2 ? 1 : 2]), bytes.subarray(3)])))
    refuse(list, encode(Buffer.concat([Buffer.from([2]), bytes.subarray(1)])))
    for (const form of forms(cursor, random.integer(43))) refuse(list, form)
  }
  assert.ok(attempts >= 200_000, `${attempts} attempts`)
})

function encode(bytes: Buffer): string {
  return `evtc_${bytes.toString('base64url')}`
}

function flip(bytes: Buffer, bit: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[bit >> 3] = (copy[bit >> 3] as number) ^ (1 << (bit & 7))
  return copy
}

// The same bytes, or almost the same, in forms that a lenient parser would accept.
function forms(cursor: string, at: number): string[] {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const body = cursor.slice(5)
  const last = alphabet.indexOf(body.at(-1) as string)
  return [
    ...[1, 2, 3].map((spare) => `evtc_${body.slice(0, -1)}${alphabet[last | spare]}`),
    cursor.slice(0, -1),
    `${cursor}A`,
    `${cursor}=`,
    `${cursor}\n`,
    ` ${cursor}`,
    body,
    `evtc_${body.slice(1)}`,
    `skuc_${body}`,
    `EVTC_${body}`,
    `evtc_${body.slice(0, at)}+${body.slice(at + 1)}`,
    `evtc_${body.slice(0, at)}/${body.slice(at + 1)}`,
    `evtc_${body.slice(0, at)} ${body.slice(at)}`,
    `evtc_${body.slice(0, at)}é${body.slice(at + 1)}`,
    'evtc_',
    '',
    `evtc_${'A'.repeat(43)}`,
    `evtc_${body}${body}`,
  ]
}
