import { api, level, type Mutant, server } from './mutant.ts'

/** The HTTP edge: limits of one connection, and the stop of a server. */
export const httpMutants: readonly Mutant[] = [
  {
    wrong: 'Refusals beyond the rate of an account are sent at once, as fast as it asks for them.',
    file: server('core/http/pipeline.ts'),
    text: 'hold(context, outcome, context.edge.rate_limits.delayOf(kind, sender))',
    replacement: "hold(context, outcome, kind === 'open' ? context.edge.rate_limits.delayOf(kind, sender) : 0)",
    test: level('contract/rate-limits'),
    caught_by: 'a client that goes on after many refusals gets them later, and nobody else waits',
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
