import { endpoint } from '../kit/endpoint.ts'
import {
  accountId,
  array,
  constant,
  integer,
  object,
  oneOf,
  optional,
  record,
  resource,
  type Static,
  shortListOf,
  text,
  timestamp,
} from '../kit/schema.ts'

const onSandbox = { area: 'sandbox', access: 'open', scope: 'account' } as const

/** The worlds that a sandbox can load, each with its purpose. */
export const scenarios = {
  empty: 'The platform account and one customer account, without money, pools and instances.',
  quickstart: 'A small market, with instances in every state. A sandbox starts with it.',
  busy_market: 'Five SKUs that are bought and sold all the time, and a customer with money.',
  preemption: 'A full pool whose allocation is about to shrink.',
  host_failures: 'A running fleet on hosts that go silent, crash and fail to start instances.',
  long_history: 'One SKU that has been traded for four weeks.',
} as const
/** The name of a scenario. */
export type ScenarioName = keyof typeof scenarios

const names = Object.keys(scenarios) as ScenarioName[]

const seed = optional(
  integer({ min: 0, max: 4_294_967_295, default: 1, description: 'A number. The same number gives the same world.' }),
)

export const scenario = resource('Scenario', 'A world that can be loaded.', {
  object: constant('scenario'),
  name: oneOf(names, { description: 'Name of the scenario.' }),
  description: text({ max: 1024, description: 'What it is for.' }),
})
export type Scenario = Static<typeof scenario>

export const loadedScenario = resource(
  'LoadedScenario',
  'The result of loading a world: its accounts and its points of interest.',
  {
    object: constant('loaded_scenario'),
    scenario: oneOf(names, { description: 'The world that was loaded.' }),
    seed: integer({ min: 0, max: 4_294_967_295, description: 'The number that it was made from.' }),
    now: timestamp({ description: 'The time of the sandbox clock, in Unix seconds.' }),
    accounts: array(
      resource('ScenarioAccount', 'One account of the world.', {
        id: accountId(),
        token: text({ max: 4096, description: 'An API token of an admin.' }),
      }),
      { max: 10_000, description: 'The accounts of the world, each with a token.' },
    ),
    ids: record(text({ max: 64 }), { max: 10_000, description: 'Ids of resources of the world, by their part in it.' }),
  },
)
export type LoadedScenario = Static<typeof loadedScenario>

export const listScenarios = endpoint({
  ...onSandbox,
  name: 'list_scenarios',
  method: 'GET',
  path: '/sandbox/scenarios',
  summary: 'List scenarios',
  description: 'Shows the worlds that `load_scenario` and `reset_sandbox` can load, and what each is for.',
  response: shortListOf(scenario, names.length),
  trust: { limited: 'any', recent_sign_in: 'never', trail: 'none' },
})

export const loadScenario = endpoint({
  ...onSandbox,
  name: 'load_scenario',
  method: 'POST',
  path: '/sandbox/scenarios/:name/load',
  summary: 'Load a scenario',
  description:
    'Deletes everything in the sandbox and loads a world. The same `seed` gives the same world. Tokens that were ' +
    'printed at the start stay valid. The clock shows real time again.',
  params: { name: text({ min: 1, max: 64, description: 'Name of the scenario, such as `quickstart`.' }) },
  body: object({ seed }),
  success: 200,
  response: loadedScenario,
  no_store: true,
  errors: ['forbidden', 'not_found'],
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'entry', unasked: 'A sandbox holds nothing of value.' },
  consequence: 'destroys',
})

export const resetSandbox = endpoint({
  ...onSandbox,
  name: 'reset_sandbox',
  method: 'POST',
  path: '/sandbox/reset',
  summary: 'Reset the sandbox',
  description:
    'Deletes everything in the sandbox, sets the clock to real time and loads a world. Tokens that were printed at ' +
    'the start stay valid. Cursors of earlier events give 410.',
  body: object({ scenario: optional(oneOf(names, { description: 'The world to load. Default `quickstart`.' })), seed }),
  success: 200,
  response: loadedScenario,
  no_store: true,
  errors: ['forbidden'],
  trust: { limited: 'networks', recent_sign_in: 'never', trail: 'entry', unasked: 'A sandbox holds nothing of value.' },
  consequence: 'destroys',
})

export const operations = [listScenarios, loadScenario, resetSandbox] as const
