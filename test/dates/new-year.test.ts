import { testAt } from './moment.ts'

testAt('2026-12-31T23:59:00Z')
