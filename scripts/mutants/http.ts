import { api, level, type Mutant, server } from './mutant.ts'

/** The HTTP edge: limits of one connection, and the stop of a server. */
export const httpMutants: readonly Mutant[] = [
  {
    wrong: 'A request may have several Host headers.',
    file: server('core/http/connections.ts'),
    text: 'return found === 1',
    replacement: 'return found >= 1',
    test: level('contract/raw-bytes'),
    caught_by: 'on the wire: two hosts',
  },
  {
    wrong: 'A server that stops waits for half of a request.',
    file: server('core/http/connections.ts'),
    text: 'if (isFree(socket) && (elapsed',
    replacement: 'if (!isFree(socket) && (elapsed',
    test: api('process'),
    caught_by: 'a server stops although a browser keeps a connection',
  },
  {
    wrong: 'A server that is about to stop reports that it is ready.',
    file: server('process.service.ts'),
    text: 'if (isDraining()) throw',
    replacement: 'if (!isDraining) throw',
    test: api('process'),
    caught_by: 'get_readiness is 503 while the server drains',
  },
  {
    wrong: 'The commands of an account wait for no turn.',
    file: server('core/http/routes.ts'),
    text: "inTurn(context, 'commands', () => command(edge.runtime, originOf(context), recorded, options))",
    replacement: 'command(edge.runtime, originOf(context), recorded, options)',
    test: level('contract/fair-turns'),
    caught_by: 'an account that deletes deployments as fast as it can',
  },
  {
    wrong: 'Refused requests of unknown senders are logged one by one.',
    file: server('core/http/access-log.ts'),
    text: 'caller === undefined && agent === undefined && status >= 400 && status < 500',
    replacement: 'status === 0',
    test: level('contract/refused-requests'),
    caught_by: 'refused requests without a token are logged in sums',
  },
  {
    wrong: 'Refusals beyond the rate of an account are sent at once, as fast as it asks for them.',
    file: server('core/http/pipeline.ts'),
    text: 'hold(context, outcome, context.edge.rate_limits.delayOf(kind, sender))',
    replacement: "hold(context, outcome, kind === 'open' ? context.edge.rate_limits.delayOf(kind, sender) : 0)",
    test: level('contract/rate-limits'),
    caught_by: 'a client that goes on after many refusals gets them later, and nobody else waits',
  },
  {
    wrong: 'Unknown paths are answered as fast as anybody asks for them.',
    file: server('core/http/pipeline.ts'),
    text: "return holdExcess(context, outcome, { kind: 'open', sender: networkOf(context.address) })",
    replacement: 'return outcome',
    test: level('contract/rate-limits'),
    caught_by: 'many requests without a token are held, and requests with a token are not',
  },
  {
    wrong: 'Other sites may show the reference in a frame.',
    file: server('core/docs/layout.ts'),
    text: '  "frame-ancestors \'none\'",\n',
    replacement: '',
    test: api('docs'),
    caught_by: 'the policy of a page allows scripts and requests of this server only',
  },
]
