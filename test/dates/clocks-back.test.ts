import { testAt } from './moment.ts'

// The clocks are put back two minutes later, by an hour.
testAt('2026-11-01 01:58:00', 'America/New_York')
