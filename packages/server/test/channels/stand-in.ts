// What the stand-ins of providers have in common: what a person does and sees, in the words of no provider.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

// biome-ignore lint/suspicious/noExplicitAny: JSON of providers; tests read single fields
export type Json = Record<string, any>

/** Of each type in a union, where the stand-in completes these fields. */
export type Given<T, Key extends PropertyKey> = T extends unknown
  ? Omit<T, Key> & Partial<Pick<T, Key & keyof T>>
  : never

/** A message of the bot, as the person sees it. */
export interface Shown {
  text?: string
  /** Labels of buttons; a link has its address. */
  buttons?: { label: string; url?: string }[]
  media?: {
    kind: 'image' | 'audio' | 'voice' | 'video' | 'file'
    url?: string
    bytes?: number
  }
  location?: { latitude: number; longitude: number }
}

export type Failure = 'limited' | 'rejected' | 'unavailable' | 'credentials'

export interface StandIn {
  /** For the installation of the channel. */
  configuration: Record<string, unknown>
  /** Where it takes connections of channels, if that is another port. */
  socketUrl?: string
  /** Tells the stand-in where the channel receives requests. */
  setWebhook?(url: string): void
  say(text: string): Promise<void>
  sendPicture?(bytes: Buffer, caption: string): Promise<void>
  /** Presses a button of the latest message that has it. */
  press?(label: string): Promise<void>
  /** The provider sends the last thing again, as after an answer that it missed. */
  repeat(): Promise<void>
  shown(): Shown[]
  /** How the provider answers the next call that sends something. */
  failNext(failure: Failure): void
  close(): Promise<void>
}

export interface ReceivedCall {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: Buffer
}

export type Answer = {
  status?: number
  headers?: Record<string, string>
  json?: unknown
  body?: Buffer
}

/** Serves HTTP on the loopback until it is closed; a call may wait. */
export async function serve(
  answer: (call: ReceivedCall) => Promise<Answer> | Answer,
): Promise<{ url: string; close: () => Promise<void> }> {
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = 'GET', url: path = '/', headers } = request
    const call = { method, path, headers, body: await buffer(request) }
    const { status = 200, headers: more = {}, json, body } = await answer(call)
    const type = json === undefined ? {} : { 'content-type': 'application/json' }
    response
      .writeHead(status, { ...type, ...more })
      .end(body ?? (json && JSON.stringify(json)))
  }
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Reads the fields and files of a multipart body. */
export async function readForm({
  headers,
  body,
}: ReceivedCall): Promise<Record<string, FormValue>> {
  const type = headers['content-type'] ?? ''
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': type },
  }).formData()
  const read = async ([name, value]: [string, FormDataEntryValue]) =>
    [
      name,
      typeof value === 'string'
        ? value
        : { name: value.name, bytes: (await value.bytes()).length },
    ] as const
  return Object.fromEntries(await Promise.all([...form.entries()].map(read)))
}

export type FormValue = string | { name: string; bytes: number }
