import { testAt } from './moment.ts'

// Yesterday belongs to another month, and all of the run is on this day.
testAt('2027-08-01T00:01:00Z', { everything: true })
