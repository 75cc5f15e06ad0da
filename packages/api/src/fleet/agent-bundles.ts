/** Versions of the agent that the operator rolls out to hosts. */
import { endpoint } from '../kit/endpoint.ts'
import {
  constant,
  createdAt,
  id,
  integer,
  nullable,
  object,
  oneOf,
  openObject,
  openOneOf,
  pageOf,
  pageParameters,
  resource,
  type Static,
  schemaOf,
  text,
} from '../kit/schema.ts'
import { signatureLengthMax, signerLengthMax } from './agent-signatures.ts'

/** The version of the agent protocol that this server speaks, and the oldest of an agent that it still answers. */
export const agentProtocol = 1
export const oldestAgentProtocol = 1

/** The largest bundle, what it may unpack to, and how many there are at once. */
export const bundleBytesMax = 1_310_720
export const unpackedBytesMax = 67_108_864
export const unpackedEntriesMax = 5_000
export const bundlesMax = 32
const manifestLengthMax = 4096

/** The processors for which a bundle can be. */
export const bundleArchitectures = ['any', 'x64', 'arm64'] as const

const versionPattern = '^[0-9A-Za-z][0-9A-Za-z.+_-]{0,62}$'

/** Whether a text can be a version of an agent. A host asks before it makes a path of what a server says. */
export function isVersion(text: string): boolean {
  return new RegExp(versionPattern).test(text)
}

/** The version of an agent. It names a folder on hosts, so it is one word. */
export function agentVersionText(description: string) {
  return text({
    max: 63,
    pattern: versionPattern,
    form: 'a version such as 1.4.0: letters, digits and .+_-',
    examples: ['1.4.0', '1.5.0-rc.1'],
    description,
  })
}

const commitText = nullable(
  text({
    max: 64,
    pattern: '^[0-9a-f]+$',
    form: 'hexadecimal digits',
    examples: ['1a2b3c4d5e6f'],
    description: 'Commit that it was built from. `null`: not known.',
  }),
)
const sha256Text = text({
  max: 64,
  pattern: '^[0-9a-f]{64}$',
  form: '64 hexadecimal digits',
  examples: ['0'.repeat(64)],
  description: 'SHA-256 of the archive, in hexadecimal.',
})
const bundleBytes = {
  ...integer({
    unit: 'bytes',
    min: 1,
    max: bundleBytesMax,
    description: 'Size of the archive in bytes.',
  }),
  examples: [430_080],
}
const protocolNumber = (description: string) => integer({ min: 1, max: 1_000_000, description })

/** What is signed: a JSON text, of which each byte counts. Newer ones may have further members. */
export const bundleManifest = openObject(
  {
    object: constant('agent_bundle_manifest'),
    version: agentVersionText('The version.'),
    commit: commitText,
    architecture: oneOf(bundleArchitectures, { description: 'The processors that it runs on.' }),
    protocol: protocolNumber('Version of the agent protocol that it speaks.'),
    oldest_server_protocol: protocolNumber('Oldest version of the protocol with which a server can use it.'),
    sha256: sha256Text,
    size_bytes: bundleBytes,
  },
  { description: 'The manifest of a bundle.' },
)
export type BundleManifest = Static<typeof bundleManifest>

const manifestText = text({
  min: 1,
  max: manifestLengthMax,
  description: 'The manifest, a JSON text: version, commit, processors, protocol, SHA-256 and size of the archive.',
})
const signatureText = text({
  min: 1,
  max: signatureLengthMax,
  description: 'Signature of the manifest by `ssh-keygen -Y sign -n bourse-agent`, by an Ed25519 key.',
})

/** A bundle as hosts get it. */
export const bundleOffer = openObject(
  { manifest: manifestText, signature: signatureText },
  { description: 'The manifest of the bundle and its signature, which the host verifies before it downloads it.' },
)
export type BundleOffer = Static<typeof bundleOffer>

export const agentBundle = resource('AgentBundle', 'A version of the agent that can be rolled out to hosts.', {
  object: constant('agent_bundle'),
  id: id('agent_bundle'),
  version: agentVersionText('The version.'),
  commit: commitText,
  architecture: openOneOf(bundleArchitectures, { description: 'The processors that it runs on.' }),
  protocol: protocolNumber('Version of the agent protocol that it speaks.'),
  oldest_server_protocol: protocolNumber('Oldest version of the protocol with which a server can use it.'),
  sha256: sha256Text,
  size_bytes: integer({ unit: 'bytes', min: 1, description: 'Size of the archive in bytes.' }),
  signer: text({ max: signerLengthMax, description: 'Public key that has signed it, as OpenSSH writes it.' }),
  created_at: createdAt,
})
export type AgentBundle = Static<typeof agentBundle>

const onPlatform = { area: 'administration', scope: 'account' } as const

export const createAgentBundle = endpoint({
  ...onPlatform,
  name: 'create_agent_bundle',
  method: 'POST',
  path: '/preview/v2/admin/agent_bundles',
  summary: 'Add an agent bundle',
  description:
    'A bundle is a signed version of the agent, which `create_agent_rollout` can then roll out. `npm run pack -- ' +
    'agent --sign KEY` writes the three files. Refused with `bundle_refused` unless the signature fits the manifest ' +
    'and the manifest fits the archive, and with `bundle_exists` if the version exists already. Hosts verify the ' +
    'signature by the keys in their own files.',
  body: object({
    manifest: { ...manifestText, contentMediaType: 'application/json' },
    signature: { ...signatureText, contentMediaType: 'application/x-ssh-signature' },
    content: schemaOf<string>({
      type: 'string',
      minLength: 4,
      maxLength: 4 * Math.ceil(bundleBytesMax / 3),
      pattern: '^[A-Za-z0-9+/]+={0,2}$',
      'x-code': 'invalid_base64',
      'x-form': 'base64 in the standard alphabet, padded, without white space',
      contentEncoding: 'base64',
      description: 'The archive, at most 1.25 MiB. Sent in base64.',
    }),
  }),
  body_bytes_max: 2_097_152,
  idempotent: true,
  response: agentBundle,
  access: 'platform:write',
  trust: { limited: 'networks', recent_sign_in: 'always', trail: 'entry' },
  errors: [
    'forbidden',
    'insufficient_user_authentication',
    'not_found',
    'invalid_base64',
    'bundle_exists',
    'bundle_refused',
    'limit_exceeded',
  ],
})

export const listAgentBundles = endpoint({
  ...onPlatform,
  name: 'list_agent_bundles',
  method: 'GET',
  path: '/preview/v2/admin/agent_bundles',
  summary: 'List agent bundles',
  description: 'These are the versions of the agent that can be rolled out, newest first.',
  query: { ...pageParameters('abdlc') },
  response: pageOf(agentBundle, 'abdlc'),
  access: 'platform:read',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  errors: ['invalid_cursor', 'forbidden', 'not_found', 'mutually_exclusive'],
})

export const getAgentBundle = endpoint({
  ...onPlatform,
  name: 'get_agent_bundle',
  method: 'GET',
  path: '/preview/v2/admin/agent_bundles/:id',
  summary: 'Read an agent bundle',
  description: 'Shows its version, processors and signer, and not its archive.',
  params: { id: id('agent_bundle') },
  response: agentBundle,
  access: 'platform:read',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'none' },
  errors: ['forbidden', 'not_found'],
})

export const deleteAgentBundle = endpoint({
  ...onPlatform,
  name: 'delete_agent_bundle',
  method: 'DELETE',
  path: '/preview/v2/admin/agent_bundles/:id',
  summary: 'Delete an agent bundle',
  description: 'Hosts that run it keep it. Refused with `in_use` while the newest rollout installs it.',
  params: { id: id('agent_bundle') },
  access: 'platform:write',
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'entry', unasked: 'It gives nothing.' },
  consequence: 'destroys',
  errors: ['forbidden', 'not_found', 'in_use'],
})

export const operations = [createAgentBundle, listAgentBundles, getAgentBundle, deleteAgentBundle] as const
