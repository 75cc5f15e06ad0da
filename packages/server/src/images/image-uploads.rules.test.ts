import assert from 'node:assert/strict'
import { imageBytesMax, partBytesMax, partBytesMin } from '@bourse/api/images/image-parts.rules.ts'
import { type ImageState, imageStates } from '@bourse/api/images/image-states.ts'
import fc from 'fast-check'
import { test } from 'vitest'
import {
  chooseFormat,
  type Inspected,
  markOf,
  readRange,
  refuseInState,
  refuseParts,
  sizeOf,
} from './image-uploads.rules.ts'

const partsOf = (...sizes: number[]) => sizes.map((size_bytes, index) => ({ part_id: index + 1, size_bytes }))

test('uploads require a started image, and downloads a complete one', () => {
  const allowed = (action: 'upload' | 'download') =>
    (Object.keys(imageStates) as ImageState[]).filter((state) => !refuseInState(state, action))
  assert.deepEqual(allowed('upload'), ['started', 'uploading'])
  assert.deepEqual(allowed('download'), ['completed', 'revoked'])
  assert.equal(refuseInState('failed', 'upload')?.code, 'invalid_state')
  assert.match(refuseInState('failed', 'upload')?.message ?? '', /^Nothing can be uploaded to an image in the state f/)
  assert.match(refuseInState('started', 'download')?.message ?? '', /^An image cannot be downloaded in the state sta/)
})

test('parts are refused if one is missing, one before the last is too small, or the total is too large', () => {
  for (const [parts, code] of [
    [[], 'parts_missing'],
    [partsOf(1).map((part) => ({ ...part, part_id: 2 })), 'parts_missing'],
    [partsOf(partBytesMin, partBytesMin, 1).toSpliced(1, 1), 'parts_missing'],
    [partsOf(partBytesMin - 1, 1), 'part_too_small'],
    [partsOf(partBytesMin, partBytesMin - 1, 1), 'part_too_small'],
    [partsOf(...Array(25).fill(partBytesMax), 3 * 2 ** 30 + 1), 'image_too_large'],
    [partsOf(...Array(25).fill(partBytesMax), 3 * 2 ** 30), undefined],
    [partsOf(0), undefined],
    [partsOf(1), undefined],
    [partsOf(partBytesMin, 1), undefined],
  ] as const) {
    assert.equal(refuseParts(parts)?.code, code, JSON.stringify(parts).slice(0, 200))
  }
})

test('the largest number of parts of an image is accepted', () => {
  const size = Math.floor(imageBytesMax / 10_000)
  assert.equal(refuseParts(partsOf(...Array(10_000).fill(size))), undefined)
})

test('a range follows the header, limited to the size of the image', () => {
  for (const [header, range] of [
    [undefined, undefined],
    ['bytes=', undefined],
    ['bytes=-', undefined],
    ['bytes=0-', { start: 0, length: 100 }],
    ['bytes=0-0', { start: 0, length: 1 }],
    ['bytes=99-', { start: 99, length: 1 }],
    ['bytes=100-', undefined],
    ['bytes=-1', { start: 99, length: 1 }],
    ['bytes=-0', undefined],
    ['bytes=-500', { start: 0, length: 100 }],
    ['bytes=10-500', { start: 10, length: 90 }],
    ['bytes=7-3', undefined],
    ['bytes=0-1,3-4', undefined],
    ['bytes = 0-1', undefined],
    ['bytes=9999999999999999-', undefined],
  ] as const) {
    assert.deepEqual(readRange(header, 100), range, header)
  }
})

test('a range never reaches beyond the image, and is never empty', () => {
  const bound = fc.option(fc.nat(3000), { nil: '' })
  fc.assert(
    fc.property(bound, bound, fc.nat(2000), (from, to, size) => {
      const range = readRange(`bytes=${from}-${to}`, size)
      return range === undefined || (range.start >= 0 && range.length > 0 && range.start + range.length <= size)
    }),
  )
})

test('sizes are summed', () => {
  assert.equal(sizeOf(partsOf(1, 2, 3)), 6)
})

test('the format of an image is that of the parts that were inspected, and of no others', () => {
  const part = (file: string, etag: string) => ({ part_id: 1, file, etag, size_bytes: 3, uploaded_at: 0 })
  const parts = [part('1-a', 'x')]
  const layout = { format: 'qcow2', virtual_size_bytes: 2 ** 30 } as const
  const seen = { mark: markOf(parts), found: layout }
  assert.deepEqual(chooseFormat(seen, parts, false), layout)
  const codeOf = (others: readonly ReturnType<typeof part>[], inspected: Inspected | undefined = seen) => {
    const chosen = chooseFormat(inspected, others, true)
    return 'code' in chosen ? chosen.code : undefined
  }
  assert.equal(codeOf([part('1-b', 'x')]), 'invalid_state', 'a file store gives each attempt a name')
  assert.equal(codeOf([part('1-a', 'y')]), 'invalid_state', 'a bucket has one name and several tags')
  assert.equal(codeOf([...parts, part('2-a', 'x')]), 'invalid_state')
  assert.deepEqual(chooseFormat(undefined, parts, true), {
    code: 'invalid_state',
    message: 'Parts of this image are still being uploaded.',
  })
})

test('a caller may accept an unknown format, which is a raw disk then, but no file that would harm a host', () => {
  const parts = [{ part_id: 1, file: '1-a', etag: 'x', size_bytes: 3, uploaded_at: 0 }]
  const finding = (code: 'image_format_unknown' | 'image_refused') => ({
    mark: markOf(parts),
    found: { code, message: 'No.' },
  })
  assert.deepEqual(chooseFormat(finding('image_format_unknown'), parts, true), { format: 'raw', virtual_size_bytes: 3 })
  assert.deepEqual(chooseFormat(finding('image_format_unknown'), parts, false), {
    code: 'image_format_unknown',
    field: 'accept_unknown_format',
    message: 'No. To use it as a raw disk all the same, send accept_unknown_format.',
  })
  for (const accepts of [false, true]) {
    assert.deepEqual(chooseFormat(finding('image_refused'), parts, accepts), { code: 'image_refused', message: 'No.' })
  }
})
