import { testAt } from './moment.ts'

// It is 01:58. Two minutes later the clocks are put back by an hour.
testAt('2027-11-07T05:58:00Z', { zone: 'America/New_York' })
