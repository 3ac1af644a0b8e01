// A bot as its author writes one with the official SDK. What it finds out it says in the
// conversation, as JSON, or in its log.
import { Bot, RuntimeError } from '@botpress/sdk'
import { acts, type Turn } from './acts.ts'
import { recordCalls } from './noted-client.ts'

const bot = new Bot({
  async register({ client, ctx, logger }) {
    await recordCalls(client).setState({
      type: 'bot',
      id: ctx.botId,
      name: 'settings',
      payload: { registeredAs: ctx.operation },
    })
    logger.info('registered')
  },
  actions: {
    add: async ({ input }: { input: { a: number; b: number } }) => ({
      sum: input.a + input.b,
    }),
    refuse: async () => {
      throw new RuntimeError('I would rather not')
    },
  },
  plugins: {},
})
export default bot
export const handler = bot.handler

type Speaker = Pick<Turn, 'client' | 'ctx'>
const say = (
  { client, ctx }: Speaker,
  conversationId: string,
  act: string,
  result: unknown,
) =>
  recordCalls(client).createMessage({
    conversationId,
    userId: ctx.botId,
    type: 'text',
    tags: {},
    payload: { text: JSON.stringify({ act, result }) },
  })

/** In the order of the calls, until they are reported. */
const hooks: string[] = []
bot.on.beforeIncomingMessage('*', async () => void hooks.push('before incoming message'))
bot.on.afterIncomingMessage('*', async () => void hooks.push('after incoming message'))
bot.on.beforeOutgoingMessage('*', async ({ data }) => ({
  data: { ...data, tags: { ...data.tags, mood: data.tags.mood ?? 'hooked' } },
}))
bot.on.beforeIncomingEvent('reminder', async ({ data }) => ({
  data: { ...data, payload: { about: `${data.payload.about}!` } },
}))
bot.on.beforeOutgoingCallAction(
  '*',
  async ({ data }) => void hooks.push(`before outgoing ${data.type}`),
)
bot.on.afterOutgoingCallAction('*', async () => void hooks.push('after outgoing action'))
bot.on.beforeIncomingCallAction(
  '*',
  async () => void hooks.push('before incoming action'),
)
bot.on.afterIncomingCallAction('*', async () => void hooks.push('after incoming action'))

bot.on.message('text', async (turn) => {
  const word = String(turn.message.payload.text).split(' ')[0]!
  const act = word === 'hooks' ? async () => hooks.splice(0) : acts[word]
  if (!act) throw new RuntimeError(`Nobody knows "${word}"`)
  await say(
    turn,
    turn.conversation.id,
    word,
    await act({ ...turn, client: recordCalls(turn.client) }),
  )
})

bot.on.event('reminder', async ({ event, ...turn }) => {
  if (event.conversationId)
    await say(turn, event.conversationId, 'reminder', event.payload.about)
})
bot.on.event('tick', async ({ event, logger }) =>
  logger.info(`ticked every ${event.payload.every}`),
)

bot.on.stateExpired('fleeting', async ({ state, ...turn }) => {
  await say(turn, state.conversationId!, 'stateExpired', [state.name, state.payload])
})

/**
 * `soup` is served after a reminder; `poison` is refused, `air` given up by the guest,
 * and for `nothing` one waits until the time is up.
 */
bot.on.workflowStart('order', async ({ workflow, client, ...turn }) => {
  const { dish } = workflow.input as { dish: string }
  const begun = await workflow.acknowledgeStartOfProcessing()
  await say({ client, ...turn }, workflow.conversationId!, 'workflowStart', [
    dish,
    begun.workflow.status,
  ])
  if (dish === 'poison')
    return void (await workflow.setFailed({ failureReason: 'We do not serve that' }))
  if (dish === 'air') return void (await workflow.cancel())
  await workflow.update({ tags: { stage: 'cooking' } })
  await recordCalls(client).updateWorkflow({ id: workflow.id, status: 'listening' })
  if (dish === 'soup')
    await client.createEvent({
      type: 'reminder',
      payload: { about: dish },
      workflowId: workflow.id,
      schedule: { delay: 100 },
    })
})
bot.on.workflowContinue('order', async ({ workflow, workflows, ...turn }) => {
  const { dish } = workflow.input as { dish: string }
  const listed = await workflows
    .order!.listInstances({ tags: { stage: 'cooking' } })
    .takeAll()
  const { workflow: ended } = await workflow.setCompleted({ output: { served: dish } })
  const { status, output, tags } = ended
  await say(turn, workflow.conversationId!, 'workflowContinue', {
    status,
    output,
    tags,
    listed: listed.some(({ id }) => id === workflow.id),
  })
})
bot.on.workflowTimeout('order', async ({ workflow, conversation, user, ...turn }) => {
  const { status } = workflow
  const linked =
    conversation?.id === workflow.conversationId && user?.id === workflow.userId
  await workflow.setFailed({ failureReason: 'Nothing came' })
  await say(turn, workflow.conversationId!, 'workflowTimeout', [status, linked])
})
