// An HTTP proxy that injects failures: rejected requests, errors, and connections that break before
// or within the response, also after the server has done its work.
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
  request as send,
} from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FailingProxy {
  url: string
  /** How often each failure was injected. */
  failures: Record<'limited' | 'failed' | 'refused' | 'lost' | 'cut', number>
  /** Requests that reached the server. */
  passed: () => number
  close(): Promise<void>
}

const kinds = ['limited', 'failed', 'refused', 'lost', 'cut'] as const

interface Failing {
  /** Of the requests that fail, from 0 to 1. The kinds of failures take turns. */
  share: number
  random: () => number
  /** Returns the body of the response for paths that the server must not see. */
  answer?: (path: string) => string | undefined
}

export async function openFailingProxy(
  target: string,
  { share, random, answer }: Failing,
): Promise<FailingProxy> {
  const failures = { limited: 0, failed: 0, refused: 0, lost: 0, cut: 0 }
  let [passed, injected] = [0, 0]
  const server = createServer((request, response) => {
    const kind = random() < share ? kinds[injected++ % kinds.length]! : null
    if (kind) failures[kind]++
    if (kind === 'limited')
      return void response.writeHead(429, { 'retry-after': '0' }).end('{}')
    if (kind === 'failed') return void response.writeHead(500).end('<h1>Error</h1>')
    if (kind === 'refused') return void request.socket.destroy()
    const body = answer?.(request.url!)
    if (body !== undefined) return void response.writeHead(200).end(body)
    passed++
    forward(target, request, response, kind)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    failures,
    passed: () => passed,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function forward(
  target: string,
  request: IncomingMessage,
  response: ServerResponse,
  kind: 'lost' | 'cut' | null,
) {
  const { method, headers, url } = request
  const onward = send(target + url, { method, headers }, (answer) => {
    if (kind === 'lost') {
      answer.resume()
      return void answer.on('end', () => request.socket.destroy())
    }
    response.writeHead(answer.statusCode!, answer.headers)
    if (kind === null) return void answer.pipe(response)
    answer.once('data', (part: Buffer) => {
      response.write(part.subarray(0, part.length >> 1), () => request.socket.destroy())
      answer.destroy()
    })
    answer.once('end', () => request.socket.destroy())
  })
  onward.on('error', () => request.socket.destroy())
  request.pipe(onward)
}
