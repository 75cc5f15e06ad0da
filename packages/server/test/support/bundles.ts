/** Signed versions of the agent for tests: manifests, and signatures as `ssh-keygen -Y sign` makes them. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { agentProtocol, type BundleManifest } from '@bourse/api/fleet/agent-bundles.ts'
import { agentSignatureNamespace } from '@bourse/api/fleet/agent-signatures.ts'

/** A version as the API takes it. */
export type TestBundle = { manifest: string; signature: string; content: string }

type BundleChanges = Partial<BundleManifest> & {
  readonly version: string
  readonly archive?: Buffer
  readonly key?: KeyObject
  readonly namespace?: string
}

/** A signing key that is always the same for the same letter. */
export function signingKey(letter = 'a'): KeyObject {
  const seed = Buffer.alloc(32, letter)
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex')
  return createPrivateKey({ key: Buffer.concat([prefix, seed]), format: 'der', type: 'pkcs8' })
}

/** The public half as OpenSSH writes it. */
export function signerLine(key = signingKey()): string {
  return `ssh-ed25519 ${publicBlob(key).toString('base64')}`
}

/** A version with an archive, signed. What is given replaces members of the manifest. */
export function signedBundle(changes: BundleChanges): TestBundle {
  const { archive = Buffer.from(`archive of ${changes.version}`), key, namespace, ...members } = changes
  const manifest = JSON.stringify({
    object: 'agent_bundle_manifest',
    commit: null,
    architecture: 'any',
    protocol: agentProtocol,
    oldest_server_protocol: 1,
    sha256: createHash('sha256').update(archive).digest('hex'),
    size_bytes: archive.length,
    ...members,
  })
  return { manifest, signature: signText(manifest, { key, namespace }), content: archive.toString('base64') }
}

/** Signs a text as `ssh-keygen -Y sign` does. */
export function signText(
  text: string,
  {
    key = signingKey(),
    namespace = agentSignatureNamespace,
  }: { key?: KeyObject | undefined; namespace?: string | undefined } = {},
): string {
  const digest = createHash('sha512').update(text).digest()
  const signed = [Buffer.from('SSHSIG'), ...[namespace, '', 'sha512', digest].map(part)]
  const signature = Buffer.concat([part('ssh-ed25519'), part(sign(null, Buffer.concat(signed), key))])
  const head = Buffer.concat([Buffer.from('SSHSIG'), Buffer.from([0, 0, 0, 1])])
  const blob = Buffer.concat([head, ...[publicBlob(key), namespace, '', 'sha512', signature].map(part)])
  const lines = blob.toString('base64').match(/.{1,70}/g) ?? []
  return ['-----BEGIN SSH SIGNATURE-----', ...lines, '-----END SSH SIGNATURE-----', ''].join('\n')
}

function publicBlob(key: KeyObject): Buffer {
  const raw = Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x as string, 'base64url')
  return Buffer.concat([part('ssh-ed25519'), part(raw)])
}

function part(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}
