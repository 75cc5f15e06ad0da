import { endpoint } from '../kit/endpoint.ts'
import {
  boolean,
  constant,
  integer,
  nullable,
  object,
  optional,
  resource,
  type Static,
  timestamp,
} from '../kit/schema.ts'

const onSandbox = { area: 'sandbox', access: 'open', scope: 'account' } as const

const fields = {
  object: constant('clock'),
  now: timestamp({ description: 'The time of the business clock, in Unix seconds.' }),
  real_now: timestamp({ description: 'The time of the real clock, in Unix seconds.' }),
  offset_seconds: integer({ unit: 'seconds', description: 'How far the business clock is ahead of the real clock.' }),
  frozen: boolean({ description: 'Whether the clock stands still.' }),
  rate: integer({ unit: 'times', min: 1, max: 86_400, description: 'Most clock seconds per real second.' }),
  next_due_at: nullable(
    timestamp({ description: 'When something is due next, such as a deadline, in Unix seconds. `null`: nothing is.' }),
  ),
}

export const sandboxClock = resource(
  'SandboxClock',
  'The clock of the sandbox. It never passes due work that is not done.',
  fields,
)
export type SandboxClock = Static<typeof sandboxClock>

export const advancedClock = resource('AdvancedClock', 'The clock after a change.', {
  ...fields,
  settled: boolean({
    description: 'Whether all work on the way is done. False: it was not done within 60 s of real time, and goes on.',
  }),
})
export type AdvancedClock = Static<typeof advancedClock>

export const getClock = endpoint({
  ...onSandbox,
  name: 'get_clock',
  method: 'GET',
  path: '/sandbox/clock',
  summary: 'Get the clock',
  description: 'Shows the time of the sandbox, how fast it runs, and when something is due next.',
  response: sandboxClock,
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
})

export const freezeClock = endpoint({
  ...onSandbox,
  name: 'freeze_clock',
  method: 'POST',
  path: '/sandbox/clock/freeze',
  summary: 'Freeze the clock',
  description:
    'Stops the time of the sandbox: nothing falls due any more. Requests still work, and `advance_clock` still moves ' +
    'the clock. `resume_clock` starts it again.',
  success: 200,
  response: sandboxClock,
  errors: ['forbidden'],
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'entry' },
  unconfirmed: 'It ends with resume_clock.',
})

export const resumeClock = endpoint({
  ...onSandbox,
  name: 'resume_clock',
  method: 'POST',
  path: '/sandbox/clock/resume',
  summary: 'Resume the clock',
  description:
    'The clock goes on from the time that it shows. It does not catch up with the time that has passed meanwhile.',
  success: 200,
  response: sandboxClock,
  errors: ['forbidden'],
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'entry' },
})

export const advanceClock = endpoint({
  ...onSandbox,
  name: 'advance_clock',
  method: 'POST',
  path: '/sandbox/clock/advance',
  summary: 'Advance the clock',
  description:
    'Moves the clock ahead; everything due on the way happens in order, at its own time. The response comes when ' +
    'that is done, or after 60 s of real time with `settled` false. The clock never goes back.',
  body: object({
    seconds: optional(
      integer({
        unit: 'seconds',
        min: 1,
        max: 315_360_000,
        description: 'By how much to advance, instead of to a time.',
      }),
    ),
    to: optional(
      timestamp({
        description: 'Advance to this time, in Unix seconds, instead of by a duration. It must be later than now.',
      }),
    ),
  }),
  success: 200,
  response: advancedClock,
  errors: ['forbidden', 'mutually_exclusive', 'in_the_past'],
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'entry' },
})

export const setClockRate = endpoint({
  ...onSandbox,
  name: 'set_clock_rate',
  method: 'PUT',
  path: '/sandbox/clock/rate',
  summary: 'Set the clock rate',
  description:
    'Sets how many seconds of the sandbox may pass in one real second. The clock runs slower while due work is not ' +
    'done in time.',
  body: object({
    rate: integer({
      unit: 'times',
      min: 1,
      max: 86_400,
      description: 'Most seconds of the sandbox clock per real second.',
    }),
  }),
  response: sandboxClock,
  errors: ['forbidden'],
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'entry' },
})

export const settle = endpoint({
  ...onSandbox,
  name: 'settle',
  method: 'POST',
  path: '/sandbox/settle',
  summary: 'Wait until settled',
  description:
    'Waits until nothing is due and each instance that should run has been reported, but no longer than ' +
    '`timeout_seconds`; `settled` says which. It does not move the clock.',
  body: object({
    timeout_seconds: optional(
      integer({ unit: 'seconds', min: 1, max: 60, default: 10, description: 'How long to wait at most.' }),
    ),
  }),
  success: 200,
  response: resource('Settlement', 'The result of the wait.', {
    object: constant('settlement'),
    settled: boolean({ description: 'Whether nothing is due any more. False: the time to wait was too short.' }),
  }),
  errors: ['forbidden'],
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'entry' },
})

export const operations = [getClock, freezeClock, resumeClock, advanceClock, setClockRate, settle] as const
