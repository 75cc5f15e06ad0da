/** The OpenAPI 3.1 document of the contract. */
import { agentEndpoints, endpoints } from './contract.ts'
import { agentTokenSecondsMax, agentTokenType } from './fleet/agent.ts'
import type { Endpoint } from './kit/endpoint.ts'
import type { TSchema } from './kit/schema.ts'
import { answersOf, headers, sharedAnswers } from './openapi/answers.ts'
import { type Components, type Json, schemaFor } from './openapi/schemas.ts'

/** The version of the interface that this package describes. */
export const interfaceVersion = '0.1.0'

/** The descriptions of the areas of the reference. */
export const areas: Readonly<Record<string, string>> = {
  account: 'The account and token of the caller.',
  limits: 'The limits of an account and their use.',
  workspaces: 'The groups of resources within an account.',
  users: 'The people of an account.',
  roles: 'Named sets of permissions.',
  grants: 'The roles of principals in a workspace or the whole account.',
  permissions: 'The effective permissions of a caller.',
  tokens: 'API tokens.',
  events: 'The append-only log of changes in the account.',
  webhooks: 'Addresses to which the server sends events.',
  'instance SKU catalog': 'The hardware types of the market.',
  orders: 'Limit orders that buy and sell node-hours.',
  'order estimates': 'The price of an order before it is placed.',
  orderbook: 'Resting orders, fills and prices.',
  billing: 'Balance, holds and transactions of the account.',
  pools: 'Containers of allocation.',
  images: 'Disk images of machines.',
  firewalls: 'Filters of traffic to public addresses.',
  subnets: 'Private networks.',
  'InfiniBand partitions': 'Closed groups on an InfiniBand fabric.',
  'instance templates': 'Templates of the instances of deployments.',
  instances: 'Machines.',
  hosts: 'The physical servers that run the machines.',
  deployments: 'Automations that maintain a number of instances.',
  procurements: 'Automations that maintain the number of nodes of a pool.',
  administration: 'For the platform operator only.',
  sandbox: 'Control over the sandbox; 404 in production.',
  process: 'The server process; without a token.',
  'agent protocol': 'The protocol between the agents of hosts and the server, with tokens that the agents sign.',
}

const description = `A compute marketplace: buy capacity, run instances in it, follow the events.

- Every operation except those of the process needs an API token: \`Authorization: Bearer <token>\`.
- Ids are permanent; resource paths (\`svc:<kind>:<account>:<workspace>:<name>\`) follow a rename. Where a resource is
  named either will do.
- Times are whole Unix seconds. Fields that begin with \`_preview_\`, and routes under \`/preview\`, may change.
- Answers may grow new members, and lists of states and actions new values: accept what you do not know. Unknown
  members of requests are refused.
- In POST bodies \`null\` stands for an absent member. In PATCH bodies absent means unchanged, \`null\` cleared.
- \`Idempotency-Key\` makes a creating call safe to repeat for at least 7 days.
- Every error has the same envelope; \`error.details[].code\` says what is wrong.`

/** Builds the document. The same contract gives the same document, byte by byte. */
export function buildOpenapi(): object {
  const components: Components = new Map()
  const paths = pathsOf([...endpoints, ...agentEndpoints], components)
  const responses = sharedAnswers(components)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bourse API',
      version: interfaceVersion,
      summary: 'A compute marketplace control plane.',
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The server that returned this description.' }],
    security: [{ api_token: [] }],
    tags: Object.entries(areas).map(([name, text]) => ({ name, description: text })),
    paths,
    components: {
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
      headers,
      responses,
      parameters: { IdempotencyKey: idempotencyKey, LastEventId: lastEventId },
      securitySchemes: {
        api_token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An API token.' },
        agent_token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: agentTokenText },
      },
    },
  }
}

const agentTokenText = [
  `Signed with the host's Ed25519 key: \`typ\` \`${agentTokenType}\`, \`iss\` and \`sub\` the host's id,`,
  `\`aud\` from the enrolment, \`exp\` at most ${agentTokenSecondsMax} s after \`iat\`, and \`jti\`.`,
].join(' ')

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Calls with the same key and content run once; a repeated call gets the first response. Empty means absent.',
  schema: { type: 'string', maxLength: 257, pattern: '^[\\x21-\\x7e]*$' },
}

const lastEventId = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'With `Accept: text/event-stream`: the id of the last received event. Overrides the query.',
  schema: { type: 'string', maxLength: 512 },
}

function pathsOf(operations: readonly Endpoint[], components: Components): Json {
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: operationOf(operation, components) }
  }
  return paths
}

function operationOf(operation: Endpoint, components: Components): Json {
  const { name, area, summary, access } = operation
  const parameters = parametersOf(operation, components)
  return {
    operationId: name,
    tags: [area],
    summary,
    description: [operation.description, rightsOf(operation)].filter(Boolean).join('\n\n'),
    ...(access === 'public' ? { security: [] } : {}),
    ...(access === 'agent' ? { security: [{ agent_token: [] }] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...bodyOf(operation, components),
    responses: answersOf(operation, components),
  }
}

function rightsOf({ access, also_access, conditional_access, scope }: Endpoint): string {
  if (access === 'public') return 'Without token.'
  if (access === 'agent') return 'The token of a host that is not retired.'
  if (access === 'open') return 'Any valid API token.'
  const rights = [access, ...also_access].map((right) => `\`${right}\``).join(' and ')
  const always = `Needs ${rights}${scope === 'account' ? ' for the whole account' : ''}.`
  return [always, ...conditional_access.map(({ permission, when }) => `Also needs \`${permission}\` ${when}.`)].join(
    ' ',
  )
}

function parametersOf({ params, query, idempotent, also_stream }: Endpoint, components: Components): Json[] {
  const parameters: Json[] = [
    ...Object.entries(params.properties).map(([name, schema]) => parameter('path', name, schema, components)),
    ...Object.entries(query.properties).map(([name, schema]) => parameter('query', name, schema, components)),
  ]
  if (idempotent) parameters.push({ $ref: '#/components/parameters/IdempotencyKey' })
  if (also_stream) parameters.push({ $ref: '#/components/parameters/LastEventId' })
  return parameters
}

function parameter(place: 'path' | 'query', name: string, source: TSchema, components: Components): Json {
  const { description: own, items, ...rest } = schemaFor(source, 'parameter', components)
  const required = place === 'path'
  if (!items) return { name, in: place, required, description: own, schema: rest }
  const { description: ofOne, ...one } = items as Json
  return {
    name,
    in: place,
    required,
    description: own ?? `${ofOne} May be repeated; any may match.`,
    schema: { ...rest, items: one },
    style: 'form',
    explode: true,
  }
}

function bodyOf({ name, method, body }: Endpoint, components: Components): Json {
  if (!body) return {}
  const title = `${name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Request`
  components.set(title, schemaFor(body, method === 'POST' ? 'post' : 'body', components))
  const required = ((body as { required?: string[] }).required ?? []).length > 0
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/${title}` } } }
  return { requestBody: { required, content } }
}
