import { testAt } from './moment.ts'

// The clocks are put back two minutes later, by an hour.
testAt('2027-11-07 01:58:00', 'America/New_York')
