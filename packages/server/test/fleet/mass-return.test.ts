import { test } from 'vitest'
import { returnTogether } from './mass-return.ts'

test('a fleet that returns after five minutes of silence is accepted, and no instance ends', async ({ annotate }) => {
  const { tries, requests } = await returnTogether()
  await annotate(`${tries} attempts of the agents; meanwhile ${requests} requests of customers`)
})
