// Packages that call language models: `@botpress/cognitive`, `@botpress/zai` and `llmz`. A provider of
// the workspace, in this process, answers as a model would.
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Client } from '@botpress/client'
import * as cognitiveModule from '@botpress/cognitive'
import { env, equal, perform } from './steps.mjs'

const [apiUrl, token, botId] = [env('API_URL'), env('TOKEN'), env('BOT_ID')]
const require = createRequire(import.meta.url)

/** Returns null if the package is not installed. Node cannot load all of them without a bundle. */
async function load(name) {
  if (!existsSync(new URL(`node_modules/${name}`, import.meta.url))) return null
  const outfile = fileURLToPath(new URL(`${name.replace('/', '-')}.bundle.cjs`, import.meta.url))
  const contents = `export * from '${name}'`
  await require(env('ESBUILD')).build({
    ...{ stdin: { contents, resolveDir: process.cwd() }, outfile, bundle: true },
    ...{ platform: 'node', format: 'cjs', logLevel: 'error' },
  })
  return require(outfile)
}

const [zaiModule, llmz] = [await load('@botpress/zai'), await load('llmz')]

let answer = 'Good day'
const provider = createServer(async (request, response) => {
  let text = ''
  for await (const part of request) text += part
  const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 }
  const about = { id: 'c', created: 1, model: 'small' }
  const { stream, tools = [] } = JSON.parse(text)
  const tool = tools.find(({ function: { name } }) => name === 'run_javascript')
  if (!stream) {
    const message = { role: 'assistant', content: answer }
    const choices = [{ index: 0, message, finish_reason: 'stop' }]
    response.setHeader('content-type', 'application/json')
    return response.end(JSON.stringify({ ...about, object: 'chat.completion', choices, usage }))
  }
  response.setHeader('content-type', 'text/event-stream')
  const chunk = (delta, finish_reason = null, more = {}) => {
    const choices = [{ index: 0, delta, finish_reason }]
    const value = { ...about, object: 'chat.completion.chunk', choices, ...more }
    response.write(`data: ${JSON.stringify(value)}\n\n`)
  }
  if (tool) {
    chunk({ tool_calls: [callOf(tool.function)] })
    chunk({}, 'tool_calls', { usage })
    return response.end('data: [DONE]\n\n')
  }
  for (const content of answer.split(/(?<= )/)) chunk({ content })
  chunk({}, 'stop', { usage })
  response.end('data: [DONE]\n\n')
})
/** The call by which agents of llmz 1 act. */
function callOf({ name, parameters: { properties } }) {
  const script = 'return exit("done")'
  const input = Object.fromEntries(Object.keys(properties).map((one) => [one, script]))
  const call = { name, arguments: JSON.stringify(input) }
  return { index: 0, id: 'call_1', type: 'function', function: call }
}

await new Promise((resolve) => provider.listen(0, '127.0.0.1', resolve))

const Direct = cognitiveModule.CognitiveBeta ?? cognitiveModule.Cognitive
const direct = new Direct({ apiUrl, token, botId })
const client = new Client({ apiUrl, token, botId })
const cognitive = new cognitiveModule.Cognitive({ client, __experimental_beta: true })
/**
 * llmz 1 needs the client of cognitive 1, which npm may not have: that of 0.5 has the same calls,
 * but not the same marks.
 */
const llmzClient = cognitive.generateText || env('VERSION').startsWith('0.') ? cognitive : direct
if (llmzClient === direct)
  Object.assign(direct, {
    $$IS_COGNITIVE: true,
    getModelDetails: async () => (await direct.listModels())[0],
  })
const messages = [{ role: 'user', content: 'Hi' }]

const steps = {
  'configure a provider': async () => {
    const response = await fetch(`${apiUrl}/v1/platform/model-providers/own`, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${token}`,
        'x-workspace-id': env('WORKSPACE_ID'),
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        type: 'openai-compatible',
        url: `http://127.0.0.1:${provider.address().port}/v1`,
        models: { small: {} },
      }),
    })
    equal(response.status, 200)
  },
  'list models': async () => {
    equal(
      (await direct.listModels()).map(({ id }) => id),
      ['own:small'],
    )
  },
  'generate text': async () => {
    const { output, metadata } = await direct.generateText({ messages, model: 'best' })
    equal([output, metadata.model], ['Good day', 'own:small'])
  },
  'stream text': async () => {
    let text = ''
    let last
    for await (const chunk of direct.generateTextStream({ messages })) {
      text += chunk.output ?? ''
      last = chunk
    }
    equal([text, last.finished], ['Good day', true])
  },
}

if (cognitive.generateContent)
  steps['generate content'] = async () => {
    const { output } = await cognitive.generateContent({ messages, model: 'fast' })
    equal(output.choices[0].content, 'Good day')
  }

if (zaiModule)
  steps['generate text with zai'] = async () => {
    const zai = new zaiModule.Zai({ client: cognitive, modelId: 'best' })
    equal(await zai.text('Say good day'), 'Good day')
  }

if (llmz)
  steps['run an agent with llmz'] = async () => {
    answer = '■fn_start\nreturn { action: "done", result: "Good day" }\n■fn_end'
    const exit = new llmz.Exit({ name: 'done', description: 'When it is done' })
    const result = await llmz.execute({ client: llmzClient, instructions: 'Greet', exits: [exit] })
    equal(result.status, 'success')
  }

await perform(steps)
