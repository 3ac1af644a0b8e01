// An agent on the runtime is bundled and deployed with the definition that the runtime's own build
// would make of it. Then it is talked to.

import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ask, bundle, explained } from './deploy.mjs'
import { configureModel, model } from './model.mjs'
import { env, equal, perform, until } from './steps.mjs'

const agent = {}

async function load(source) {
  const file = join(env('FOLDER'), `${source}.cjs`)
  writeFileSync(file, await bundle(source))
  return createRequire(file)(file)
}
const headers = () => ({ 'x-bot-id': agent.bot.id })

async function startChat() {
  const { webhookId } = Object.values(agent.bot.integrations).find(
    ({ name }) => name === 'chat',
  )
  const path = `/chat/${webhookId}`
  const key = { 'x-user-key': (await ask('POST', `${path}/users`, {})).key }
  const { id } = (await ask('POST', `${path}/conversations`, {}, key)).conversation
  return { path, key, id }
}

/** Sends the text and waits for a message that is the answer. */
async function expectAnswer(text, answer, ms = 20_000) {
  const { path, key, id } = agent.chat
  const known = new Set((await listTexts()).map(({ id }) => id))
  await ask(
    'POST',
    `${path}/messages`,
    { conversationId: id, payload: { type: 'text', text } },
    key,
  )
  const found = until(async () => {
    const texts = (await listTexts())
      .filter((one) => !known.has(one.id))
      .map(({ payload }) => payload.text)
    const error = texts.find((one) => one.startsWith('error: '))
    if (error) throw new Error(error.slice('error: '.length))
    return texts.includes(answer)
  }, ms)
  await explained(agent.bot.id, found)
}

async function listTexts() {
  const { path, key, id } = agent.chat
  return (await ask('GET', `${path}/conversations/${id}/messages`, undefined, key))
    .messages
}

async function expectNote(by) {
  const path = `/v1/chat/states/bot/${agent.bot.id}/dsData`
  const noted = until(async () => {
    const found = await ask('GET', path, undefined, headers()).catch(() => null)
    return found?.state.payload.by === by
  })
  await explained(agent.bot.id, noted)
}

await perform({
  'deploy an agent with its definition': async () => {
    const code = await bundle('runtime-bot.js')
    const { definition, tables } = await load('runtime-definition.mjs')
    agent.bot = (
      await ask('POST', '/v1/admin/bots', { name: 'agent', code, ...definition })
    ).bot
    const { deployment } = await ask(
      'GET',
      `/v1/platform/bots/${agent.bot.id}/deployment`,
    )
    equal(deployment.loadError, undefined)
    for (const table of tables) await ask('POST', '/v1/tables', table, headers())
    agent.chat = await startChat()
  },
  'answer a message': () => expectAnswer('hello', 'production: hello'),
  'keep states of the conversation, the user and the bot': async () => {
    await expectAnswer('count', '1 1 1')
    await expectAnswer('count', '2 2 2')
  },
  'keep a transcript': () => expectAnswer('transcript', '7 messages'),
  'tag the conversation': async () => {
    const { conversation } = await ask(
      'GET',
      `/v1/chat/conversations/${agent.chat.id}`,
      undefined,
      headers(),
    )
    equal(conversation.tags.topic, 'counting')
  },
  'run an action of the agent': async () => {
    await expectAnswer('shout', 'HEY!')
    const call = { type: 'shout', input: { text: 'you' } }
    equal((await ask('POST', '/v1/chat/actions', call, headers())).output, {
      text: 'YOU!',
    })
  },
  'write and read a table with a computed column': () => expectAnswer('table', 'three 5'),
  'run a workflow that sleeps and reports its end': () =>
    expectAnswer('double', 'completed {"number":8}', 40_000),
  'answer the question of a workflow': () =>
    expectAnswer('survey', 'completed {"color":"blue"}', 40_000),
  'run a trigger on an event': async () => {
    await ask(
      'POST',
      '/v1/chat/events',
      { type: 'orderPlaced', payload: { item: 'tea' } },
      headers(),
    )
    await expectNote('tea')
  },
  'run a scheduled workflow': async () => {
    const event = { type: 'workflowSchedule', payload: { workflow: 'nightly' } }
    await ask('POST', '/v1/chat/events', event, headers())
    await expectNote('nightly')
  },
  'ask a language model': async () => {
    await configureModel(env('API_URL'), env('TOKEN'))
    model.answer = '■fn_start\nreturn { action: "listen" }\n■fn_end'
    await expectAnswer('think', 'thought', 50_000)
  },
})
