import { advanceClock, freezeClock, getClock, resumeClock, setClockRate, settle } from '@bourse/api/sandbox/clock.ts'
import { handleRuntime } from '../../core/http/routes.ts'
import * as clock from './clock.service.ts'

const settleSeconds = 10

export const clockRoutes = [
  handleRuntime(getClock, (runtime) => clock.readClock(runtime)),
  handleRuntime(freezeClock, (runtime) => clock.changeClock(runtime, { frozen: true })),
  handleRuntime(resumeClock, (runtime) => clock.changeClock(runtime, { frozen: false })),
  handleRuntime(advanceClock, (runtime, { body }) => clock.moveClock(runtime, body)),
  handleRuntime(setClockRate, (runtime, { body }) => clock.changeClock(runtime, body)),
  handleRuntime(settle, async (runtime, { body }) => ({
    object: 'settlement' as const,
    settled: await clock.settle(runtime, body.timeout_seconds ?? settleSeconds),
  })),
]
