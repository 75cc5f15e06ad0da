import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'vitest'
import { leftOut } from '../../../../test/left-out.ts'
import { isSshPublicKey, readSshPublicKey, type SshPublicKey, sshKeyCharactersMax } from './public-keys.ts'

test('keys of every accepted type are read, with their bits and their comment', () => {
  const read = Object.entries(goodKeys()).map(([name, line]) => [name, keyOf(line).bits])
  assert.deepEqual(Object.fromEntries(read), {
    ed25519: 256,
    rsa: 3072,
    nistp256: 256,
    nistp384: 384,
    nistp521: 521,
    sk_ed25519: 256,
    sk_ecdsa: 256,
  })
  const { ed25519 } = goodKeys()
  const [type, base64] = ed25519.split(' ') as [string, string]
  assert.deepEqual([keyOf(ed25519).type, keyOf(ed25519).base64, keyOf(ed25519).comment], [type, base64, 'ada@laptop'])
  assert.equal(keyOf(`${type} ${base64}`).comment, '')
  assert.equal(keyOf(`  ${type}\t${base64} \t two  words \r\n\n`).comment, 'two  words')
  assert.equal(keyOf(`${type} ${base64} Änne's 鍵`).comment, "Änne's 鍵")
  assert.deepEqual(Buffer.from(keyOf(ed25519).blob).toString('base64'), base64)
})

type Refused = Readonly<Record<string, readonly [text: string, sentence: RegExp]>>

function refusedTexts(): Refused {
  const { ed25519, rsa, sk_ed25519 } = goodKeys()
  const [type, base64] = ed25519.split(' ') as [string, string]
  const { privateKey: secret } = generateKeyPairSync('ed25519')
  const pem = secret.export({ format: 'pem', type: 'pkcs8' }) as string
  return {
    'a private key': [pem, /^This is a private key\. It was not stored\./],
    'a private key of OpenSSH': ['-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blbn', /^This is a private key/],
    'its body alone': ['b3BlbnNzaC1rZXktdjEAAAAABG5vbmU', /^This is a private key/],
    'one of PuTTY': ['PuTTY-User-Key-File-3: ssh-ed25519', /^This is a private key/],
    'an encrypted one': ['-----BEGIN ENCRYPTED PRIVATE KEY-----', /^This is a private key/],
    'a private key behind a public one': [`${ed25519}\n${pem}`, /^This is a private key/],
    'a private key that is long': [pem + 'A'.repeat(20_000), /^This is a private key/],
    'another form': ['---- BEGIN SSH2 PUBLIC KEY ----\nAAAA', /another form/],
    'another form, of PEM': ['-----BEGIN PUBLIC KEY-----\nAAAA', /another form/],
    '20 KB': [`${ed25519} ${'x'.repeat(20_000)}`, /at most 8,192 characters/],
    'several keys': [`${ed25519}\n${rsa}`, /several lines/],
    'several keys, old line ends': [`${ed25519}\r\n${ed25519}`, /several lines/],
    nothing: [' \n', /^This is empty/],
    'weak RSA': [sshLine(generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey), /has 2048 bits.*too weak/],
    DSA: ['ssh-dss AAAAB3NzaC1kc3M= a', /^DSA keys are too weak/],
    'a certificate': ['ssh-ed25519-cert-v01@openssh.com AAAA a', /^This is a certificate/],
    'options in front': [`no-pty,command="ls" ${ed25519}`, /^There are options in front/],
    'an option that names a host': [`from="10.0.0.0/8" ${sk_ed25519}`, /^There are options in front/],
    'no type': [`${base64} ada`, /^The type is missing/],
    'another type': ['ssh-x25519 AAAA', /not a public key in the one-line form/],
    'a sentence': ['please add my key', /not a public key in the one-line form/],
    'no key': [type, /^The key is missing/],
    'a comment with a terminal code': [`${ed25519}\u001b[31m`, /^The comment has control or invisible characters/],
    'a comment with a tab': [`${ed25519}\tx`, /^The comment has control or invisible characters/],
    'a comment that turns its direction': [`${ed25519}\u202e`, /^The comment has control or invisible characters/],
    'a comment with a return': [`${ed25519}\rssh-rsa`, /^The comment has control or invisible characters/],
    'a type with an invisible character': [`ssh-ed25519\u200b ${base64}`, /not a public key/],
    'bad base64': [`${type} ${base64.slice(0, 20)}!${base64.slice(21)}`, /not correct base64/],
    'base64 without padding': [`${type} ${base64.slice(0, -1)}`, /not correct base64/],
    'base64 with left bits': [`${type} AAAAC3NzaC1lZDI1NTE5AAAAIB==`, /not correct base64/],
  }
}

function refusedBlobs(): Refused {
  const { ed25519, rsa, nistp256, nistp384 } = goodKeys()
  const [type, base64] = ed25519.split(' ') as [string, string]
  const blob = Buffer.from(base64, 'base64')
  const other = (bytes: Buffer) => `${type} ${bytes.toString('base64')}`
  const offCurve = Buffer.from(nistp256.split(' ')[1] as string, 'base64')
  offCurve[offCurve.length - 1] = (offCurve.at(-1) as number) ^ 1
  const sk = 'sk-ssh-ed25519@openssh.com'
  return {
    'another type inside': [`${type} ${rsa.split(' ')[1]}`, /^The key says another type inside/],
    'trailing bytes': [other(Buffer.concat([blob, Buffer.from([0])])), /more bytes behind its end/],
    'a key cut in its field': [other(blob.subarray(0, -3)), /ends too early/],
    'a key cut in a length': [other(blob.subarray(0, 17)), /ends too early/],
    'a key without fields': [other(Buffer.from([0, 0, 0])), /ends too early/],
    'an Ed25519 key of another length': [
      other(Buffer.concat([field(type), field(Buffer.alloc(31, 1))])),
      /has 32 bytes/,
    ],
    'a point off its curve': [`ecdsa-sha2-nistp256 ${offCurve.toString('base64')}`, /not a point of its curve/],
    'another curve': [line('ecdsa-sha2-nistp256', 'nistp384', lastField(nistp384)), /of another curve/],
    'a security key without application': [line(sk, Buffer.alloc(32, 1)), /ends too early/],
    'a security key with a terminal code': [
      line(sk, Buffer.alloc(32, 1), 'ssh:\u001b['),
      /application of this security key/,
    ],
    'a negative RSA modulus': [rsaLine([1, 0, 1], [0x80, ...Array<number>(383).fill(1)]), /not well-formed/],
    'a padded RSA exponent': [rsaLine([0, 1, 0, 1], oddModulus(384)), /not well-formed/],
    'an even RSA modulus': [rsaLine([1, 0, 1], [0x7f, ...Array<number>(383).fill(2)]), /not those of a key/],
    'an RSA exponent of one': [rsaLine([1], oddModulus(384)), /not those of a key/],
    'RSA of too many bits': [rsaLine([1, 0, 1], oddModulus(2049)), /reads at most 16,384/],
  }
}

test('each text that is no public key of one line has its own sentence', () => {
  const refused: Refused = { ...refusedTexts(), ...refusedBlobs() }
  for (const [name, [text, sentence]] of Object.entries(refused)) {
    const read = readSshPublicKey(text)
    assert.ok(!isSshPublicKey(read), name)
    assert.match(read.message, sentence, name)
  }
  const codes = ['20 KB', 'bad base64', 'a certificate'].map((name) => {
    return (readSshPublicKey(refused[name]?.[0] ?? '') as { code?: string }).code
  })
  assert.deepEqual(codes, ['too_long', 'invalid_base64', 'invalid_value'])
})

test('no sentence holds a part of what was sent', () => {
  const secret = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }) as string
  const [, body = ''] = secret.split('\n')
  const texts = [secret, `ssh-ed25519 ${body}`, `${body} x`, `${body}\n${body}`, `ssh-dss ${body}`, `x ${body}`]
  for (const text of texts) {
    const read = readSshPublicKey(text)
    assert.ok(!isSshPublicKey(read))
    assert.ok(!read.message.includes(body.slice(0, 8)), read.message)
  }
})

test('the bounds are those that are told: the longest line, 3,072 and 16,384 bits', () => {
  const { ed25519 } = goodKeys()
  const line = `${ed25519} `.padEnd(sshKeyCharactersMax, 'x')
  assert.ok(isSshPublicKey(readSshPublicKey(line)))
  assert.ok(!isSshPublicKey(readSshPublicKey(`${line}x`)))
  assert.equal(keyOf(rsaLine([3], oddModulus(2048, 0xff))).bits, 16_384)
  assert.equal(keyOf(rsaLine([3], oddModulus(384, 0x80))).bits, 3072)
  const weak = readSshPublicKey(rsaLine([3], oddModulus(384, 0x7f)))
  assert.match((weak as { message: string }).message, /has 3071 bits/)
})

/** Why the comparison is left out, or false. Without the program it fails where it is required. */
function skipWithoutKeygen(): string | false {
  const isThere = spawnSync('ssh-keygen', ['-?']).error === undefined
  return isThere || process.env.BOURSE_REQUIRE_SHELLS === '1' ? false : 'ssh-keygen is not installed'
}

test('ssh-keygen makes keys that are read, with its bits and fingerprints', leftOut(skipWithoutKeygen()), () => {
  const directory = mkdtempSync(join(tmpdir(), 'bourse-ssh-'))
  const made = { ed25519: [], rsa: ['-b', '3072'], ecdsa: ['-b', '256'], p384: ['-b', '384'], p521: ['-b', '521'] }
  for (const [name, bits] of Object.entries(made)) {
    const file = join(directory, name)
    const type = name.startsWith('p') ? 'ecdsa' : name
    run(['-q', '-t', type, ...bits, '-N', '', '-C', `ada ${name}`, '-f', file])
    const key = keyOf(readFileSync(`${file}.pub`, 'utf8'))
    assert.equal(listed(file), `${key.bits} ${fingerprint(key)} ada ${name}`)
    assert.match((readSshPublicKey(readFileSync(file, 'utf8')) as { message: string }).message, /private key/)
  }
})

test('what is read and what is refused is so by ssh-keygen too', leftOut(skipWithoutKeygen()), () => {
  const directory = mkdtempSync(join(tmpdir(), 'bourse-ssh-'))
  const file = join(directory, 'key.pub')
  const good = goodKeys()
  for (const line of Object.values(good)) {
    writeFileSync(file, `${line}\n`)
    const key = keyOf(line)
    assert.ok(run(['-l', '-f', file]).startsWith(`${key.bits} ${fingerprint(key)} `))
  }
  // Every key with one byte of its blob changed: what ssh-keygen does not read, is not read here either.
  for (const [name, line] of Object.entries(good)) {
    const [type, base64 = ''] = line.split(' ')
    const blob = Buffer.from(base64, 'base64')
    for (let at = 0; at < blob.length; at += name === 'rsa' ? 29 : 7) {
      const changed = Buffer.from(blob)
      changed[at] = (changed[at] as number) ^ 0x81
      const text = `${type} ${changed.toString('base64')} x`
      writeFileSync(file, `${text}\n`)
      const isKey = spawnSync('ssh-keygen', ['-l', '-f', file]).status === 0
      if (!isKey) assert.ok(!isSshPublicKey(readSshPublicKey(text)), `${name}, byte ${at}`)
    }
  }
})

function run(flags: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('ssh-keygen', flags, { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return stdout
}

function listed(file: string): string {
  return run(['-l', '-f', `${file}.pub`]).replace(/ \([A-Z0-9-]+\)\n$/, '')
}

function fingerprint({ blob }: SshPublicKey): string {
  return `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`
}

function keyOf(line: string): SshPublicKey {
  const read = readSshPublicKey(line)
  assert.ok(isSshPublicKey(read), 'message' in read ? read.message : '')
  return read
}

function goodKeys() {
  const ed25519 = jwk(generateKeyPairSync('ed25519').publicKey)
  const p256 = pointOf(jwk(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey))
  const sk = 'sk-ssh-ed25519@openssh.com'
  const skEcdsa = 'sk-ecdsa-sha2-nistp256@openssh.com'
  return {
    ed25519: line('ssh-ed25519', Buffer.from(ed25519.x as string, 'base64url')),
    rsa: sshLine(generateKeyPairSync('rsa', { modulusLength: 3072 }).publicKey),
    nistp256: ecdsaLine('nistp256', 'P-256'),
    nistp384: ecdsaLine('nistp384', 'P-384'),
    nistp521: ecdsaLine('nistp521', 'P-521'),
    sk_ed25519: line(sk, Buffer.from(ed25519.x as string, 'base64url'), 'ssh:'),
    sk_ecdsa: line(skEcdsa, 'nistp256', p256, 'ssh:'),
  }
}

function ecdsaLine(curve: string, namedCurve: string): string {
  return line(`ecdsa-sha2-${curve}`, curve, pointOf(jwk(generateKeyPairSync('ec', { namedCurve }).publicKey)))
}

function sshLine(key: KeyObject): string {
  const { e = '', n = '' } = jwk(key)
  return rsaLine([...Buffer.from(e, 'base64url')], [0, ...Buffer.from(n, 'base64url')])
}

function rsaLine(e: readonly number[], n: readonly number[]): string {
  return line('ssh-rsa', Buffer.from(e), Buffer.from(n))
}

/** An odd number of so many bytes, as SSH writes it: one with the highest bit has a zero in front. */
function oddModulus(bytes: number, first = 0x7f): number[] {
  const number = [first, ...Array<number>(bytes - 1).fill(0xff)]
  return first >= 0x80 ? [0, ...number] : number
}

function line(type: string, ...fields: readonly (string | Buffer)[]): string {
  return `${type} ${Buffer.concat([type, ...fields].map(field)).toString('base64')} ada@laptop`
}

function field(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value as string)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

function lastField(text: string): Buffer {
  const blob = Buffer.from(text.split(' ')[1] as string, 'base64')
  return blob.subarray(blob.length - 4 - 97)
}

function jwk(key: KeyObject) {
  return key.export({ format: 'jwk' })
}

function pointOf({ x = '', y = '' }: { readonly x?: string; readonly y?: string }): Buffer {
  return Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
}
