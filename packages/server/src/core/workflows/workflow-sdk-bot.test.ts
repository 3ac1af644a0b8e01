// A hosted bot that was built with the official SDK and its bundler runs workflows: it starts them
// from a message, acknowledges, continues step by step, waits for an event, and handles a timeout.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import { bundledText } from '../../../test/support/sdk-sources.ts'

const source = `
import { Bot } from '@botpress/sdk'
const bot = new Bot({ actions: {}, plugins: {} })
const say = (client, ctx, conversationId, text) =>
  client.createMessage({ conversationId, userId: ctx.botId, type: 'text', tags: {}, payload: { text } })

bot.on.message('*', async ({ client, ctx, message, conversation, user, workflows }) => {
  const [name, argument] = message.payload.text.split(' ')
  if (name === 'nudge') {
    await client.createEvent({ type: 'nudge', payload: { by: 'user' }, workflowId: argument })
    return
  }
  const timeoutAt = new Date(Date.now() + (name === 'slow' ? 400 : 60_000)).toISOString()
  const { workflow } = await workflows[name].startNewInstance({
    input: { limit: Number(argument) },
    conversationId: conversation.id,
    userId: user.id,
    timeoutAt,
    tags: { kind: name },
  })
  await say(client, ctx, conversation.id, [workflow.status, workflow.id].join(' '))
})

bot.on.workflowStart('count', async ({ workflow, client, ctx, conversation, user }) => {
  const { workflow: started } = await workflow.acknowledgeStartOfProcessing()
  await client.setState({ type: 'workflow', id: workflow.id, name: 'count', payload: { at: 0 } })
  await say(client, ctx, conversation.id, [started.status, workflow.name, user.id].join(' '))
})
bot.on.workflowContinue('count', async ({ workflow, client, ctx, conversation }) => {
  const { state } = await client.getState({ type: 'workflow', id: workflow.id, name: 'count' })
  const at = state.payload.at + 1
  await client.setState({ type: 'workflow', id: workflow.id, name: 'count', payload: { at } })
  await say(client, ctx, conversation.id, 'at ' + at)
  if (at >= workflow.input.limit) await workflow.setCompleted({ output: { counted: at } })
  else await workflow.update({ tags: { at: String(at) } })
})

bot.on.workflowStart('wait', async ({ workflow, client }) => {
  await client.updateWorkflow({ id: workflow.id, status: 'listening' })
})
bot.on.event('nudge', async ({ event, client, ctx }) => {
  const { workflow } = await client.getWorkflow({ id: event.workflowId })
  await say(client, ctx, workflow.conversationId, 'nudged by ' + event.payload.by)
})
bot.on.workflowContinue('wait', async ({ workflow, client, ctx, conversation }) => {
  await say(client, ctx, conversation.id, 'woken')
  await workflow.setCompleted()
})

bot.on.workflowStart('slow', async ({ workflow, client }) => {
  await client.updateWorkflow({ id: workflow.id, status: 'listening' })
})
bot.on.workflowTimeout('slow', async ({ workflow, client, ctx, conversation }) => {
  await say(client, ctx, conversation.id, workflow.status)
  await workflow.setFailed({ failureReason: 'too slow' })
})
bot.on.workflowStart('doomed', async () => { throw new Error('no') })
export default bot
export const handler = bot.handler`

let scene: Scene
let headers: Record<string, string>
let userId: string

beforeAll(async () => {
  scene = await openScene({ code: await bundledText(source) })
  ;({ headers, id: userId } = await scene.chatUser())
}, 60_000)
afterAll(() => scene?.close())

async function converse() {
  const chat = `/chat/${scene.webhookId}`
  const { id } = (
    await scene.call('POST', `${chat}/conversations`, { headers, body: {} })
  ).body.conversation
  const answers = async () => {
    const { body } = await scene.call('GET', `${chat}/conversations/${id}/messages`, {
      headers,
    })
    const sent = body.messages.filter(
      (message: { userId: string }) => message.userId !== userId,
    )
    return sent
      .map(({ payload }: { payload: { text: string } }) => payload.text)
      .reverse() as string[]
  }
  return {
    say: (text: string) =>
      scene.call('POST', `${chat}/messages`, {
        headers,
        body: { conversationId: id, payload: { type: 'text', text } },
      }),
    expectAnswers: (expected: unknown[]) =>
      expect.poll(answers, { timeout: 20_000 }).toEqual(expected),
    /** Returns the workflow that the bot started first. */
    workflow: async () => {
      const [name] = (await answers()).filter((text) => text.startsWith('pending '))
      return (
        await scene.call('GET', `/v1/chat/workflows/${name!.split(' ')[1]}`, {
          headers: scene.asBot,
        })
      ).body.workflow
    },
  }
}

test('a workflow is started, acknowledged, continued with its state, and completed', {
  timeout: 40_000,
}, async () => {
  const { say, expectAnswers, workflow } = await converse()
  await say('count 3')
  await expectAnswers([
    expect.stringMatching(/^pending wrkflow_/),
    expect.stringMatching(/^in_progress count user_/),
    'at 1',
    'at 2',
    'at 3',
  ])
  await expect.poll(async () => (await workflow()).status).toBe('completed')
  expect(await workflow()).toMatchObject({
    output: { counted: 3 },
    tags: { kind: 'count', at: '2' },
    input: { limit: 3 },
  })
})

test('a linked event reaches its handler before the workflow continues', {
  timeout: 40_000,
}, async () => {
  const { say, expectAnswers, workflow } = await converse()
  await say('wait 0')
  await expectAnswers([expect.stringMatching(/^pending /)])
  await expect.poll(async () => (await workflow()).status).toBe('listening')
  await say(`nudge ${(await workflow()).id}`)
  await expectAnswers([expect.stringMatching(/^pending /), 'nudged by user', 'woken'])
  await expect.poll(async () => (await workflow()).status).toBe('completed')
})

test('the timeout handler fails a workflow', { timeout: 40_000 }, async () => {
  const { say, expectAnswers, workflow } = await converse()
  await say('slow 0')
  await expectAnswers([expect.stringMatching(/^pending /), 'timedout'])
  await expect.poll(async () => (await workflow()).status).toBe('failed')
  expect((await workflow()).failureReason).toBe('too slow')
})

test('an exception in a handler fails the workflow', { timeout: 40_000 }, async () => {
  const { say, expectAnswers, workflow } = await converse()
  await say('doomed 0')
  await expectAnswers([expect.stringMatching(/^pending /)])
  await expect
    .poll(async () => (await workflow()).status, { timeout: 10_000 })
    .toBe('failed')
  expect((await workflow()).failureReason).toBe('Error: no')
})
