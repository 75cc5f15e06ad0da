import { buildFields } from '../kit/build.ts'
import { endpoint } from '../kit/endpoint.ts'
import { array, constant, oneOf, resource, type Static, schemaOf, text } from '../kit/schema.ts'

const onProcess = { area: 'process', access: 'public', scope: 'account', rate: 'none' } as const

/** The parts of the process that must work before it accepts requests. */
export const readinessParts = ['database', 'schema', 'storage_settings', 'clock', 'reconcilers'] as const

const readinessPart = resource('ReadinessPart', 'One part of the process.', {
  name: oneOf(readinessParts, { description: 'Which part.' }),
  message: text({ max: 1024, description: '`ok`, or what is wrong with it, for people.' }),
})

export const readiness = resource('Readiness', 'The state of each part of the process.', {
  status: constant('ok'),
  parts: array(readinessPart, {
    description: 'Each part that must work before it takes calls.',
    max: readinessParts.length,
  }),
})
export type Readiness = Static<typeof readiness>

export const version = resource('Version', 'The running build.', {
  name: constant('bourse'),
  ...buildFields,
  commit: text({ max: 64, description: 'The commit of the build. `unknown`: the build does not say.' }),
})
export type Version = Static<typeof version>

export const getHealth = endpoint({
  ...onProcess,
  name: 'get_health',
  method: 'GET',
  path: '/healthz',
  summary: 'Check liveness',
  description:
    'Responds while the process serves, also while its database is away. `get_readiness` says whether it can take ' +
    'calls.',
  response: resource('Health', 'That the process serves.', { status: constant('ok') }),
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
})

export const getReadiness = endpoint({
  ...onProcess,
  name: 'get_readiness',
  method: 'GET',
  path: '/readyz',
  summary: 'Check readiness',
  description:
    'Says whether the process can take calls: its database, schema, storage settings, clock and reconcilers. 503 ' +
    'names the parts that fail.',
  response: readiness,
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
})

export const getVersion = endpoint({
  ...onProcess,
  name: 'get_version',
  method: 'GET',
  path: '/version',
  summary: 'Get the version',
  description: 'Shows the version and the commit of the running build.',
  response: version,
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
})

export const getOpenapi = endpoint({
  ...onProcess,
  name: 'get_openapi',
  method: 'GET',
  path: '/openapi.json',
  summary: 'Get the OpenAPI document',
  description: 'Returns this reference as an OpenAPI 3.1 document, of the running build.',
  response: schemaOf<Record<string, unknown>>({ type: 'object', description: 'An OpenAPI 3.1 document.' }),
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
})

export const getDocs = endpoint({
  ...onProcess,
  name: 'get_docs',
  method: 'GET',
  path: '/docs',
  summary: 'Get the documentation',
  description: 'Returns the start page of the reference and the guides. The pages load nothing from other servers.',
  response: text({ max: 65_536, description: 'HTML.' }),
  media_type: 'text/html',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
})

export const getMetrics = endpoint({
  ...onProcess,
  name: 'get_metrics',
  method: 'GET',
  path: '/metrics',
  summary: 'Get metrics',
  description:
    'Returns measurements in the Prometheus text format; in production on a port of its own. The header `Host` ' +
    'must have an IP address, a name without a dot, or a name of this server: its public URL and ' +
    '`BOURSE_ALLOWED_HOSTS`. Otherwise a page of another site could read it through a name that leads to this ' +
    'server.',
  response: text({ max: 16_777_216, description: 'Prometheus text format.' }),
  media_type: 'text/plain',
  errors: ['host_not_allowed'],
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
})

export const jsonWebKeySet = resource(
  'JsonWebKeySet',
  'The public keys that sign for the installation, as RFC 7517 has them.',
  {
    keys: array(
      resource('JsonWebKey', 'One public key, in the form of RFC 7517.', {
        kty: constant('OKP'),
        crv: constant('Ed25519'),
        x: text({ max: 43, description: 'The public key: 32 bytes in base64url.' }),
        kid: text({ max: 255, description: 'Name of the key, which the header of a signed text gives.' }),
        use: constant('sig'),
        alg: constant('EdDSA'),
      }),
      { max: 100, description: 'The keys, the present one first.' },
    ),
  },
)
export type JsonWebKeySet = Static<typeof jsonWebKeySet>

export const getSigningKeys = endpoint({
  ...onProcess,
  name: 'get_signing_keys',
  method: 'GET',
  path: '/.well-known/jwks.json',
  summary: 'Get signing keys',
  description:
    'Shows the public keys with which the server signs attestations of instances, the present one first. A key ' +
    'that no longer signs stays in the list as long as its file has it. `get_instance_attestation` returns what ' +
    'they sign.',
  response: jsonWebKeySet,
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
})

export const operations = [
  getHealth,
  getReadiness,
  getVersion,
  getSigningKeys,
  getOpenapi,
  getDocs,
  getMetrics,
] as const
