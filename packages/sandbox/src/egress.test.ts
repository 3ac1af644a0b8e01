// Outgoing connections of a process without a network: every client connects through the server's
// socket, with the same results as outside.
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isIsolated } from '../../server/test/support/tiers.ts'
import { createEgress, type Egress } from './egress.ts'
import { createSandbox } from './runner/pool.ts'
import type { Sandbox } from './sandbox.ts'

const getPort = (server: Server) => (server.address() as AddressInfo).port
const listening = (server: Server) =>
  new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

let api: HttpServer
let connections = 0
let echo: Server
let secure: Server
let sandbox: Sandbox
let egress: Egress
const shared = Buffer.from('a secret that both ends know')

beforeAll(async () => {
  api = createHttpServer((request, response) => request.pipe(response)).on(
    'connection',
    () => {
      connections += 1
    },
  )
  echo = createServer({ allowHalfOpen: true }, (socket) =>
    socket.on('error', () => {}).pipe(socket),
  )
  secure = createTlsServer(
    { pskCallback: () => shared, ciphers: 'PSK', maxVersion: 'TLSv1.2' },
    (socket) => socket.on('error', () => {}).pipe(socket),
  )
  await Promise.all([api, echo, secure].map(listening))
  const options = {
    apiUrls: () => [`http://127.0.0.1:${getPort(api)}`],
    serve: (socket: object) => api.emit('connection', socket),
    reach: (address: string) => address === '127.0.0.1',
  }
  sandbox = await createSandbox({ onLog: () => {}, egress: options })
  egress = createEgress(options)
})
afterAll(async () => {
  await sandbox.close(0)
  egress.close()
  api.closeAllConnections()
  for (const server of [api, echo, secure]) server.close()
})

/** Runs the body of an async function as hosted code, and returns its result. */
async function hosted(code: string): Promise<unknown> {
  const text = `const net = require('net'), tls = require('tls'), http = require('http')
    const psk = { pskCallback: () => ({ psk: Buffer.from(${JSON.stringify(shared.toString())}), identity: 'code' }), ciphers: 'PSK', maxVersion: 'TLSv1.2', checkServerIdentity: () => undefined }
    const said = (socket, text) => new Promise((yes, no) => { let all = ''; socket.on('data', (chunk) => { all += chunk }).on('end', () => yes(all)).on('error', no).end(text) })
    exports.handler = async () => ({ body: JSON.stringify(await (async () => { ${code} })()) ?? 'null' })`
  const unit = {
    key: code,
    version: '1',
    load: async () => Buffer.from(text),
    environment: async () => ({ BP_API_URL: `http://127.0.0.1:${getPort(api)}` }),
    memoryMb: 128,
  }
  const { body } = await sandbox.invoke(
    unit,
    { method: 'POST', path: '/', query: '', headers: {} },
    { timeoutMs: 20_000, cause: null },
  )
  return JSON.parse(body)
}

test('supports TLS with every way to begin it', async () => {
  const place = `${getPort(secure)}, '127.0.0.1'`
  expect(await hosted(`return said(tls.connect(${place}, psk), 'a')`)).toBe('a')
  expect(
    await hosted(
      `return said(tls.connect({ port: ${getPort(secure)}, host: '127.0.0.1', ...psk }, () => {}), 'b')`,
    ),
  ).toBe('b')
  expect(
    await hosted(
      `const { connect } = await import('node:tls'); return said(connect(${place}, psk), 'c')`,
    ),
  ).toBe('c')
  const begun = `const plain = net.connect(${place}); await new Promise((yes) => plain.on('connect', yes)); return said(tls.connect({ socket: plain, ...psk }), 'd')`
  expect(await hosted(begun)).toBe('d')
  expect(
    await hosted(
      `return new Promise((yes) => tls.connect(${getPort(echo)}, '127.0.0.1').on('error', ({ code }) => yes(code)).on('secureConnect', () => yes('secure')))`,
    ),
  ).not.toBe('secure')
})

test('transfers large data both ways, in order and half-closed, also when written early', async () => {
  const whole = `const text = Array.from({ length: 200_000 }, (_, i) => i).join(); return (await said(net.connect(${getPort(echo)}, '127.0.0.1'), text)) === text`
  expect(await hosted(whole)).toBe(true)
  expect(
    await hosted(
      `const socket = new net.Socket(); socket.connect({ port: ${getPort(echo)}, host: '127.0.0.1' }); socket.write('first '); return said(socket, 'second')`,
    ),
  ).toBe('first second')
  expect(
    await hosted(
      `const large = 'x'.repeat(3e6); const reply = await fetch(process.env.BP_API_URL, { method: 'POST', body: large }); return (await reply.text()) === large`,
    ),
  ).toBe(true)
})

test('supports HTTP/2 and upgraded connections', async () => {
  const two = createHttp2Server().on('stream', (stream) => stream.pipe(stream))
  const upgraded = createHttpServer().on(
    'upgrade',
    (_request, socket) =>
      socket.write(
        'HTTP/1.1 101 Go on\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n',
      ) && socket.pipe(socket),
  )
  await Promise.all([two, upgraded].map((server) => listening(server as Server)))
  const spoken = `const session = require('http2').connect('http://127.0.0.1:${getPort(two as unknown as Server)}'); const text = await said(session.request({ ':method': 'POST' }), 'two'); session.close(); return text`
  expect(await hosted(spoken)).toBe('two')
  const asked = `const headers = { connection: 'upgrade', upgrade: 'echo' }
    const socket = await new Promise((yes, no) => http.request({ host: '127.0.0.1', port: ${getPort(upgraded)}, headers }).on('upgrade', (_reply, one) => yes(one)).on('error', no).end())
    return said(socket, 'up')`
  expect(await hosted(asked)).toBe('up')
  for (const server of [two, upgraded]) server.close()
})

test('reuses connections to our API', async () => {
  const before = connections
  await hosted(`for (let i = 0; i < 10; i++) await (await fetch(process.env.BP_API_URL, { method: 'POST', body: 'x' })).text()
    const agent = new http.Agent({ keepAlive: true })
    for (let i = 0; i < 10; i++) await new Promise((yes) => http.get(process.env.BP_API_URL, { agent }, (reply) => reply.resume().on('end', () => setImmediate(yes))))`)
  // Clients open a second connection when the first is not free yet.
  expect(connections - before).toBeLessThan(10)
})

test('returns the same connection errors as outside', async () => {
  const failing = (host: string, port: number) =>
    hosted(
      `return new Promise((yes) => net.connect(${port}, '${host}').on('connect', () => yes('connected')).on('error', ({ code, syscall }) => yes([code, syscall])))`,
    )
  expect(await failing('127.0.0.1', 9)).toEqual(['ECONNREFUSED', 'connect'])
  if (isIsolated)
    expect(await failing('127.0.0.2', getPort(echo))).toEqual(['EACCES', 'connect'])
  const mute = createServer((socket) => socket.destroy())
  await listening(mute)
  expect(
    await hosted(
      `return said(net.connect(${getPort(mute)}, '127.0.0.1'), 'hello').catch(({ code }) => code)`,
    ),
  ).toMatch(/^$|ECONNRESET|EPIPE/)
  mute.close()
})

test.each([
  ['nonsense', 'GET / HTTP/1.1\r\n\r\n'],
  ['too much', 'x'.repeat(5_000)],
  ['no port', '{"host":"127.0.0.1"}\n'],
  ['an invalid host name', '{"host":"a b\\u0000","port":80}\n'],
  ['an invalid port', '{"host":"127.0.0.1","port":65536}\n'],
  ['null', 'null\n'],
])('closes a connection that requests %s', async (_what, request) => {
  const egressSocket = egress.open(null)
  const heard = await new Promise<string>((resolve) => {
    let all = ''
    connect(egressSocket.path)
      .on('data', (chunk) => {
        all += chunk
      })
      .on('error', () => {})
      .on('close', () => resolve(all))
      .write(request)
  })
  expect(heard).toBe('')
  egressSocket.close()
})

test('removes sockets of killed servers at the next start, but not those in use', () => {
  const [left, used] = [2 ** 22 + 1, process.pid].map((pid) =>
    join(tmpdir(), `botstead-egress-${pid}-test`),
  )
  for (const folder of [left!, used!]) mkdirSync(folder, { recursive: true })
  createEgress({ apiUrls: () => [], serve: () => {}, reach: () => false }).close()
  expect([left!, used!].map((folder) => existsSync(folder))).toEqual([false, true])
  rmSync(used!, { recursive: true })
})
