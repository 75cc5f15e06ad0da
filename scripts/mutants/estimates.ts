import { api, type Mutant, server } from './mutant.ts'

const cli = (path: string) => `packages/cli/${path}`
const forecasts = server('market/trading/trade-forecasts')

/** Cost before commitment: estimates, and the questions of the command line. */
export const estimateMutants: readonly Mutant[] = [
  {
    wrong: 'The worst case of an estimate is what the order costs now.',
    file: `${forecasts}.rules.ts`,
    text: "worst_case_micros: side === 'buy' ? order.value_micros : 0n,",
    replacement: "worst_case_micros: side === 'buy' ? (trade?.value_micros ?? 0n) : 0n,",
    test: `${forecasts}.rules.test.ts`,
    caught_by: 'has a worst case that is the hold of a buy',
  },
  {
    wrong: 'An estimate shows no fee.',
    file: `${forecasts}.rules.ts`,
    text: "fee_micros: side === 'sell' && trade ? feeOfFills(fees, trade.fills) : 0n,",
    replacement: "fee_micros: side === 'sell' && trade ? 0n * feeOfFills(fees, trade.fills) : 0n,",
    test: `${forecasts}.rules.test.ts`,
    caught_by: 'is what the order then trades',
  },
  {
    wrong: 'An estimate sees neither missing money nor a budget.',
    file: `${forecasts}.service.ts`,
    text: 'const unpaid = pay(simulation, forecast)',
    replacement: 'const unpaid = pay(simulation, forecast) && undefined',
    test: api('estimates'),
    caught_by: 'create_deployment_estimate says why nothing would be bought',
  },
  {
    wrong: 'The estimate of an automation shows the balance to callers that may not read it.',
    file: server('automation/automation-estimates.service.ts'),
    text: "hasPermission(ctx, 'billing:read', null)",
    replacement: "hasPermission(ctx, 'billing:read', null) || true",
    test: api('estimates'),
    caught_by: 'estimates hide the balance from callers',
  },
  {
    wrong: 'Without a terminal a command goes ahead without --yes.',
    file: cli('src/input/confirmation.ts'),
    text: 'const answer = await terminal.ask(question)',
    replacement: 'const answer = (await terminal.ask(question)) ?? true',
    test: cli('test/spending.test.ts'),
    caught_by: 'without a terminal and without --yes nothing',
  },
]
