// What the author of an agent writes: a conversation, workflows, a trigger, an action and a table.
// Only the text "think" needs a language model.
import {
  Action,
  actions,
  adk,
  bot,
  Conversation,
  client,
  defineConfig,
  Table,
  Trigger,
  user,
  Workflow,
  z,
} from '@botpress/runtime'

const counted = z.object({ messages: z.number().default(0) })

export const config = defineConfig({
  name: 'agent',
  bot: { state: counted },
  user: { state: counted },
  conversation: { tags: { topic: { title: 'Topic' } } },
  events: { orderPlaced: { schema: z.object({ item: z.string() }) } },
})

const shout = new Action({
  name: 'shout',
  input: z.object({ text: z.string() }),
  output: z.object({ text: z.string() }),
  handler: async ({ input }) => ({ text: `${input.text.toUpperCase()}!` }),
})

const double = new Workflow({
  name: 'double',
  input: z.object({ number: z.number() }),
  output: z.object({ number: z.number() }),
  handler: async ({ input, step }) => {
    const number = await step('double', () => input.number * 2)
    await step.sleep('wait', 10_000)
    return { number }
  },
})

const survey = new Workflow({
  name: 'survey',
  output: z.object({ color: z.string() }),
  requests: { color: z.object({ color: z.string() }) },
  handler: ({ step }) => step.request('color', 'Which color do you like?'),
})

const nightly = new Workflow({
  name: 'nightly',
  schedule: '0 3 * * *',
  handler: async ({ step }) => {
    await step('note', () => client.setState(noted('nightly')))
    return {}
  },
})

const noted = (by) => ({ type: 'bot', id: bot.id, name: 'dsData', payload: { by } })

const orders = new Trigger({
  name: 'orders',
  events: ['orderPlaced'],
  handler: async ({ event }) => void (await client.setState(noted(event.payload.item))),
})

const words = new Table({
  name: 'WordsTable',
  columns: {
    word: z.string(),
    length: {
      computed: true,
      schema: z.number(),
      dependencies: ['word'],
      value: async (row) => row.word.length,
    },
  },
})

const answers = {
  count: async ({ state, conversation }) => {
    conversation.tags.topic = 'counting'
    state.messages = (state.messages ?? 0) + 1
    bot.state.messages += 1
    user.state.messages += 1
    return `${state.messages} ${user.state.messages} ${bot.state.messages}`
  },
  transcript: async ({ chat }) => `${(await chat.getTranscript()).length} messages`,
  shout: async () => (await actions.shout({ text: 'hey' })).text,
  double: async () => {
    await double.start({ number: 4 })
    return 'started'
  },
  survey: async () => {
    await survey.getOrCreate({ key: 'one', input: {} })
    return 'asking'
  },
  table: async () => {
    await words.createRows({
      rows: [{ word: 'one' }, { word: 'three' }],
      waitComputed: true,
    })
    const { rows } = await words.findRows({ filter: { word: 'three' } })
    return rows.map(({ word, length }) => `${word} ${length}`).join()
  },
  think: async ({ execute }) => {
    const { status, iterations } = await execute({
      instructions: 'Say hello.',
      iterations: 1,
      model: 'auto',
    })
    if (status === 'error') throw new Error(iterations.at(-1).error)
    return 'thought'
  },
}

async function answer(props) {
  const { type, event, request, message, conversation } = props
  const say = (text) => conversation.send({ type: 'text', payload: { text } })
  if (type === 'workflow_request')
    await request.workflow.provide('color', { color: 'blue' })
  else if (type === 'event')
    await say(`${event.payload.status} ${JSON.stringify(event.payload.output)}`)
  else if (answers[message.payload.text])
    await say(await answers[message.payload.text](props))
  else await say(`${adk.environment.type}: ${message.payload.text}`)
}

const conversation = new Conversation({
  channel: '*',
  state: z.object({ messages: z.number().default(0) }),
  handler: (props) =>
    answer(props).catch((error) =>
      props.conversation.send({
        type: 'text',
        payload: { text: `error: ${error.message}` },
      }),
    ),
})

export const primitives = [conversation, double, survey, nightly, orders, shout, words]
