// The conversation scripts of the examples, as `botstead test` runs them.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { checkDocument, codePlaces, type FlowDocument } from '@botstead/flows'
import { compileScripts, parseScripts, runScript } from '@botstead/flows/testing'
import { expect, test } from 'vitest'

const folder = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

for (const name of ['faq-bot', 'appointment-bot', 'hooks-showcase']) {
  const bot = JSON.parse(readFileSync(folder(`${name}/bot.json`), 'utf8')) as FlowDocument
  const files = codePlaces(bot).flatMap(({ file }) => (file ? [[file, readFileSync(folder(`${name}/${file}`), 'utf8')]] : []))
  const document = checkDocument({ ...bot, ...(files.length && { files: Object.fromEntries(files) }) }) as FlowDocument
  const { scripts, problems } = compileScripts(document)
  test(name, () => expect(problems).toEqual([]))
  for (const file of readdirSync(folder(`${name}/tests`)))
    for (const script of parseScripts(readFileSync(folder(`${name}/tests/${file}`), 'utf8'), file))
      test(`${name}: ${script.name}`, async () => {
        const { failure } = await runScript({ document, scripts }, script)
        expect(failure && `line ${failure.line}: ${failure.message}\n${failure.trace}`).toBeUndefined()
      })
}
