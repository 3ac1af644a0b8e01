// A real server as a hostile source.
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { openPacedFetch } from './paced-fetch.ts'

let server: Server
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const open = (rate = 1_000) => openPacedFetch({ rate, onPause: () => {} })

test('waits as long as Retry-After demands, and repeats errors and broken responses', async () => {
  const times: number[] = []
  const url = await serve((_request, response) => {
    times.push(Date.now())
    if (times.length === 1)
      return void response.writeHead(429, { 'retry-after': '1' }).end()
    if (times.length === 2) return void response.writeHead(503).end()
    response.writeHead(200, { 'content-length': '4' })
    if (times.length > 3) return void response.end('true')
    response.write('tr', () => response.destroy())
  })
  const response = await open()(url)
  expect(await response.json()).toBe(true)
  expect(times).toHaveLength(4)
  expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(990)
})

test('limits the rate', async () => {
  const url = await serve((_request, response) => void response.end('1'))
  const paced = open(20)
  const started = Date.now()
  await Promise.all(Array.from({ length: 11 }, () => paced(url)))
  expect(Date.now() - started).toBeGreaterThanOrEqual(490)
})

test('follows no redirect, and does not repeat the request', async () => {
  let count = 0
  const url = await serve((_request, response) => {
    count++
    response.writeHead(302, { location: '/secret' }).end()
  })
  await expect(open()(`${url}/page`)).rejects.toThrow('redirects')
  expect(count).toBe(1)
})

test('ends at an endless response', async () => {
  const url = await serve((_request, response) => {
    const part = Buffer.alloc(1_048_576)
    const write = () => void response.write(part, (error) => !error && write())
    write()
  })
  await expect(open()(url)).rejects.toThrow('exceeds')
})

test('returns rejections at once', async () => {
  let count = 0
  const url = await serve((_request, response) => {
    count++
    response.writeHead(401).end('{}')
  })
  expect((await open()(url)).status).toBe(401)
  expect(count).toBe(1)
})
