/** The OpenAPI 3.1 document of the contract. */
import { areaGroups, areaPages, areas } from './areas.ts'
import { agentEndpoints, endpoints } from './contract.ts'
import { agentTokenSecondsMax, agentTokenType } from './fleet/agent.ts'
import { clientCalls } from './generated/client-calls.ts'
import { recordedCalls } from './generated/examples.ts'
import { interfaceVersion } from './interface-version.ts'
import { type Endpoint, withStreams } from './kit/endpoint.ts'
import type { TSchema } from './kit/schema.ts'
import { addCodeSamples, type ClientCalls } from './openapi/code-samples.ts'
import { addExamples, type RecordedCalls } from './openapi/examples.ts'
import { headers, responsesOf, sharedResponses } from './openapi/responses.ts'
import { type Components, type Json, schemaFor } from './openapi/schemas.ts'

const description = `A compute marketplace: buy capacity, run instances in it, follow the events.

- Operations need an API token, \`Authorization: Bearer <token>\`, except those of the process, of signing in and of
  public keys.
- Ids are permanent; resource paths (\`svc:<kind>:<account>:<workspace>:<name>\`, without the workspace for workspaces,
  users and roles) follow a rename. Bodies and paths of requests accept both.
- Times are whole Unix seconds. Fields that begin with \`_preview_\`, and routes under \`/preview\`, may change.
- Responses may grow new members, and lists of states and actions new values: accept unknown members and values. Unknown
  members of requests are refused.
- In POST bodies \`null\` for an optional member counts as absent, unless the member accepts \`null\`. In PATCH bodies
  absent means unchanged, and \`null\` clears a member that accepts it.
- \`Idempotency-Key\`, where an operation takes it, makes a call safe to repeat for at least 7 days.
- Every error has the same envelope: \`error.details[].code\` names the problem, or the header \`X-Error-Code\` where
  the error has no details.`

/** Builds the document. The same contract and the same calls give the same document, byte by byte. */
export function buildOpenapi(recorded: RecordedCalls = recordedCalls, calls: ClientCalls = clientCalls): object {
  const document = buildWithoutExamples()
  const all = { ...recorded, ...callsOfStreams(recorded) }
  addExamples(document, all)
  addCodeSamples(document, withStreams(operations), { recorded: all, calls })
  return document
}

/** The calls of streams as if they were recorded: those of their lists. */
function callsOfStreams(recorded: RecordedCalls): RecordedCalls {
  const calls = operations.flatMap(({ name, also_stream }) => {
    const { params = {}, query = {}, response } = recorded[name] ?? {}
    return also_stream ? [[also_stream.name, { params, query, text: streamTextOf(response) }]] : []
  })
  return Object.fromEntries(calls)
}

/** The first entry of a recorded list as its stream sends it. */
function streamTextOf(list: unknown): string {
  const [entry] = (list as { data?: Json[] } | undefined)?.data ?? []
  return `retry: 2000\n\nid: ${entry?.cursor ?? entry?.seqnum}\ndata: ${JSON.stringify(entry)}\n\n`
}

const operations: readonly Endpoint[] = [...endpoints, ...agentEndpoints]

/** Builds the document without examples. */
export function buildWithoutExamples(): object {
  const components: Components = new Map()
  const paths = pathsOf(operations, components)
  const responses = sharedResponses(components)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Bourse API',
      version: interfaceVersion,
      summary: 'A compute marketplace control plane.',
      description,
      contact: { name: 'The operator of this server' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The server that returned this description.' }],
    security: [{ api_token: [] }],
    tags: Object.entries(areas).map(([name, text]) => ({ name, description: text + explanationOf(name) })),
    'x-tagGroups': Object.entries(areaGroups).map(([name, tags]) => ({ name, tags: Object.keys(tags) })),
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
  description: 'The id of the last received event. Overrides the query.',
  schema: { type: 'string', maxLength: 512 },
}

/** A link to the page that explains an area. `externalDocs` admits no address on the same server. */
function explanationOf(name: string): string {
  const url = areaPages[name]
  return url === undefined ? '' : `\n\n[How it works](${url}).`
}

function pathsOf(described: readonly Endpoint[], components: Components): Json {
  const paths: Record<string, Json> = {}
  for (const operation of withStreams(described)) {
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
    ...(operation.path.startsWith('/preview/') ? { 'x-badges': [{ name: 'Preview' }] } : {}),
    summary,
    description: [operation.description, rightsOf(operation)].filter(Boolean).join('\n\n'),
    ...(access === 'public' ? { security: [] } : {}),
    ...(access === 'agent' ? { security: [{ agent_token: [] }] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...bodyOf(operation, components),
    responses: responsesOf(operation, components),
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

function parametersOf(
  { params, query, idempotent, media_type, also_stream }: Endpoint,
  components: Components,
): Json[] {
  const needed = (query as { required?: string[] }).required ?? []
  const listed = Object.entries(query.properties).filter(([name]) => !also_stream?.own_query?.includes(name))
  const parameters: Json[] = [
    ...Object.entries(params.properties).map(([name, schema]) =>
      parameter({ name, in: 'path', required: true }, schema, components),
    ),
    ...listed.map(([name, schema]) =>
      parameter({ name, in: 'query', required: needed.includes(name) }, schema, components),
    ),
  ]
  if (idempotent) parameters.push({ $ref: '#/components/parameters/IdempotencyKey' })
  if (media_type === 'text/event-stream') parameters.push({ $ref: '#/components/parameters/LastEventId' })
  return parameters
}

type ParameterPlace = { readonly name: string; readonly in: 'path' | 'query'; readonly required: boolean }

function parameter(place: ParameterPlace, source: TSchema, components: Components): Json {
  const { description: own, items, ...rest } = schemaFor(source, 'parameter', components)
  if (!items) return { ...place, description: own, schema: rest }
  const { description: ofOne, ...one } = items as Json
  if (own === undefined && ofOne === undefined) throw new Error(`The parameter ${place.name} needs a description.`)
  return {
    ...place,
    description: own ?? `${ofOne} May be repeated; any may match.`,
    schema: { ...rest, items: one },
    style: 'form',
    explode: true,
  }
}

function bodyOf({ name, method, body }: Endpoint, components: Components): Json {
  if (!body) return {}
  const title = `${name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Request`
  const schema = schemaFor(body, method === 'POST' ? 'post' : 'body', components)
  components.set(title, { description: `The body of \`${name}\`.`, ...schema })
  const required = ((body as { required?: string[] }).required ?? []).length > 0
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/${title}` } } }
  return { requestBody: { required, content } }
}
