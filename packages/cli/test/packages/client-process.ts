/** Sends one request over TLS to an address, and prints the response. The first argument is the request as JSON. */
import { request } from 'node:https'
import type { NetworkRequest, NetworkResponse } from './machines.ts'

const given = JSON.parse(process.argv[2] ?? '') as NetworkRequest
const { address, name, port, ca, method = 'GET', path, headers = {}, body } = given

const response = await new Promise<NetworkResponse>((resolve, reject) => {
  const sent = request(
    {
      host: address,
      servername: name,
      port,
      ...(ca === undefined ? {} : { ca }),
      method,
      path,
      headers: { host: `${name}:${port}`, connection: 'close', ...headers },
    },
    (answered) => {
      const parts: Buffer[] = []
      answered.on('data', (part) => parts.push(part))
      answered.on('error', reject)
      answered.on('end', () => {
        const text = Buffer.concat(parts).toString()
        resolve({
          status: answered.statusCode ?? 0,
          headers: answered.headers as NetworkResponse['headers'],
          body: text,
        })
      })
    },
  )
  sent.on('error', reject)
  sent.end(body)
})
console.log(JSON.stringify(response))
