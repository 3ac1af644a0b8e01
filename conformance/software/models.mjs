// Packages that call language models: `@botpress/cognitive`, `@botpress/zai` and `llmz`. A provider of
// the workspace, in this process, answers as a model would.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Client } from '@botpress/client'
import * as cognitiveModule from '@botpress/cognitive'
import { configureModel, model } from './model.mjs'
import { env, equal, perform } from './steps.mjs'

const [apiUrl, token, botId] = [env('API_URL'), env('TOKEN'), env('BOT_ID')]
const require = createRequire(import.meta.url)

/** Returns null if the package is not installed. Node cannot load all of them without a bundle. */
async function load(name) {
  if (!existsSync(new URL(`node_modules/${name}`, import.meta.url))) return null
  const outfile = fileURLToPath(
    new URL(`${name.replace('/', '-')}.bundle.cjs`, import.meta.url),
  )
  const contents = `export * from '${name}'`
  await require(env('ESBUILD')).build({
    stdin: { contents, resolveDir: process.cwd() },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
  })
  return require(outfile)
}

const [zaiModule, llmz] = [await load('@botpress/zai'), await load('llmz')]

const Direct = cognitiveModule.CognitiveBeta ?? cognitiveModule.Cognitive
const direct = new Direct({ apiUrl, token, botId })
const client = new Client({ apiUrl, token, botId })
const cognitive = new cognitiveModule.Cognitive({ client, __experimental_beta: true })
/**
 * llmz 1 needs the client of cognitive 1, which npm may not have: that of 0.5 has the same calls,
 * but not the same marks.
 */
const llmzClient =
  cognitive.generateText || env('VERSION').startsWith('0.') ? cognitive : direct
if (llmzClient === direct)
  Object.assign(direct, {
    $$IS_COGNITIVE: true,
    getModelDetails: async () => (await direct.listModels())[0],
  })
const messages = [{ role: 'user', content: 'Hi' }]

const steps = {
  'configure a provider': () => configureModel(apiUrl, token),
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
    model.answer = '■fn_start\nreturn { action: "done", result: "Good day" }\n■fn_end'
    const exit = new llmz.Exit({ name: 'done', description: 'When it is done' })
    const result = await llmz.execute({
      client: llmzClient,
      instructions: 'Greet',
      exits: [exit],
    })
    equal(result.status, 'success')
  }

await perform(steps)
