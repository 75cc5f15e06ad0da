import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { type ArchiveEntry, cpioArchive } from './cpio.ts'

/** Reads an archive as a kernel does: header by header, each at a multiple of four bytes. */
function readArchive(archive: Buffer) {
  const found: { path: string; mode: number; owner: number; content: Buffer }[] = []
  for (let at = 0; ; ) {
    assert.equal(archive.toString('latin1', at, at + 6), '070701')
    const number = (index: number) =>
      Number.parseInt(archive.toString('latin1', at + 6 + index * 8, at + 14 + index * 8), 16)
    const [size, length] = [number(6), number(11)]
    const path = archive.toString('utf8', at + 110, at + 110 + length - 1)
    const from = (at + 110 + length + 3) & ~3
    if (path === 'TRAILER!!!') return found
    found.push({ path, mode: number(1), owner: number(2), content: archive.subarray(from, from + size) })
    at = (from + size + 3) & ~3
  }
}

test('an archive contains the folders, programs, files and links unchanged, owned by root', () => {
  const content = Buffer.from('12345')
  const entries: ArchiveEntry[] = [
    { kind: 'folder', path: 'bin' },
    { kind: 'file', path: 'bin/a', content, isProgram: true },
    { kind: 'file', path: 'b', content, isProgram: false },
    { kind: 'link', path: 'bin/sh', target: 'a' },
  ]
  assert.deepEqual(readArchive(cpioArchive(entries)), [
    { path: 'bin', mode: 0o040755, owner: 0, content: Buffer.alloc(0) },
    { path: 'bin/a', mode: 0o100755, owner: 0, content },
    { path: 'b', mode: 0o100644, owner: 0, content },
    { path: 'bin/sh', mode: 0o120777, owner: 0, content: Buffer.from('a') },
  ])
})

test('names and contents of any length keep the archive aligned', () => {
  const file = fc.record({ path: fc.stringMatching(/^[a-z]{1,20}$/), bytes: fc.uint8Array({ maxLength: 50 }) })
  fc.assert(
    fc.property(fc.array(file, { maxLength: 5 }), (files) => {
      const entries = files.map(({ path, bytes }): ArchiveEntry => {
        return { kind: 'file', path, content: Buffer.from(bytes), isProgram: false }
      })
      const archive = cpioArchive(entries)
      assert.equal(archive.length % 4, 0)
      const read = readArchive(archive).map(({ path, content }) => ({ path, content: Buffer.from(content) }))
      assert.deepEqual(
        read,
        entries.map((entry) => ({ path: entry.path, content: 'content' in entry && entry.content })),
      )
    }),
  )
})
