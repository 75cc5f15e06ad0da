import { testAt } from './moment.ts'

// It is 01:58. Two minutes later the clocks are put forward by an hour.
testAt('2027-03-14T06:58:00Z', { zone: 'America/New_York' })
