// Runs the conversation scripts of the examples and of the documentation, as `botstead test` does.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { checkDocument, type FlowDocument } from '@botstead/flows'
import { compileScripts, parseScripts, runScript } from '@botstead/flows/testing'
import { expect, test } from 'vitest'
import { readDocument, toFlows } from '../../packages/cli/src/documents/bot-document.ts'

const place = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const read = (path: string) => readFileSync(place(path), 'utf8')

async function play(
  document: FlowDocument,
  script: ReturnType<typeof parseScripts>[number],
) {
  const { failure } = await runScript(
    { document, scripts: compileScripts(document).scripts },
    script,
  )
  expect(
    failure && `line ${failure.line}: ${failure.message}\n${failure.trace}`,
  ).toBeUndefined()
}

const examples = [
  'greeting-bot',
  'bilingual-bot',
  'faq-bot',
  'appointment-bot',
  'hooks-showcase',
  'hotel-bot',
]

for (const name of examples)
  for (const file of readdirSync(place(`examples/${name}/tests`)))
    for (const script of parseScripts(read(`examples/${name}/tests/${file}`), file))
      test(`${name}: ${script.name}`, () =>
        play(toFlows(readDocument(place(`examples/${name}/bot.json`))), script))

/** Returns the first code block of a page in this language. */
const block = (path: string, language: string) =>
  new RegExp(`^ *\`\`\`${language}\\n([\\s\\S]+?)\`\`\``, 'm').exec(read(path))![1]!

test('the bot of docs/agents.md passes its script', async () => {
  const document = checkDocument(
    JSON.parse(block('docs/agents.md', 'json')),
  ) as FlowDocument
  const [script] = parseScripts(block('docs/agents.md', 'yaml'), 'order.yaml')
  await play(document, script!)
})

test('the bot of README passes the script of docs/flows.md', async () => {
  const [script] = parseScripts(
    block('docs/flows.md', 'yaml').replaceAll(/^ {3}/gm, ''),
    'names.yaml',
  )
  await play(JSON.parse(block('README.md', 'json')), script!)
})
