/** Bodies that are not JSON, or JSON that two parsers may read differently. */
import type { Flaw, FuzzRequest } from './requests.ts'

type MalformedTexts = Pick<FuzzRequest, 'bytes' | 'flaw' | 'headers'> | Pick<FuzzRequest, 'bytes' | 'flaw'>
/** Gets the valid body, and the largest size in bytes that is accepted. */
type TextMalformer = (body: object, bytesMax: number) => MalformedTexts

function text(rule: string, flaw: Partial<Flaw>, spell: (json: string) => string | Buffer): TextMalformer {
  return (body) => ({
    bytes: Buffer.from(spell(JSON.stringify(body))),
    flaw: { rule, status: 400, code: 'invalid_json', field: null, ...flaw },
  })
}

/** A body with one more member, written literally. */
function member(rule: string, written: string, flaw: Partial<Flaw> = {}): TextMalformer {
  return text(rule, flaw, (json) => (json === '{}' ? `{${written}}` : `${json.slice(0, -1)},${written}}`))
}

function typed(contentType: string): TextMalformer {
  return (body) => ({
    bytes: Buffer.from(JSON.stringify(body)),
    headers: { 'content-type': contentType },
    flaw: { rule: `media type ${contentType}`, status: 415, code: 'unsupported_media_type', field: 'Content-Type' },
  })
}

const nested = `${'['.repeat(40)}${']'.repeat(40)}`

/** Each converts a valid body to an invalid one. */
export const malformedTexts: readonly TextMalformer[] = [
  text('cut off', {}, (json) => json.slice(0, -1)),
  text('something behind', {}, (json) => `${json}x`),
  text('two values', {}, (json) => `${json}${json}`),
  text('a comma too many', {}, (json) => (json === '{}' ? '{,}' : `${json.slice(0, -1)},}`)),
  text('only blanks', {}, () => '   '),
  text('single quotes', {}, () => "{'a':1}"),
  text('a comment', {}, (json) => `/* */${json}`),
  text('two byte order marks', {}, (json) => `\ufeff\ufeff${json}`),
  text('not UTF-8', {}, (json) => Buffer.concat([Buffer.from(json), Buffer.from([0xff])])),
  text('UTF-16', {}, (json) => Buffer.from(json, 'utf16le')),
  text('a zero byte', {}, (json) => `${json}\0`),
  text('deeper than 32', {}, () => nested),
  text('a thousand deep', {}, () => '{"a":'.repeat(1000)),
  member('a member twice', '"surprise":1,"surprise":2'),
  member('a member twice by escapes', '"surprise":1,"surpris\\u0065":2'),
  member('__proto__', '"__proto__":{"name":1}', { code: 'unknown_field' }),
  member('half of a surrogate pair', '"surprise":"\\ud800"'),
  member('the other half of a surrogate pair', '"surprise":"\\udc00\\ud800"'),
  member('U+0000', '"surprise":"a\\u0000b"'),
  member('a fraction', '"surprise":1.5', { code: 'invalid_type', field: 'surprise' }),
  member('a whole fraction', '"surprise":1.0', { code: 'invalid_type', field: 'surprise' }),
  member('an exponent', '"surprise":1e2', { code: 'invalid_type', field: 'surprise' }),
  member('1e400', '"surprise":1e400', { code: 'invalid_type', field: 'surprise' }),
  member('2^53 + 1', '"surprise":9007199254740993', { code: 'out_of_range', field: 'surprise' }),
  member('NaN', '"surprise":NaN'),
  member('a leading zero', '"surprise":01'),
  member('a raw line break in a string', '"surprise":"a\nb"'),
  member('an escape that is none', '"surprise":"\\x41"'),
  (body, bytesMax) => ({
    bytes: Buffer.from(`${JSON.stringify(body).slice(0, -1)}${' '.repeat(bytesMax)}}`),
    flaw: { rule: 'the size of the body', status: 413, code: 'body_too_large', field: null },
  }),
  typed('text/plain'),
  typed('application/json; charset=latin1'),
  typed('application/x-www-form-urlencoded'),
  typed('application/jsonx'),
  typed('multipart/form-data; boundary=x'),
]
