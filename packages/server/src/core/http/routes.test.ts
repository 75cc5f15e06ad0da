import assert from 'node:assert/strict'
import { endpoint } from '@bourse/api/kit/endpoint.ts'
import { object, text } from '@bourse/api/kit/schema.ts'
import { test } from 'vitest'
import { handle, handleAll } from './routes.ts'

const word = text({ max: 9, description: 'A word.' })
const common = { area: 'words', summary: 'Of a word', description: 'Of a word.', access: 'open' } as const
const listWords = endpoint({ ...common, name: 'list_words', method: 'GET', path: '/words', query: { letter: word } })
const getWord = endpoint({ ...common, name: 'get_word', method: 'GET', path: '/words/:id', params: { id: word } })
const putWord = endpoint({
  ...common,
  name: 'put_word_of_day',
  method: 'PUT',
  path: '/days/:day/words/:id',
  params: { day: word, id: word },
  body: object({ text: word }),
})

test('each operation is bound to the function with its name, which takes what the operation has', async () => {
  const given: unknown[][] = []
  const take = async (_ctx: unknown, ...input: unknown[]) => void given.push(input)
  const routes = handleAll([listWords, getWord, putWord], { listWords: take, getWord: take, putWordOfDay: take })
  const query = { letter: 'a' }
  const params = { day: 'monday', id: 'w' }
  const inputs = [
    { params: {}, query, body: undefined },
    { params: { id: 'w' }, query: {}, body: undefined },
    { params, query: {}, body: { text: 't' } },
  ]
  const names = routes.map(({ endpoint: { name } }) => name)
  assert.deepEqual(names, ['list_words', 'get_word', 'put_word_of_day'])
  for (const [n, route] of routes.entries()) {
    const read = route.read as ((ctx: unknown, input: unknown) => Promise<unknown>) | undefined
    await read?.(undefined, inputs[n])
  }
  assert.deepEqual(given, [[query], ['w']])
})

test('a route that is given by hand takes the place of the function', () => {
  const own = handle(getWord, async () => {})
  assert.deepEqual(handleAll([getWord], {}, { get_word: own }), [own])
})
