import { listEvents } from '@bourse/api/events/events.ts'
import { handleBytes } from '../../core/http/routes.ts'
import { openEventStream } from './event-streams.service.ts'
import * as events from './events.service.ts'

export const eventRoutes = [
  handleBytes(listEvents, (reading, input) => events.listEvents(reading, input), {
    stream: (ctx, { query }, request) => openEventStream(ctx, query, request),
  }),
]
