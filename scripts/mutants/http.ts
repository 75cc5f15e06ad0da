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
    wrong: 'All requests of a pipeline are in work at once.',
    file: server('core/http/pipelining.ts'),
    text: 'if (line.length <= pipelineMax) {',
    replacement: 'if (line.length <= unansweredMax) {',
    test: server('core/http/pipelining.test.ts'),
    caught_by: 'at most sixteen requests of a long pipeline',
  },
  {
    wrong: 'The place of an account is free before the client has taken the response.',
    file: server('core/http/unsent-responses.ts'),
    text: 'if (bytes === 0 || socket.destroyed) {',
    replacement: 'if (bytes >= 0 || socket.destroyed) {',
    test: server('core/http/unsent-responses.test.ts'),
    caught_by: 'a place is held until the client has read the response',
  },
  {
    wrong: 'A client that reads nothing keeps its connection.',
    file: server('core/http/unsent-responses.ts'),
    text: 'if (now() > Math.min(one.ends_at, stops_at)) one.socket.destroy()',
    replacement: 'if (now() > stops_at) one.socket.destroy()',
    test: server('core/http/unsent-responses.test.ts'),
    caught_by: 'a client that does not read loses its connection',
  },
  {
    wrong: 'A body that never ends keeps a stopping server alive.',
    file: server('core/http/body-timeout.ts'),
    text: 'else if (now() > stops_at || isLate(one, now())) {',
    replacement: 'else if (isLate(one, now())) {',
    test: server('core/http/body-timeout.test.ts'),
    caught_by: 'a stop ends transfers at once and incomplete bodies after five seconds',
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
    wrong: 'A body may have any number of values.',
    file: server('core/base/strict-json.ts'),
    text: `    } else if (code === COMMA) {
      if (++found.values > values_max)`,
    replacement: `    } else if (code === COMMA) {
      if (++found.values < 0)`,
    test: server('core/base/strict-json.test.ts'),
    caught_by: 'a text with more values, or a longer string, than its limits',
    in_commit: true,
  },
  {
    wrong: 'A string of a body may have any length.',
    file: server('core/base/strict-json.ts'),
    text: 'if (end - i - 1 > string_length_max)',
    replacement: 'if (end < 0)',
    test: server('core/base/strict-json.test.ts'),
    caught_by: 'a text with more values, or a longer string, than its limits',
    in_commit: true,
  },
  {
    wrong: 'The search for errors walks through all valid values of a body.',
    file: server('core/base/schema-errors.ts'),
    text: 'if (--place.budget.left < 0) return',
    replacement: '',
    test: server('core/base/schema-errors.test.ts'),
    caught_by: 'an error behind many valid values is named',
  },
  {
    wrong: 'The search for errors continues beyond the maximum of a list.',
    file: server('core/base/schema-errors.ts'),
    text: 'const count = Math.min(values.length, maxItems ?? values.length)',
    replacement: 'const count = values.length',
    test: server('core/base/schema-errors.test.ts'),
    caught_by: 'the entries beyond the maximum of a list',
  },
]
