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
  summary: 'Whether the process serves.',
  response: resource('Health', 'That the process serves.', { status: constant('ok') }),
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
})

export const getReadiness = endpoint({
  ...onProcess,
  name: 'get_readiness',
  method: 'GET',
  path: '/readyz',
  summary: 'Whether the process can take calls; 503 names the parts that fail.',
  response: readiness,
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
})

export const getVersion = endpoint({
  ...onProcess,
  name: 'get_version',
  method: 'GET',
  path: '/version',
  summary: 'Which build is running.',
  response: version,
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
})

export const getOpenapi = endpoint({
  ...onProcess,
  name: 'get_openapi',
  method: 'GET',
  path: '/openapi.json',
  summary: 'This description.',
  response: schemaOf<Record<string, unknown>>({ type: 'object', description: 'An OpenAPI 3.1 document.' }),
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
})

export const getDocs = endpoint({
  ...onProcess,
  name: 'get_docs',
  method: 'GET',
  path: '/docs',
  summary: 'The reference as a page, without outside requests.',
  response: text({ max: 65_536, description: 'HTML.' }),
  media_type: 'text/html',
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
})

export const getMetrics = endpoint({
  ...onProcess,
  name: 'get_metrics',
  method: 'GET',
  path: '/metrics',
  summary: 'Measurements in the Prometheus text format; in production on a port of its own.',
  description:
    'The header `Host` must have an IP address, a name without a dot, or a name of this server: its public URL and ' +
    '`BOURSE_ALLOWED_HOSTS`. Otherwise a page of another site could read it through a name that leads to this machine.',
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
  summary: 'The public keys with which the server signs attestations of instances, the present one first.',
  description: 'A key that no longer signs stays in the list as long as its file has it.',
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
