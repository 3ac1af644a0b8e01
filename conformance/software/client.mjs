// The client of one version performs the main operations of each API.
import { Client } from '@botpress/client'
import { env, equal, perform } from './steps.mjs'

const [apiUrl, token, workspaceId, botId] = [
  'API_URL',
  'TOKEN',
  'WORKSPACE_ID',
  'BOT_ID',
].map(env)
const admin = new Client({ apiUrl, token, workspaceId })
const bot = new Client({ apiUrl, token, workspaceId, botId })
const made = {}

await perform({
  'create, update, list and delete bots': async () => {
    const created = await admin.createBot({ name: 'software' })
    await admin.updateBot({ id: created.bot.id, description: 'changed' })
    equal((await admin.getBot({ id: created.bot.id })).bot.name, 'software')
    equal(
      (await admin.listBots({})).bots.some(({ id }) => id === created.bot.id),
      true,
    )
    await admin.deleteBot({ id: created.bot.id })
  },
  'create and list users, conversations and messages': async () => {
    made.user = (await bot.createUser({ tags: {}, name: 'Ann' })).user
    equal((await bot.getUser({ id: made.user.id })).user.name, 'Ann')
    const { conversation } = await bot.createConversation({
      channel: 'channel',
      integrationName: 'chat',
      tags: {},
    })
    made.conversation = conversation
    await bot.createMessage({
      conversationId: conversation.id,
      userId: botId,
      type: 'text',
      payload: { text: 'hello' },
      tags: {},
    })
    const { messages } = await bot.listMessages({ conversationId: conversation.id })
    equal(
      messages.map(({ payload }) => payload.text),
      ['hello'],
    )
  },
  'list with empty query values': async () => {
    const { messages } = await bot.listMessages({
      conversationId: made.conversation.id,
      beforeDate: '',
    })
    equal(messages.length, 1)
  },
  'report an unknown conversation as an API error': async () => {
    const error = await bot
      .getConversation({ id: 'conv_01AAAAAAAAAAAAAAAAAAAAAAAA' })
      .catch((thrown) => thrown)
    equal([error.code, error.type], [404, 'ResourceNotFound'])
  },
  'set and get a state': async () => {
    const name = { type: 'user', id: made.user.id, name: 'mood' }
    await bot.setState({ ...name, payload: { mood: 'well' } })
    equal((await bot.getState(name)).state.payload, { mood: 'well' })
  },
  'create and get an event': async () => {
    const { event } = await bot.createEvent({ type: 'softwareTried', payload: {} })
    equal((await bot.getEvent({ id: event.id })).event.type, 'softwareTried')
  },
  'upload, find and delete a file': async () => {
    const { file } = await bot.uploadFile({ key: 'software.txt', content: 'hello' })
    equal((await (await fetch(file.url)).text()).trim(), 'hello')
    equal(
      (await bot.listFiles({})).files.some(({ id }) => id === file.id),
      true,
    )
    await bot.deleteFile({ id: file.id })
  },
  'create, fill, query and delete a table': async () => {
    const table = 'SoftwareTable'
    await bot.createTable({
      name: table,
      schema: { type: 'object', properties: { word: { type: 'string' } } },
    })
    await bot.createTableRows({ table, rows: [{ word: 'one' }, { word: 'two' }] })
    const { rows } = await bot.findTableRows({ table, filter: { word: 'two' } })
    equal(
      rows.map(({ word }) => word),
      ['two'],
    )
    await bot.deleteTable({ table })
  },
})
