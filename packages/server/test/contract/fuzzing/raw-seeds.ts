/** Requests in bytes that a hostile or broken client may send, each with the allowed statuses. */

/** A request with its responses in order, each by its allowed statuses; none if the connection is only closed. */
export type RawSeed = {
  readonly name: string
  readonly bytes: Buffer
  readonly responses: readonly (readonly number[])[]
  /** The number of responses before the client ends its half of the connection. */
  readonly awaited: number
}

/** The fixtures of the seeds: an admin token, and a firewall to change. */
export type RawFixtures = { readonly token: string; readonly firewall: string }

/** `end` among the responses is the point at which the client ends its half of the connection. */
type RawSeedRow = readonly [name: string, text: string | Buffer, ...answers: (number | readonly number[] | 'end')[]]

const json = 'Content-Type: application/json\r\n'

/** All seeds. */
export function rawSeeds(fixtures: RawFixtures): RawSeed[] {
  const groups = [lines, hosts, lengths, chunks, headers, tokens, urls, methods, conversations]
  const rows = [...groups.flatMap((group) => group(fixtures)), ...texts(fixtures)]
  return rows.map(([name, text, ...responses]) => ({
    name,
    bytes: Buffer.isBuffer(text) ? text : Buffer.from(text, 'latin1'),
    responses: responses.filter((statuses) => statuses !== 'end').map((statuses) => [statuses].flat()),
    awaited: responses.includes('end') ? responses.indexOf('end') : responses.length,
  }))
}

/** A request that is valid except for the given parts. */
function get(fixtures: RawFixtures, line = 'GET /v2/skus HTTP/1.1', more = ''): string {
  return `${line}\r\nHost: x\r\nAuthorization: Bearer ${fixtures.token}\r\n${more}\r\n`
}

function put(fixtures: RawFixtures, more: string, body: string): string {
  return get(fixtures, `PUT /preview/v2/firewalls/${fixtures.firewall}/rules HTTP/1.1`, json + more) + body
}

function sized(fixtures: RawFixtures, body: string | Buffer): Buffer {
  const bytes = Buffer.from(body)
  return Buffer.concat([Buffer.from(put(fixtures, `Content-Length: ${bytes.length}\r\n`, '')), bytes])
}

function lines(fixtures: RawFixtures): RawSeedRow[] {
  const line = (text: string) => get(fixtures, text)
  return [
    ['a valid request', get(fixtures), 200],
    ['bare line feeds', get(fixtures).replaceAll('\r\n', '\n'), 400],
    ['bare carriage returns', get(fixtures).replaceAll('\r\n', '\r'), 400],
    ['reversed line ends', get(fixtures).replaceAll('\r\n', '\n\r'), 400],
    ['empty lines before the request', `\r\n\r\n${get(fixtures)}`, 200],
    ['only empty lines', '\r\n\r\n'],
    ['no version', 'GET /v2/skus\r\n\r\n', [400, 401]],
    ['a version of three parts', line('GET /v2/skus HTTP/1.1.1'), 400],
    ['version 1.2', line('GET /v2/skus HTTP/1.2'), 400],
    ['version 9.9', line('GET /v2/skus HTTP/9.9'), 400],
    ['another protocol', line('GET /v2/skus RTSP/1.0'), [200, 400]],
    ['the protocol in small letters', line('GET /v2/skus http/1.1'), 400],
    ['version 1.0', line('GET /v2/skus HTTP/1.0'), 200],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['a TLS greeting', Buffer.from('16030100a5010000a10303', 'hex'), 400],
    ['zero bytes', Buffer.alloc(100), 400],
    ['binary bytes', Buffer.from('fffefdfc00010203ff', 'hex'), 400],
    ['a proxy line', `PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n${get(fixtures)}`, 400],
    ['an SSH greeting', 'SSH-2.0-OpenSSH_9.9\r\n', 400],
    ['tabs in the request line', line('GET\t/v2/skus\tHTTP/1.1'), 400],
    ['two spaces in the request line', line('GET  /v2/skus HTTP/1.1'), [200, 400]],
    ['a space after the version', line('GET /v2/skus HTTP/1.1 '), 400],
    ['a response', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', 400],
  ]
}

function hosts({ token }: RawFixtures): RawSeedRow[] {
  const bearer = `Authorization: Bearer ${token}\r\n`
  return [
    ['no host', `GET /v2/skus HTTP/1.1\r\n${bearer}\r\n`, 400],
    ['no host with a body', `POST /v2/workspaces HTTP/1.1\r\n${bearer}${json}Content-Length: 2\r\n\r\n{}`, 400],
    ['an empty host', `GET /v2/skus HTTP/1.1\r\nHost:\r\n${bearer}\r\n`, [200, 400]],
    ['two hosts', `GET /v2/skus HTTP/1.1\r\nHost: a\r\nHost: b\r\n${bearer}\r\n`, 400],
    ['the same host twice', `GET /v2/skus HTTP/1.1\r\nHost: a\r\nHOST: a\r\n${bearer}\r\n`, 400],
    ['two hosts without a version 1.1', `GET /v2/skus HTTP/1.0\r\nHost: a\r\nHost: a\r\n${bearer}\r\n`, 400],
    ['a host with a line feed', `GET /v2/skus HTTP/1.1\r\nHost: a\nb\r\n${bearer}\r\n`, 400],
    ['a malformed host', `GET /v2/skus HTTP/1.1\r\nHost: <>"\r\n${bearer}\r\n`, [200, 400]],
  ]
}

function lengths(fixtures: RawFixtures): RawSeedRow[] {
  const length = (text: string, body = '{}') => put(fixtures, `Content-Length: ${text}\r\n`, body)
  return [
    ['two different lengths', put(fixtures, 'Content-Length: 2\r\nContent-Length: 3\r\n', '{} '), 400],
    ['two equal lengths', put(fixtures, 'Content-Length: 2\r\nContent-Length: 2\r\n', '{}'), 400],
    ['a list of lengths', length('2, 2'), 400],
    ['a signed length', length('+2'), 400],
    ['a negative length', length('-2'), 400],
    ['a hexadecimal length', length('0x2'), 400],
    ['a length with a fraction', length('2.0'), 400],
    ['a length of words', length('two'), 400],
    ['an empty length', length(''), 400],
    ['a length beyond 64 bits', length('99999999999999999999'), 400],
    ['a length of 2 GiB', length('2147483648'), 413],
    ['a length just too long', length('131073'), 413],
    ['a length that is never reached', length('20'), 'end', 400],
    ['a body that is longer than its length', length('2', '{}GARBAGE\r\n\r\n'), 400, 400],
    ['a body without length', put(fixtures, '', '{"rules":[]}'), 400, 400],
    [
      'length and chunks',
      put(fixtures, 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n', '2\r\n{}\r\n0\r\n\r\n'),
      400,
    ],
    [
      'chunks and length',
      put(fixtures, 'Transfer-Encoding: chunked\r\nContent-Length: 2\r\n', '2\r\n{}\r\n0\r\n\r\n'),
      400,
    ],
    ['a space before the colon of the length', put(fixtures, 'Content-Length : 2\r\n', '{}'), 400],
    ['a body of a GET', `${get(fixtures, 'GET /v2/skus HTTP/1.1', 'Content-Length: 5\r\n')}hello`, 200],
    [
      'a long body where none belongs',
      get(fixtures, 'GET /v2/skus HTTP/1.1', 'Content-Length: 200000\r\n') + 'x'.repeat(200_000),
      200,
    ],
  ]
}

function chunks(fixtures: RawFixtures): RawSeedRow[] {
  const coded = (coding: string, body: string) => put(fixtures, `Transfer-Encoding: ${coding}\r\n`, body)
  const chunked = (body: string) => coded('chunked', body)
  const good = 'c\r\n{"rules":[]}\r\n0\r\n\r\n'
  return [
    ['valid chunks', chunked(good), 200],
    [
      'a chunk for each byte',
      chunked(`${[...'{"rules":[]}'].map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`),
      200,
    ],
    ['a trailer', chunked('c\r\n{"rules":[]}\r\n0\r\nAuthorization: Bearer x\r\n\r\n'), [200, 400]],
    ['a chunk extension', chunked('c;a=b\r\n{"rules":[]}\r\n0\r\n\r\n'), [200, 400]],
    ['a long chunk extension', chunked(`c;a=${'b'.repeat(20_000)}\r\n{"rules":[]}\r\n0\r\n\r\n`), [400, 413]],
    ['a malformed chunk size', chunked('zz\r\n{}\r\n0\r\n\r\n'), 400],
    ['a signed chunk size', chunked('+2\r\n{}\r\n0\r\n\r\n'), 400],
    ['a negative chunk size', chunked('-2\r\n{}\r\n0\r\n\r\n'), 400],
    ['a chunk size beyond 64 bits', chunked(`${'f'.repeat(20)}\r\n{}\r\n0\r\n\r\n`), 400],
    ['a chunk that is too short', chunked('5\r\n{}\r\n0\r\n\r\n'), 400],
    ['a chunk that is too long', chunked('1\r\n{}\r\n0\r\n\r\n'), 400],
    ['chunks without an end', chunked('2\r\n{}\r\n'), 'end', 400],
    ['chunks with bare line feeds', chunked(good.replaceAll('\r\n', '\n')), 400],
    ['chunks of more than 128 KiB', chunked(`20001\r\n${' '.repeat(0x20001)}\r\n0\r\n\r\n`), 413],
    ['chunked twice', put(fixtures, 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', good), [200, 400]],
    ['another coding before chunked', coded('gzip, chunked', good), 415],
    ['another coding after chunked', coded('chunked, gzip', good), 400],
    ['an unknown coding', coded('xchunked', good), 400],
    ['a control character before the coding', coded('\x0bchunked', good), 400],
    ['identity', coded('identity', '{"rules":[]}'), 400],
    ['a coding in quotes', coded('"chunked"', good), 400],
    ['chunks in HTTP/1.0', chunked(good).replace('HTTP/1.1', 'HTTP/1.0'), [200, 400]],
  ]
}

function headers(fixtures: RawFixtures): RawSeedRow[] {
  const header = (text: string | Buffer) => get(fixtures, 'GET /v2/skus HTTP/1.1', `${text}`)
  const typed = (type: string) => put(fixtures, 'Content-Length: 12\r\n', '{"rules":[]}').replace(json, type)
  return [
    ['a header of 17 KiB', header(`X: ${'x'.repeat(17_000)}\r\n`), 400],
    ['a header name of 17 KiB', header(`${'x'.repeat(17_000)}: x\r\n`), 400],
    ['three thousand headers', header('a:b\r\n'.repeat(3000)), 400],
    ['three hundred headers', header('a:b\r\n'.repeat(300)), 200],
    ['a header without a name', header(': x\r\n'), 400],
    ['a header without a colon', header('X\r\n'), 400],
    ['a space before the colon', header('X : x\r\n'), 400],
    ['a space before the name', header(' X: x\r\n'), 400],
    ['a folded header', header('X: a\r\n b\r\n'), 400],
    ['NUL in a header', header('X: a\0b\r\n'), 400],
    ['NUL in a name', header('X\0: a\r\n'), 400],
    ['a carriage return in a header', header('X: a\rb\r\n'), 400],
    ['a header in another alphabet', header('X: \xe4\xf6\xfc\r\n'), 200],
    ['__proto__ as a header', header('__proto__: x\r\nconstructor: y\r\n'), 200],
    ['a request id with a line break', header('X-Request-Id: a%0d%0aX: y\r\n'), 200],
    [
      'an expectation to continue',
      put(fixtures, 'Expect: 100-continue\r\nContent-Length: 12\r\n', '{"rules":[]}'),
      100,
      200,
    ],
    ['an unknown expectation', put(fixtures, 'Expect: nonsense\r\nContent-Length: 12\r\n', '{"rules":[]}'), 200],
    ['an upgrade to web sockets', header('Connection: Upgrade\r\nUpgrade: websocket\r\n'), 200],
    [
      'an upgrade to HTTP/2',
      header('Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'),
      200,
    ],
    ['another method by a header', header('X-HTTP-Method-Override: DELETE\r\n'), 200],
    ['another path by a header', header('X-Original-URL: /metrics\r\nX-Rewrite-URL: /metrics\r\n'), 200],
    ['a range', header('Range: bytes=0-1\r\n'), 200],
    [
      'a body that says it is packed',
      put(fixtures, 'Content-Encoding: gzip\r\nContent-Length: 12\r\n', '{"rules":[]}'),
      415,
    ],
    ['a malformed media type', typed('Content-Type: /;;\r\n'), 415],
    ['an empty media type', typed('Content-Type:\r\n'), 415],
    ['no media type', typed(''), 415],
    ['two media types', typed(`${json}Content-Type: text/plain\r\n`), [200, 400]],
    ['a long media type', typed(`Content-Type: application/json;${' '.repeat(9000)}charset=utf-8\r\n`), [200, 400]],
  ]
}

function tokens(fixtures: RawFixtures): RawSeedRow[] {
  const { token } = fixtures
  const bearer = (lines: string) => `GET /v2/skus HTTP/1.1\r\nHost: x\r\n${lines}\r\n`
  return [
    ['two tokens', bearer(`Authorization: Bearer ${token}\r\nAuthorization: Bearer ${token}\r\n`), 401],
    ['a token and a password', bearer(`Authorization: Basic eDp5\r\nAuthorization: Bearer ${token}\r\n`), 401],
    ['a token twice in one header', bearer(`Authorization: Bearer ${token}, Bearer ${token}\r\n`), 401],
    ['a token without a scheme', bearer(`Authorization: ${token}\r\n`), 401],
    ['a token after two spaces', bearer(`Authorization: Bearer  ${token}\r\n`), 401],
    ['an empty token', bearer('Authorization: Bearer \r\n'), 401],
    ['a token of 12 KiB', bearer(`Authorization: Bearer ${'x'.repeat(12_000)}\r\n`), 401],
    ['a token in the URL', `GET /v2/skus?access_token=${token} HTTP/1.1\r\nHost: x\r\n\r\n`, 401],
    ['a token as a cookie', bearer(`Cookie: token=${token}\r\n`), 401],
    ['a token in another header', bearer(`Proxy-Authorization: Bearer ${token}\r\n`), 401],
  ]
}

function urls(fixtures: RawFixtures): RawSeedRow[] {
  const at = (path: string) => get(fixtures, `GET ${path} HTTP/1.1`)
  return [
    ['a URL of 17 KiB', at(`/v2/skus?limit=${'1'.repeat(17_000)}`), 400],
    ['a path segment of 2,000 characters', at(`/v2/skus/${'x'.repeat(2000)}`), 400],
    ['a path segment of 1,025 characters', at(`/v2/skus/${'x'.repeat(1025)}`), 400],
    ['a thousand path segments', at('/v2'.repeat(1000)), 404],
    ['a thousand parameters', at(`/v2/skus?${'a=1&'.repeat(1000)}`), 400],
    ['NUL in the path', at('/v2/skus\0'), 400],
    ['an escaped NUL in the path', at('/v2/skus/%00'), 400],
    ['a space in the path', at('/v2/ skus'), 400],
    ['bytes beyond ASCII in the path', at('/v2/skus/\xc3\xa4'), 400],
    ['an overlong escape', at('/v2/skus/%c0%ae%c0%ae'), 400],
    ['half of an escape', at('/v2/skus/%4'), 400],
    ['an invalid escape', at('/v2/skus/%zz'), 400],
    ['an escape of another style', at('/v2/skus/%u0041'), 400],
    ['half of a surrogate pair', at('/v2/skus/%ed%a0%80'), 400],
    ['an invalid escape in the query', at('/v2/skus?limit=%zz'), 400],
    ['NUL in the query', at('/v2/skus?limit=1%00'), 400],
    ['half of a surrogate pair in the query', at('/v2/skus?limit=%ed%a0%80'), 400],
    ['__proto__ in the query', at('/v2/skus?__proto__=1&__proto__[x]=2'), 400],
    ['brackets in the query', at('/v2/skus?limit[]=1'), 400],
    ['2^53 + 1 in the query', at('/v2/skus?limit=9007199254740993'), 400],
    ['1e400 in the query', at('/v2/skus?limit=1e400'), 400],
    ['2^63 in the query', at('/preview/v2/events?since=9223372036854775808'), 400],
    ['-2^63 in the query', at('/preview/v2/events?since=-9223372036854775808'), 200],
    ['only separators in the query', at('/v2/skus?&&&&'), 200],
    ['only a question mark', at('/v2/skus?'), 200],
    ['two question marks', at('/v2/skus??limit=1'), 400],
    ['a fragment', at('/v2/skus#x'), [200, 400, 404]],
    ['a semicolon', at('/v2/skus;x=1'), 404],
    ['dots', at('/v2/../v2/skus'), 404],
    ['escaped dots', at('/v2/%2e%2e/v2/skus'), 404],
    ['an escaped slash', at('/v2%2fskus'), 404],
    ['a backslash', at('/v2\\skus'), [400, 404]],
    ['two slashes', at('//v2/skus'), 404],
    ['a trailing slash', at('/v2/skus/'), 404],
    ['another host in the URL', at('http://evil.example/v2/skus'), 200],
    ['scheme and host in capitals, with a port and a query', at('HTTPS://X:443/v2/skus?limit=1'), 200],
    ['a query of a URL that is not valid', at('http://x/v2/skus?limit=0'), 400],
    ['a URL with an IPv6 address', at('http://[::1]:8080/v2/skus'), 200],
    ['a URL without a path', at('http://x'), 200],
    ['a URL without a path, but with a query', at('http://x?limit=1'), 200],
    ['a URL with a user', at('http://user:password@x/v2/skus'), [400, 404]],
    ['a URL with a fragment', at('http://x/v2/skus#x'), [400, 404]],
    ['a URL without a host', at('http:///v2/skus'), [400, 404]],
    ['another protocol in the URL', at('ftp://x/v2/skus'), [400, 404]],
    ['no slash', at('v2/skus'), 400],
    ['an asterisk', at('*'), 404],
    ['files', at('/../../../etc/passwd'), 404],
    ['escaped files', at('/docs/%2e%2e%2f%2e%2e%2fpackage.json'), 404],
  ]
}

function methods(fixtures: RawFixtures): RawSeedRow[] {
  const by = (method: string, path = '/v2/skus') => get(fixtures, `${method} ${path} HTTP/1.1`)
  return [
    ['HEAD', by('HEAD'), 200],
    ['HEAD without a token', 'HEAD /v2/skus HTTP/1.1\r\nHost: x\r\n\r\n', 401],
    ['HEAD of an unknown path', by('HEAD', '/nowhere'), 404],
    ['OPTIONS', by('OPTIONS'), 405],
    ['OPTIONS of everything', by('OPTIONS', '*'), 404],
    ['TRACE', by('TRACE'), 405],
    ['TRACK', by('TRACK'), [400, 405]],
    ['CONNECT', by('CONNECT', 'example.com:443')],
    ...['QUERY', 'PROPFIND', 'SEARCH', 'M-SEARCH', 'PURGE', 'LOCK', 'MKCOL', 'REPORT', 'LINK', 'PUT', 'PATCH'].map(
      (method): RawSeedRow => [method, by(method), 405],
    ),
    ['QUERY of an unknown path', by('QUERY', '/nowhere'), 404],
    ['a known method in lower case', by('get'), 400],
    ['PRI', 'PRI /v2/skus\r\n\r\n', [400, 405]],
    ['PRI of an unknown path', 'PRI *HTTP/2.0\r\n\r\n', [400, 404]],
    ['an unknown method', by('FOO'), 400],
    ['a long method', by('X'.repeat(20_000)), 400],
    ['no method', by(''), 400],
  ]
}

function conversations(fixtures: RawFixtures): RawSeedRow[] {
  const good = get(fixtures)
  const demanding = put(fixtures, 'Expect: 100-continue\r\nContent-Length: 12\r\n', '{"rules":[]}')
  const version = 'GET /version HTTP/1.1\r\nHost: x\r\n\r\n'
  return [
    ['three at once', good + version + good, 200, 200, 200],
    ['fifty at once', good.repeat(50), ...Array.from({ length: 50 }, () => 200)],
    ['garbage after a valid request', `${good}GARBAGE\r\n\r\n`, 200, 400],
    ['half of a request after a valid one', good + version.slice(0, 20), 200, 'end', 400],
    ['a valid request after one without a host', `GET /version HTTP/1.1\r\n\r\n${good}`, 400],
    ['two requests that expect 100-continue', demanding + demanding, 100, 200, 200],
    ['a second request that expects 100-continue', good + demanding, 200, 200],
    ['a request to close, and one after it', get(fixtures, undefined, 'Connection: close\r\n') + version, 200],
    [
      'one hidden in a body',
      get(fixtures, undefined, `Content-Length: ${version.length}\r\n`) + version + good,
      200,
      200,
    ],
    [
      'one hidden behind an end of chunks',
      put(fixtures, 'Transfer-Encoding: chunked\r\n', `0\r\n\r\n${version}`),
      400,
      200,
    ],
    [
      'a body that is too large, and one behind',
      Buffer.from(put(fixtures, 'Content-Length: 140000\r\n', `${' '.repeat(140_000)}${version}`)),
      413,
      [200],
    ],
  ]
}

function texts(fixtures: RawFixtures): RawSeedRow[] {
  const rules = (text: string) => sized(fixtures, `{"rules":${text}}`)
  return [
    ['a valid body', rules('[]'), 200],
    ['a body of zero bytes', sized(fixtures, Buffer.alloc(50)), 400],
    ['a body that is not UTF-8', sized(fixtures, Buffer.from('7b2272756c6573223a5b22ff225d7d', 'hex')), 400],
    ['NUL in a text', rules('"a\\u0000"'), 400],
    ['half of a surrogate pair in a text', rules('"\\ud800"'), 400],
    ['a lone surrogate in bytes', sized(fixtures, Buffer.from('7b2272756c6573223a22eda080227d', 'hex')), 400],
    ['a duplicate member', sized(fixtures, '{"rules":[],"rules":[]}'), 400],
    ['a duplicate member by an escape', sized(fixtures, '{"rules":[],"rule\\u0073":[]}'), 400],
    ['__proto__', sized(fixtures, '{"rules":[],"__proto__":{"rules":[]}}'), 400],
    ['constructor', sized(fixtures, '{"rules":[],"constructor":{"prototype":{}}}'), 400],
    ['2^53 + 1', rules('9007199254740993'), 400],
    ['1e400', rules('1e400'), 400],
    ['-0', rules('[{"protocol":"tcp","port_from":-0,"source_cidr":"0.0.0.0/0"}]'), 400],
    ['a number of 100,000 digits', rules('1'.repeat(100_000)), 400],
    ['33 levels', rules('['.repeat(33) + ']'.repeat(33)), 400],
    ['60,000 levels', rules('['.repeat(60_000) + ']'.repeat(60_000)), 400],
    ['60,000 levels without an end', sized(fixtures, '['.repeat(120_000)), 400],
    ['60,000 members', sized(fixtures, `{${Array.from({ length: 9000 }, (_, n) => `"m${n}":1`).join()}}`), 400],
    ['the wrong types', rules('{"protocol":1}'), 400],
    ['a text instead of an object', sized(fixtures, '"rules"'), 400],
    ['null', sized(fixtures, 'null'), 400],
    ['an empty body', sized(fixtures, ''), 400],
    ['exactly 128 KiB', sized(fixtures, `{"rules":[]${' '.repeat(131_072 - 12)}}`), 200],
    ['a byte more', sized(fixtures, `{"rules":[]${' '.repeat(131_072 - 11)}}`), 413],
  ]
}
