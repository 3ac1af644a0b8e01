// A chat with events that store any payload, to test which values the server keeps and which it
// rejects.
import { expect } from 'vitest'
import { expectTyped } from './raw-http.ts'
import { openScene } from './scene.ts'

export async function openStoredPayloads() {
  const scene = await openScene()
  const user = await scene.chatUser()
  const chat = (path: string) => `/chat/${scene.webhookId}${path}`
  /** Posts to the Chat API. The body is text, so that it is sent unchanged. */
  const post = (path: string, body: string | Buffer) =>
    scene.call('POST', chat(path), {
      headers: { ...user.headers, 'content-type': 'application/json' },
      body,
    })
  const conversationId: string = (await post('/conversations', '{}')).body.conversation.id
  const toEvent = (payload: string) =>
    `{"conversationId":"${conversationId}","payload":${payload}}`
  const keep = async (payload: string) => {
    const { status, body } = await post('/events', toEvent(payload))
    if (status !== 201) return { status, body }
    const { body: read } = await scene.call('GET', chat(`/events/${body.event.id}`), {
      headers: user.headers,
    })
    return { status, body: read.event.payload }
  }
  const expectKept = async (payload: string, value: unknown = JSON.parse(payload)) =>
    expect(await keep(payload)).toEqual({ status: 201, body: value })
  async function expectNotKept(payload: string, path: string) {
    const { status, body } = await keep(payload)
    expectTyped(400, body, 'InvalidPayload')
    expect([status, body.message]).toEqual([400, expect.stringContaining(path)])
  }
  return {
    scene,
    user,
    conversationId,
    chat,
    post,
    toEvent,
    keep,
    expectKept,
    expectNotKept,
  }
}
